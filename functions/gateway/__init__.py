"""Call any tool by what you mean to do: look, analyse, change, execute, through the gates of a run."""
