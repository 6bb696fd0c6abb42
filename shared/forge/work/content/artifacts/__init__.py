"""Documents that outlast the work they come from."""
