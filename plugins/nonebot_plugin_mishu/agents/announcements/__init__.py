"""Announcements of a group (群公告; docs/platforms.md)."""

from .agent import AnnouncementAgent

__all__ = ["AnnouncementAgent"]
