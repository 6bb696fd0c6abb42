"""Weighs the words of every tool with BM25, when the project is generated: functions need no numpy for it."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rank_bm25 import BM25Okapi

from forge.contract.finding import Finder, words
from forge.contract.schema import portable_schema
from forge.contract.terms import Surface
from forge.contract.tools import AnyTool, Namespace

# How often a word counts where it stands: names and phrases are chosen with care, details mention much else.
_NAME, _ASKS, _SUMMARY, _DETAILS = 3, 3, 2, 1
_LEAST = 0.01


class Findable(NamedTuple):
    """A tool as somebody would look for it."""

    name: str
    description: str
    arguments: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()

    @classmethod
    def of(cls, tool: AnyTool) -> "Findable":
        arguments = portable_schema(tool.input).get("properties", {})
        return cls(tool.name, tool.description, tuple(arguments), tool.asks)

    @property
    def words(self) -> list[str]:
        summary, _, details = self.description.partition("\n\n")
        return [
            *words(self.name) * _NAME,
            *words(" ".join(self.asks)) * _ASKS,
            *words(summary) * _SUMMARY,
            *words(" ".join((details, *self.arguments))) * _DETAILS,
        ]


def compile_finder(namespaces: Mapping[str, Namespace]) -> Finder:
    tools = [tool for namespace in namespaces.values() for tool in namespace.tools.values()]
    return weigh(Findable.of(tool) for tool in tools if tool.surface is Surface.MCP)


def weigh(findables: Iterable[Findable]) -> Finder:
    """BM25 adds up over the words of a query, so a word by itself says all that there is to know."""
    tools = sorted(findables)
    ranking = BM25Okapi([tool.words for tool in tools])
    names = [tool.name for tool in tools]
    return Finder(
        {
            word: {
                name: round(float(score), 2)
                for name, score in zip(names, ranking.get_scores([word]), strict=True)
                if score >= _LEAST
            }
            for word in sorted({word for tool in tools for word in tool.words})
        }
    )
