"""The exports: takes orders off the queue, and writes everything of a workspace into one file."""
