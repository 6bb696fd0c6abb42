"""Back from a backup: a workspace from the lines of an export, or from a copy of the table."""
