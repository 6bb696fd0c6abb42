"""One machine: what `forge dev` does for eight clients, beside a plain server that answers the same calls."""
