"""Group record: facts, digests of spans, joins of members."""
