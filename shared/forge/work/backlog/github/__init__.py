"""GitHub as this product knows it: how a repository is reached, and what of it is linked to issues."""
