"""The backlog of a repository: take the most urgent issue, lock it, and lead it through its phases."""
