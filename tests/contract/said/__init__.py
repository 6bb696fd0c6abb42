"""What people said who wanted a tool, as lines of `phrase = tool, another tool that is as right`."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Said(NamedTuple):
    phrase: str
    meant: frozenset[str]


def read(name: str) -> Sequence[Said]:
    lines = (Path(__file__).parent / f"{name}.txt").read_text().splitlines()
    return [
        Said(phrase, frozenset(meant.split(", ")))
        for phrase, _, meant in (line.rpartition(" = ") for line in lines)
    ]
