"""Plans in the loop: break a goal into steps, have them approved, let them run, and judge them."""
