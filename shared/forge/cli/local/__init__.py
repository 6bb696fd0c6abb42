"""The embedded AWS of `forge dev`: who may ask it, and how nothing that it acknowledged is lost."""
