"""Weighs the words of every tool with BM25, when the project is generated: functions need no numpy for it."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rank_bm25 import BM25Okapi

from forge.contract.finding import Finder
from forge.contract.profiles import DEFAULT_PROFILE, PROFILES
from forge.contract.schema import portable_schema
from forge.contract.terms import Surface
from forge.contract.tools import AnyTool, Namespace
from forge.contract.wording import gist, words

SAYINGS: Mapping[str, Sequence[str]] = {
    name: sayings.split("; ")
    for name, _, sayings in (
        line.partition(": ") for line in Path(__file__).with_name("sayings.txt").read_text().splitlines()
    )
}
"""What else people say who want a tool, by its name: more than its declaration has room for."""

# Of a word in the name, in what is said for a tool, and in the details, which mention much else.
_WORTH = (0.4, 1.0, 0.1)
_DETAILS = 2
# A longer name is of something narrower; a tool with many phrases is not less what each of them says.
_LENGTH_MATTERS = (0.9, 0.6, 0.3)
# What a word says that most tools have, as a share of what an average one says.
_COMMON_WORDS = 0.4
# What everybody is shown is what most look for.
_EVERYBODYS = 1.1
# Where a description sends those who want something else.
_OTHER_TOOLS = re.compile(r"\b[a-zA-Z]+(\.[a-zA-Z]+)+\b")
_LEAST = 0.01


class Findable(NamedTuple):
    """A tool as somebody would look for it."""

    name: str
    description: str
    arguments: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    is_everybodys: bool = False
    """Whether it is in the list that clients get unasked."""

    @classmethod
    def of(cls, tool: AnyTool) -> "Findable":
        arguments = portable_schema(tool.input).get("properties", {})
        asks = (*tool.asks, *SAYINGS.get(tool.name, ()))
        is_everybodys = PROFILES[DEFAULT_PROFILE].includes(tool.name, tool.namespace, tool.effect)
        return cls(tool.name, tool.description, tuple(arguments), asks, is_everybodys)

    @property
    def parts(self) -> tuple[list[str], list[str], list[str]]:
        """Its name, what is said for it, and all else that is said of it."""
        summary, _, details = _OTHER_TOOLS.sub("", self.description).partition("\n\n")
        said = " ".join((summary, *self.asks))
        return words(self.name), words(said), words(" ".join((details, *self.arguments)))

    @property
    def sayings(self) -> list[frozenset[str]]:
        return list(dict.fromkeys(filter(None, map(gist, (self.name, *self.asks)))))


def compile_finder(namespaces: Mapping[str, Namespace]) -> Finder:
    tools = [tool for namespace in namespaces.values() for tool in namespace.tools.values()]
    offered = [tool for tool in tools if tool.surface is Surface.MCP]
    if unknown := SAYINGS.keys() - {tool.name for tool in offered}:
        raise ValueError(f"sayings.txt has tools that nobody declares: {sorted(unknown)}")
    return weigh(map(Findable.of, offered))


def weigh(findables: Iterable[Findable]) -> Finder:
    """BM25 adds up over the words of a query, so a word by itself says all that there is to know."""
    tools = sorted(findables)
    weights: dict[str, dict[str, float]] = {}
    for part, worth in enumerate(_WORTH):
        for word, scores in _scores([tool.parts[part] for tool in tools], _LENGTH_MATTERS[part]).items():
            # The details mention much else: they count only for words that nobody is asked for by.
            if part == _DETAILS and word in weights:
                continue
            for tool, score in zip(tools, scores, strict=True):
                of_word = weights.setdefault(word, {})
                share = worth * (_EVERYBODYS if tool.is_everybodys else 1)
                of_word[tool.name] = of_word.get(tool.name, 0) + share * score
    told = {word: _telling(weights[word]) for word in sorted(weights)}
    return Finder(told, {tool.name: tool.sayings for tool in tools})


class _Ranking(BM25Okapi):  # type: ignore[misc]  # the library has no types
    """With an idf that falls steadily: the library's own drops to nothing at half of all texts, and is then
    lifted again, so that a word of every second tool would mean less than one of all."""

    def _calc_idf(self, nd: Mapping[str, int]) -> None:
        usual = {
            word: math.log(1 + (self.corpus_size - number + 0.5) / (number + 0.5))
            for word, number in nd.items()
        }
        least = self.epsilon * sum(usual.values()) / len(usual)
        self.idf = {word: max(idf, least) for word, idf in usual.items()}


def _scores(texts: list[list[str]], length_matters: float) -> dict[str, list[float]]:
    """What each word says of each text."""
    known = {word for text in texts for word in text}
    if not known:
        return {}
    ranking = _Ranking(texts, b=length_matters, epsilon=_COMMON_WORDS)
    return {word: [float(score) for score in ranking.get_scores([word])] for word in sorted(known)}


def _telling(weights: Mapping[str, float]) -> dict[str, float]:
    return {name: round(weight, 2) for name, weight in weights.items() if weight >= _LEAST}
