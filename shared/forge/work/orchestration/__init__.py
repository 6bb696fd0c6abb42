"""What several agents do together: crews, the goals they are given, and the gates at which they wait."""
