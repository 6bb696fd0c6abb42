"""How a tool is declared, published, found and given its arguments."""
