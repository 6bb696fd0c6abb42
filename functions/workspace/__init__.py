"""The workspace a key belongs to: its name and the settings that shape how work is done there."""
