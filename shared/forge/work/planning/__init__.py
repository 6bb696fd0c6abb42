"""What issues are grouped by: projects."""
