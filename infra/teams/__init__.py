"""Teams that deploy from one checkout: what each said, where it deploys to, and which versions it runs."""
