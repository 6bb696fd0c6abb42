"""What nobody waits for: the sweep, the relay, deliveries, watchdogs, continuations, and files of exports."""
