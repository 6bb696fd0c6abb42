"""Plans: what a goal is broken into, how its steps follow one another, and how they are judged."""
