"""What figures are made from, where more than the kept ones is read."""
