"""Nothing that was acknowledged is lost on one machine."""
