"""The rules of a bundle: what is in it, and how it stays short enough to be read."""
