"""What a Markdown text says to people: without its code and its addresses, in which an `@` calls nobody."""

import re
from collections.abc import Iterator

# A quote or a list may stand before it.
_FENCE = re.compile(r"[\s>]*(?:[-*+]\s+)?(`{3,}|~{3,})([^\n]*)")
_BACKTICKS = re.compile(r"(?<!\\)`+")
_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n")
# From where it is certain that it is one: looking for its beginning would read long words again and again.
_ADDRESS = re.compile(
    r"(?:://|\bwww\.|\bmailto:|[\w-]\.[a-z]{2,12}/)[^\s<>()\[\]\"]*(?:\([^\s()]*\)[^\s<>()\[\]\"]*)*",
    re.IGNORECASE,
)


def prose_of(text: str) -> str:
    paragraphs = _PARAGRAPHS.split("\n".join(_outside_fences(text)))
    return "\n\n".join(_ADDRESS.sub(" ", _without_spans(paragraph)) for paragraph in paragraphs)


def _outside_fences(text: str) -> Iterator[str]:
    """The lines that are in no fenced block; a block that is never closed goes to the end."""
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if fence:
            if found and found[1].startswith(fence) and not found[2].strip():
                fence = ""
            continue
        if found and not (found[1][0] == "`" and "`" in found[2]):
            fence = found[1]
            # Another paragraph begins after it.
            yield ""
            continue
        yield line


def _without_spans(paragraph: str) -> str:
    """A span of code ends with as many backticks as it began with; a backtick without an end is none."""
    runs = list(_BACKTICKS.finditer(paragraph))
    partner: dict[int, int] = {}
    later: dict[int, int] = {}
    for place in range(len(runs) - 1, -1, -1):
        length = len(runs[place][0])
        if length in later:
            partner[place] = later[length]
        later[length] = place
    kept, end, place = [], 0, 0
    while place < len(runs):
        if place in partner:
            kept.append(paragraph[end : runs[place].start()])
            place = partner[place]
            end = runs[place].end()
        place += 1
    return " ".join([*kept, paragraph[end:]])
