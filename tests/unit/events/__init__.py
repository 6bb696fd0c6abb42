"""What happened, as callers are told."""
