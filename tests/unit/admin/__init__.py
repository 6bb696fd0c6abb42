"""What operators can do, one file per tool."""
