"""How tools are found by what somebody wants to do: words, and what each word says of each tool.

`make generate` weighs the words (BM25) and writes finding.json beside this file; a search only adds up.
"""

import json
import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

FINDING_FILE = os.path.join(os.path.dirname(__file__), "finding.json")

Weights = Mapping[str, float]
"""By the name of the tool."""


class Finder(NamedTuple):
    weights: Mapping[str, Weights]
    """What each word says, by the word; no entry says nothing."""
    sayings: Mapping[str, Sequence[frozenset[str]]]
    """The words of each phrase by which a tool is asked for, by the name of the tool."""

    @classmethod
    def from_text(cls, text: str | bytes) -> "Finder":
        document = json.loads(text)
        names: Sequence[str] = document["tools"]
        weights = {
            word: {names[int(place)]: weight for place, weight in weights.items()}
            for word, weights in document["words"].items()
        }
        sayings = {
            name: [frozenset(saying.split()) for saying in said.split(",")]
            for name, said in zip(names, document["sayings"], strict=True)
        }
        return cls(weights, sayings)

    def to_text(self) -> str:
        """One line per word and per tool, so that a change of a description is a diff one can read."""
        names = sorted(self.sayings)
        places = {name: place for place, name in enumerate(names)}
        lines = [
            f"{json.dumps(word)}: {json.dumps({places[name]: weights[name] for name in sorted(weights)})}"
            for word, weights in sorted(self.weights.items())
        ]
        sayings = [
            json.dumps(",".join(" ".join(sorted(saying)) for saying in self.sayings[name])) for name in names
        ]
        return (
            f'{{"tools": {json.dumps(names)},\n"words": {{\n'
            + ",\n".join(lines)
            + '\n},\n"sayings": [\n'
            + ",\n".join(sayings)
            + "\n]}\n"
        )


@cache
def load_finder() -> Finder:
    """What ships with this build, read with the first search: the router starts without it."""
    with open(FINDING_FILE, "rb") as file:
        return Finder.from_text(file.read())
