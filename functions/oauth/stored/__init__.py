"""What is kept of clients and of what they asked for; secrets only as hashes, and nothing for long."""
