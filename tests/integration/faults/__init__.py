"""What callers see when AWS is not there."""
