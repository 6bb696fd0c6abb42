"""What people and agents write down for themselves."""
