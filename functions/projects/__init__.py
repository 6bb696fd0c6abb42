"""Projects: what a workspace groups its issues by. They have a key, dates and perhaps an initiative."""
