"""Relations between issues, and how an issue shows them."""
