"""Words by which pipelines are compared."""

import re
from collections.abc import Sequence

_LEAST_BYTES = 4
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
"""Kana, ideographs and Hangul, which are written without spaces or with endings on words."""


def words(text: str) -> list[str]:
    """Runs of letters and digits of any script, in lower case; what is shorter than four bytes says nothing.

    Scripts without spaces are compared by each two characters that follow one another.
    """
    found: list[str] = []
    for word in _WORD.findall(text.lower()):
        rest = _UNSPACED.sub(" ", word).split()
        found += [one for one in rest if len(one.encode()) >= _LEAST_BYTES]
        for run in _UNSPACED.findall(word):
            found += [run[place : place + 2] for place in range(len(run) - 1)]
    return found


def one_line(text: str, most: int) -> str:
    """Without line breaks and runs of blanks, cut where it gets too long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"


MOST_REPOSITORIES = 10


def with_repository(known: Sequence[str], repository: str | None) -> list[str]:
    """Where something was seen, the latest last; of many, those of late."""
    if repository is None:
        return [*known]
    return [*(one for one in known if one != repository), repository][-MOST_REPOSITORIES:]
