"""What happens at limits that no test can reach: pure, in time of its own, the same for the same seed."""
