"""Transcripts in guides: `who> tool {arguments}`, and on the next line what it answers, in part."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from forge.testing.world import World

_BLOCK = re.compile(r"^```transcript\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"(?P<who>\w+)> (?P<tool>[\w.]+) (?P<arguments>\{.*\})")


class Line(NamedTuple):
    who: str
    tool: str
    arguments: str
    answer: str
    """JSON, or `! code` where it is refused."""


def lines_of(guide: Path) -> Iterator[Line]:
    lines = [line for block in _BLOCK.findall(guide.read_text()) for line in block.splitlines()]
    for call, answer in zip(lines[::2], lines[1::2], strict=True):
        found = _CALL.fullmatch(call)
        assert found, call
        yield Line(**found.groupdict(), answer=answer)


class Play:
    """Over MCP, each call with its caller's key. A new `$name` stands for what is there from then on."""

    def __init__(self, world: World, keys: Mapping[str, str], meant: Mapping[str, str] | None = None) -> None:
        self._world = world
        self._keys = keys
        self._meant: dict[str, Any] = dict(meant or {})

    def act(self, line: Line) -> None:
        arguments = line.arguments
        for name, meant in self._meant.items():
            arguments = arguments.replace(f'"{name}"', json.dumps(meant))
        result = self._world.call(line.tool, json.loads(arguments), key=self._keys[line.who])
        told = result["structuredContent"]
        shown = {"error": line.answer[2:]} if line.answer.startswith("! ") else json.loads(line.answer)
        assert result["isError"] is line.answer.startswith("! "), (line, told)
        self._hold(shown, told, line)

    def _hold(self, shown: Any, told: Any, line: Line) -> None:
        """Everything that is shown is there."""
        if isinstance(shown, dict):
            for name, value in shown.items():
                assert name in told, (line, name, told)
                self._hold(value, told[name], line)
        elif isinstance(shown, list):
            assert len(shown) == len(told), (line, shown, told)
            for one, other in zip(shown, told, strict=True):
                self._hold(one, other, line)
        elif isinstance(shown, str) and shown.startswith("$"):
            assert self._meant.setdefault(shown, told) == told, (line, shown, told)
        else:
            assert shown == told, (line, shown, told)
