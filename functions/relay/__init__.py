"""The relay: reads the table's stream and hands every announced change to the dispatch queue."""
