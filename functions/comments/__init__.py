"""Comments: what people and agents say about an issue, whom they call by name, and how the work goes."""
