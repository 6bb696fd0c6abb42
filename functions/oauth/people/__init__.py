"""People who sign in with an account of theirs elsewhere: at an OpenID provider."""
