"""How names and words are compared: case makes no difference, nor does the way in which they are encoded."""

from unicodedata import normalize


def folded(text: str) -> str:
    # Folding can undo the composition, so it is composed again.
    return normalize("NFKC", normalize("NFKC", text).casefold())
