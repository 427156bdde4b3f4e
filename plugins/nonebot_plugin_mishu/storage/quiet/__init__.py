"""Quiet hours: of a group among its settings, of a member here."""
