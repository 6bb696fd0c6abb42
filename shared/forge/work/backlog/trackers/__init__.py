"""Where the issues of a repository are kept, and how the backlog asks for them."""
