"""The rules of artifacts: how they are made and changed, and what they can be made of."""
