"""How tools are found by what somebody wants to do: words, and what each word says of each tool.

`make generate` writes finding.json beside this file: for each tool a line that says how strongly it is meant
by which words, whatever other tools there are. How telling a word is depends on all, and is worked out here.
"""

import json
import math
import os
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

FINDING_FILE = os.path.join(os.path.dirname(__file__), "finding.json")

Weights = Mapping[str, float]
"""By the name of the tool."""

ASKED_BY = ("name", "said")
DETAILS = "details"
"""They mention much else: they count only for words by which nobody is asked for."""
_COMMON_WORDS = 0.4
"""What a word says that most tools have, as a share of what an average one says."""


class Finder:
    """What finding.json says of each tool, by its name, and what follows from it."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._asked_by = [_Texts(document, part) for part in ASKED_BY]
        texts = (entry[part] for entry in document.values() for part in (*ASKED_BY, DETAILS))
        self.words = dict.fromkeys(sorted(set().union(*texts)))
        """All that say something, in order."""
        self.weights: Callable[[str], Weights] = cache(self._weigh)
        """What a word says; a tool that is not there has nothing to do with it."""
        self.most: Callable[[str], float] = cache(lambda word: max(self.weights(word).values(), default=0))
        """What a word says of the tool of which it says most."""

    def sayings(self, tool_name: str) -> Sequence[Sequence[str]]:
        """The words of each phrase by which a tool is asked for."""
        said: Sequence[Sequence[str]] = self._document[tool_name]["sayings"]
        return said

    def _weigh(self, word: str) -> Weights:
        if word not in self.words:
            return {}
        total: dict[str, float] = {}
        for texts in [one for one in self._asked_by if word in one.found] or [self._details]:
            telling = texts.how_telling(word)
            for name, strength in texts.found[word].items():
                total[name] = total.get(name, 0) + telling * strength
        return total

    @cached_property
    def _details(self) -> "_Texts":
        return _Texts(self._document, DETAILS)


class _Texts:
    """One part of what is said of the tools.

    BM25's idf, but one that falls steadily: the usual one drops to nothing at half of all texts, and is then
    lifted again, so that a word of every second tool would mean less than one of all.
    """

    def __init__(self, document: Mapping[str, Any], part: str) -> None:
        self.found: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for name, entry in document.items():
            for word, strength in entry[part].items():
                self.found[word][name] = strength
        self._tools = len(document)
        usual = sum(self._idf(len(found)) for found in self.found.values()) / (len(self.found) or 1)
        self._least = _COMMON_WORDS * usual

    def how_telling(self, word: str) -> float:
        return max(self._idf(len(self.found[word])), self._least)

    def _idf(self, tools_with_it: int) -> float:
        return math.log(1 + (self._tools - tools_with_it + 0.5) / (tools_with_it + 0.5))


@cache
def load_finder() -> Finder:
    """What ships with this build, read with the first search: the router starts without it."""
    with open(FINDING_FILE, "rb") as file:
        return Finder(json.load(file))
