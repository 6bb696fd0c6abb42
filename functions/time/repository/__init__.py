"""How time entries are read: the sheets they are in, and the names of what they are added up by."""
