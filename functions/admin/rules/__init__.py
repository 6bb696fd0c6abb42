"""What holds for operators alone, decided on what was read: nothing here asks a table."""
