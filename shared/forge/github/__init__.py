"""GitHub as a server of others: its REST interface, in our words."""
