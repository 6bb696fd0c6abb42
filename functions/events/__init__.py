"""Events: what happened in the workspace, newest first, each with who did it and to what."""
