"""How a pipeline is begun, decided on what was said and read: nothing here asks a table."""
