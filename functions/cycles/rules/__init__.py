"""What holds for cycles alone, decided on what was read: nothing here asks a table."""
