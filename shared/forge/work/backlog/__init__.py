"""The backlog: what is to be done next in a repository, who has it, and how far they are."""
