"""The issues' tools, by what they do to an issue."""
