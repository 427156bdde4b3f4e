"""Message ledger: every heard message, its word index, reply claims, decision traces."""
