"""What every change leaves behind: its row in the log, its texts and words, what is left to do."""
