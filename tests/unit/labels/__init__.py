"""Labels: seen by everybody, kept by admins."""
