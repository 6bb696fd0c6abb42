"""Issues and who works on them: desk, change, runs, claims, relations, dispatch, inbox, and pages of them."""
