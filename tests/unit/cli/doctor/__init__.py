"""The doctor's rules: facts in, findings out."""
