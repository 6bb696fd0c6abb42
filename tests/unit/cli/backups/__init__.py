"""Back from a backup."""
