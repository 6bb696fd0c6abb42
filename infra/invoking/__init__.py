"""`make invoke`: one function and one event, against the Forge that `make dev` runs."""
