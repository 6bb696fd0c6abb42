"""By when somebody has to care for an issue, and what it means that nobody did."""
