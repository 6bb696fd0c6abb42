"""What the tools of issues take and give, by what they are about."""
