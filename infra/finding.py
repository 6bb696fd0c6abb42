"""Says how strongly a tool is meant by a word, when the project is generated: BM25 without its idf."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from forge.contract.finding import ASKED_BY, DETAILS
from forge.contract.profiles import DEFAULT_PROFILE, PROFILES
from forge.contract.questions import CONFIRM
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


class Part(NamedTuple):
    """A part of what is said of a tool."""

    worth: float
    usual_length: float
    """The average when this was measured. It stays, or each tool that comes would move the numbers of all."""
    length_matters: float


# A longer name is of something narrower; a tool with many phrases is not less what each of them says.
PARTS = dict(
    zip(
        (*ASKED_BY, DETAILS),
        (Part(0.4, 2.896, 0.9), Part(1.0, 51.3, 0.6), Part(0.1, 30.24, 0.3)),
        strict=True,
    )
)
# BM25's k1: how much it says that a word comes again.
_REPEATED = 1.5
# What everybody is shown is what most look for.
_EVERYBODYS = 1.1
# Where a description sends those who want something else.
_OTHER_TOOLS = re.compile(r"\b[a-zA-Z]+(\.[a-zA-Z]+)+\b")


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
        # That a tool asks back says nothing of what it is for.
        arguments = [name for name in portable_schema(tool.input).get("properties", {}) if name != CONFIRM]
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


def compile_finder(namespaces: Mapping[str, Namespace]) -> dict[str, Any]:
    tools = [tool for namespace in namespaces.values() for tool in namespace.tools.values()]
    offered = [tool for tool in tools if tool.surface is Surface.MCP]
    if unknown := SAYINGS.keys() - {tool.name for tool in offered}:
        raise ValueError(f"sayings.txt has tools that nobody declares: {sorted(unknown)}")
    return finding_document(map(Findable.of, offered))


def finding_document(findables: Iterable[Findable]) -> dict[str, Any]:
    """What a Finder is made from; nothing in the entry of a tool depends on the other tools."""
    return {tool.name: _entry(tool) for tool in sorted(findables)}


def _entry(tool: Findable) -> dict[str, Any]:
    texts = zip(PARTS.items(), tool.parts, strict=True)
    strengths = {name: _strengths(text, part, tool) for (name, part), text in texts}
    return strengths | {"sayings": [sorted(saying) for saying in tool.sayings]}


def _strengths(text: list[str], part: Part, tool: Findable) -> dict[str, int]:
    """In thousandths."""
    longer = 1 - part.length_matters + part.length_matters * len(text) / part.usual_length
    worth = 1000 * part.worth * (_EVERYBODYS if tool.is_everybodys else 1) * (_REPEATED + 1)
    return {
        word: round(worth * number / (number + _REPEATED * longer))
        for word, number in sorted(Counter(text).items())
    }
