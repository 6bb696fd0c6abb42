"""The erasures: takes orders off the queue, and erases a person or a workspace for good."""
