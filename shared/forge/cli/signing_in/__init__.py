"""`forge login`: a session at a server, which commands use where no key is given."""
