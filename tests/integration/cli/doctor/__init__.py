"""`forge doctor` on stacks of the emulator, made from the template's own resources."""
