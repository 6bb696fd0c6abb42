"""The transcript of the guide on goals and plans, played over MCP with the keys that it names."""

import json
import re
from pathlib import Path
from typing import Any

from forge.store.store import Store
from forge.testing.world import World
from tests.unit.office import Office

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "orchestration.md"
_BLOCK = re.compile(r"^```transcript\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"^(?P<who>\w+)> (?P<tool>[\w.]+) (?P<arguments>\{.*\})$")


class Play:
    """Who is who, and what each `$name` stands for so far."""

    def __init__(self, office: Office) -> None:
        self._world = office.world
        self._keys = {"owner": office.owner_key}
        self._meant: dict[str, str] = {}
        for name in ("planner", "worker", "reviewer"):
            agent = office.an_agent(name)
            self._keys[name] = office.an_agents_key(agent["id"])
            self._meant[f"${name}"] = agent["id"]

    def act(self, call: str, answer: str) -> None:
        found = _CALL.match(call)
        assert found, call
        arguments = json.loads(self._with_ids(found["arguments"]))
        result = self._world.call(found["tool"], arguments, key=self._keys[found["who"]])
        told = result["structuredContent"]
        if answer.startswith("! "):
            assert result["isError"] is True, call
            assert told["error"] == answer[2:], told
            return
        assert result["isError"] is False, (call, told)
        self._compare(json.loads(answer), told, call)

    def _with_ids(self, text: str) -> str:
        for name, meant in self._meant.items():
            text = text.replace(f'"{name}"', f'"{meant}"')
        return text

    def _compare(self, shown: Any, told: Any, call: str) -> None:
        """Everything that is shown is there; a name that is new stands for what is there from now on."""
        if isinstance(shown, dict):
            for name, value in shown.items():
                assert name in told, (call, name, told)
                self._compare(value, told[name], call)
        elif isinstance(shown, list):
            assert len(shown) == len(told), (call, shown, told)
            for one, other in zip(shown, told, strict=True):
                self._compare(one, other, call)
        elif isinstance(shown, str) and shown.startswith("$"):
            assert self._meant.setdefault(shown, told) == told, (call, shown, told)
        else:
            assert shown == told, (call, shown, told)


def test_the_transcript_of_the_guide_is_what_happens(store: Store) -> None:
    lines = [line for block in _BLOCK.findall(GUIDE.read_text()) for line in block.splitlines()]
    play = Play(Office(World(store=store)))

    for call, answer in zip(lines[::2], lines[1::2], strict=True):
        play.act(call, answer)

    assert len(lines) > 40
