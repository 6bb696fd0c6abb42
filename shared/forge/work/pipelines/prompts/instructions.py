"""The instructions of each agent, as they are shipped."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

AGENTS = (
    "situation-analyst",
    "investigator",
    "situation-analyst-investigator",
    "architect",
    "design-reviewer",
    "task-decomposer",
    "task-reviewer",
    "implementer",
    "impl-reviewer",
    "comprehensive-reviewer",
    "verifier",
)

NUMBER = "{N}"
_PLACE = re.compile(r"\{(?:workspace|branch|spec-name|N)\}")


def instructions_of(agent: str) -> str | None:
    """None of an agent that nobody has written any for."""
    return _text(agent) if agent in AGENTS else None


def filled_in(text: str, values: Mapping[str, str]) -> str:
    """In one pass, so that what is filled in is never taken for a place; unknown places stay."""
    return _PLACE.sub(lambda found: values.get(found[0], found[0]), text)


@cache
def _text(agent: str) -> str:
    file = files("forge.work.pipelines.prompts") / "agents" / f"{agent}.md"
    return file.read_text(encoding="utf-8").strip()
