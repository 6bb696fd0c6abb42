"""What waits for a person or an agent: asked, reminded, asked again, and in the end decided otherwise."""
