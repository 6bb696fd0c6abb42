"""Calls of those who make what the console shows."""

from dataclasses import dataclass
from typing import Any

from tests.integration.cli.dev_process import Dev


@dataclass(frozen=True, slots=True)
class Seeder:
    dev: Dev

    def call(self, who: str, tool: str, surface: str = "mcp", **arguments: Any) -> Any:
        keys = self.dev.description["keys"]
        key = keys["agents"].get(who) or keys[who]
        answer = self.dev.call(tool, arguments, key=key, surface=surface)
        assert answer.status_code == 200, f"{tool}: {answer.text}"
        return answer.json()
