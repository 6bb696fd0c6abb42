"""Who is calling, and whether they may: keys, tokens, rate windows, narrowing."""
