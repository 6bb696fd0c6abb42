"""What is made with a key or by a person for others: signed-in browsers, clients, and how they end."""
