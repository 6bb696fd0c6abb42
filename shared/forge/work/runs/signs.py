"""Signs of an agent: what its runs on an issue hear of it, and what calls it there again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from forge.contract.terms import EngagementMode
from forge.work.issues.issues import LiveRun
from forge.work.runs.runs import RunItem, RunStatus


@dataclass(frozen=True, slots=True)
class Heard:
    """A run whose agent did something, as it became, and what that was."""

    run: RunItem
    kind: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Touched:
    """A live run that something changes which needs no more of it: it is called again, or its agent seen."""

    live: LiveRun
    fields: Mapping[str, object]
    new_mode: EngagementMode | None = None


def step_left(last: RunItem | None, agent_id: str) -> str | None:
    """The step whose run the agent let stall last: when it comes back, it goes on with that."""
    if last is None or last.agent_id != agent_id or last.status is not RunStatus.STALLED:
        return None
    return last.execution_step_id
