"""What more than one tool does to an issue, besides moving it and giving it to an agent."""
