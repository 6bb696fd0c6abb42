"""The wire through real clients and a real server on loopback."""
