"""The mark that the emulator's process leaves while it runs; one that is left over tells of a kill."""

MARK = "running"
MARK_VARIABLE = "FORGE_EMULATOR_MARK"
