"""Issues and who works on them: desk, change, runs, claims, relations, auto-dispatch, inbox, and pages."""
