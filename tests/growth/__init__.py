"""What calls ask of the table when there is a thousand times as much in it."""
