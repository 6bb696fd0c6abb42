"""What the tools of cycles take and give, by what they are about."""
