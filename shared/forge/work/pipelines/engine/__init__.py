"""The engine of pipelines: from how one stands and what was said to how it stands then. Nothing is read."""
