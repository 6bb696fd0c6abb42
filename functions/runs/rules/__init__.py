"""What holds for runs alone, decided on what was read: nothing here asks a table."""
