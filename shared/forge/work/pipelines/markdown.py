"""Markdown as it is meant: its lines without marks of lists and quotes, and what is a heading or code."""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_CHARACTERS = 300_000
"""Of a text that is read; a longer one is to be sent back."""

_WHOLE_IS_CODE = frozenset({"md", "markdown"})
_MARKS = "*_`~\"'“”‘’「」『』 \t"
_BOLD = re.compile(r"(\*\*|__)(?!\s)(.+?)(?<!\s)\1[:：.]?")


class Line(NamedTuple):
    """A line of a text. `depth` counts the lists that it stands in."""

    text: str
    level: int = 0
    """Of a heading, from 1; of other lines 0."""
    depth: int = 0
    is_first: bool = True
    """The first line of its item or paragraph: others go on with it, or were forgotten to be set apart."""
    is_code: bool = False

    @property
    def plain(self) -> str:
        """Without emphasis, quotes and code marks around it."""
        return self.text.strip(_MARKS)

    @property
    def is_bold(self) -> bool:
        """From its first word to its last."""
        return _BOLD.fullmatch(self.text.strip()) is not None


def lines_of(text: str) -> list[Line]:
    """All lines that say something. What stands as a whole in one block of markdown is read as that."""
    tokens = _parser().parse(text)
    if len(tokens) == 1 and tokens[0].type == "fence" and tokens[0].info.strip().lower() in _WHOLE_IS_CODE:
        tokens = _parser().parse(tokens[0].content)
    return [line for line in _lines(tokens) if line.text.strip()]


def headings_of(text: str) -> list[Line]:
    return [line for line in lines_of(text[:MAX_CHARACTERS]) if line.level]


@cache
def _parser() -> "MarkdownIt":
    """It knows blocks alone: what stands within a line, paths with stars for instance, stays as written.

    Indented lines are no code and underlined ones no headings, because that is not what those who write
    lists of fields mean by it; nor is anything hidden in comments or taken for the target of a link.
    """
    # Only the few calls that read a list or a review pay for this import.
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": 200}).enable("table")
    return parser.disable(["code", "lheading", "html_block", "reference", "inline", "text_join"])


def _lines(tokens: "list[Token]") -> Iterator[Line]:
    level = depth = 0
    cells: list[str] | None = None
    for token in tokens:
        match token.type:
            case "heading_open":
                level = int(token.tag[1:])
            case "heading_close":
                level = 0
            case "bullet_list_open" | "ordered_list_open":
                depth += 1
            case "bullet_list_close" | "ordered_list_close":
                depth -= 1
            case "tr_open":
                cells = []
            case "tr_close":
                yield Line(": ".join(cells or []), depth=depth)
                cells = None
            case "fence":
                for place, line in enumerate(token.content.split("\n")):
                    yield Line(line, depth=depth, is_first=place == 0, is_code=True)
            case "inline" if cells is not None:
                cells.append(token.content)
            case "inline":
                for place, line in enumerate(token.content.split("\n")):
                    yield Line(line.strip(), level, depth, is_first=place == 0)
