"""Time: who worked on what and for how long, by a timer or written down later, and what it comes to."""
