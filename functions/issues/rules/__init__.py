"""What holds for issues alone, decided on what was read: nothing here asks a table."""
