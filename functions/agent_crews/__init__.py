"""Crews: agents with roles, who carry out plans together. Everybody sees them; admins keep them."""
