"""Words by which pipelines are compared."""

import re

_LEAST_BYTES = 4
_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """Runs of letters and digits of any script, in lower case; what is shorter than four bytes says nothing.

    Bytes and not characters, so that two ideographs are a word and three Latin letters are none.
    """
    return [word for word in _WORD.findall(text.lower()) if len(word.encode()) >= _LEAST_BYTES]


def one_line(text: str, most: int) -> str:
    """Without line breaks and runs of blanks, cut where it gets too long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"
