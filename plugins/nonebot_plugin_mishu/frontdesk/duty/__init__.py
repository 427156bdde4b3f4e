"""Duty of accounts: who answers in a group, lease kept, group taken over."""
