"""Children: how they are started, what they may see, and how nothing of them is left."""
