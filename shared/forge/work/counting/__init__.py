"""What is counted of issues, as they change: by status, by day and by project."""
