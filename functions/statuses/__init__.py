"""Statuses: the columns an issue moves through, each in one of six categories that rules act on."""
