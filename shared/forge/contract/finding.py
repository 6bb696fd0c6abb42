"""How tools are found by what somebody wants to do: words, and what each word says of each tool.

`make generate` weighs the words (BM25) and writes finding.json beside this file; a search only adds up.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from forge.contract.meanings import MEANINGS

FINDING_FILE = os.path.join(os.path.dirname(__file__), "finding.json")

_WORD = re.compile(r"[a-z]+(?=[A-Z])|[A-Za-z]+|\d+")
_STOP_WORDS = frozenset(
    _WORD.findall(
        "a am an and are as at be been by can could did do does for from had has have how i if in is it its "
        "let me not of off on or our see shall should so that the their them then there these they this "
        "those to want about any everybody some somebody up us was we were what will with would you your"
    )
)
_ENDINGS = ("ing", "ed", "es", "er", "e", "s")
_SHORTEST_STEM = 3

Weights = Mapping[str, float]
"""By the name of the tool."""


class Finder(NamedTuple):
    weights: Mapping[str, Weights]
    """What each word says, by the word; no entry says nothing."""

    @classmethod
    def from_text(cls, text: str | bytes) -> "Finder":
        document = json.loads(text)
        names: Sequence[str] = document["tools"]
        return cls(
            {
                word: {names[int(place)]: weight for place, weight in weights.items()}
                for word, weights in document["words"].items()
            }
        )

    def to_text(self) -> str:
        """One line per word, so that a change of a description is a diff one can read."""
        names = sorted({name for weights in self.weights.values() for name in weights})
        places = {name: place for place, name in enumerate(names)}
        lines = [
            f"{json.dumps(word)}: {json.dumps({places[name]: weights[name] for name in sorted(weights)})}"
            for word, weights in sorted(self.weights.items())
        ]
        return f'{{"tools": {json.dumps(names)},\n"words": {{\n' + ",\n".join(lines) + "\n}}\n"


@cache
def load_finder() -> Finder:
    """What ships with this build, read with the first search: the router starts without it."""
    with open(FINDING_FILE, "rb") as file:
        return Finder.from_text(file.read())


def words(text: str) -> list[str]:
    """The telling words of a text by what they mean: `closes` and `closing` are one, a ticket is an issue."""
    found = (word.lower() for word in _WORD.findall(text))
    stems = (_stem(word) for word in found if len(word) > 1 and word not in _STOP_WORDS)
    return [meant for stem in stems for meant in _meanings().get(stem, (stem,))]


@cache
def _meanings() -> Mapping[str, Sequence[str]]:
    lines = (line.split(":") for line in MEANINGS.strip().splitlines())
    return {_stem(word): tuple(map(_stem, meant.split())) for meant, said in lines for word in said.split()}


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        # `process` is no plural, and what is left of a short word says nothing.
        if stem != word and len(stem) >= _SHORTEST_STEM and not word.endswith("ss"):
            return _stem(stem)
    return word
