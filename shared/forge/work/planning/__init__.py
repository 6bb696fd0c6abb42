"""What issues are grouped by: projects and cycles."""
