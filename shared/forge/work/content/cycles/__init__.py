"""What issues are grouped by in time: cycles and initiatives."""
