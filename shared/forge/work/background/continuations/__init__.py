"""What a call began and was too much for its transaction: done in chunks afterwards, until all of it is."""
