"""Finding, reading and calling tools through the catalog."""
