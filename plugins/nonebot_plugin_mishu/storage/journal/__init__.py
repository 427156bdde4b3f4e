"""Journal of changes, from which 撤销 takes back."""
