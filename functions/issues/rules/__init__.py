"""What holds for issues alone: which of them a list shows, how one is drafted, edited and claimed."""
