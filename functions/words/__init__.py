"""Words: keeps up which words issues are found by."""
