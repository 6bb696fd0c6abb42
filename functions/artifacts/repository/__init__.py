"""Reading artifacts: pages of them, one with its versions, and what one can be made of."""
