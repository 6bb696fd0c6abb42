"""What an agent's day costs in calls and tokens, played over the official client against `forge dev`."""
