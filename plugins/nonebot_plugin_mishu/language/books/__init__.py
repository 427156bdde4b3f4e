"""What is ordered of the books, asked of them and put right in them. Pure."""
