"""What Amazon's own engine says to the store, to every tool and to the races."""
