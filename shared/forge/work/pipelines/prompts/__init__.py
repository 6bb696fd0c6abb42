"""What an agent of a pipeline is told: its instructions, its files, its repository, and the past."""
