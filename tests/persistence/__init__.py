"""What one machine keeps, measured at length: `python -m tests.persistence.run`."""
