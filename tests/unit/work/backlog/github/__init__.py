"""GitHub as this product knows it."""
