"""One bare clone for a repository, and a branch with a worktree for each issue."""
