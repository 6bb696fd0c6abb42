"""What the tools of runs take and give, by what they are about."""
