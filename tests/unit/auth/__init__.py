"""Who is let in, as whom, and how often."""
