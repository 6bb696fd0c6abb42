"""What the tools of analytics take and give, by what they are about."""
