"""What several agents do together: crews."""
