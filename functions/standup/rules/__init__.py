"""What belongs in a standup, and how it is said."""
