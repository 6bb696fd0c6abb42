"""What the emulator's process and its parent agree on.

The mark stands while it runs, and is removed when everything was saved: one left over tells of a kill.
"""

MARK = "running"
MARK_VARIABLE = "FORGE_EMULATOR_MARK"
STATE_FILE = "dynamodb.json"
"""Where the table is; the rest can be made again."""
