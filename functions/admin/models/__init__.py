"""What operators send and get, one module per resource."""
