"""What is next in a repository, here or on GitHub: its order, its locks, and the work under them."""
