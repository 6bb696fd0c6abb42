"""What tests are built with: an office, and whatever there can be in it, one module for each thing."""
