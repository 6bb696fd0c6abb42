"""What a call costs, however much there is."""
