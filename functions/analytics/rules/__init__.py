"""From what was read to figures: nothing here asks a table."""
