"""What several agents do together."""
