"""Rows of what waits for an agent and is no run: beside the guards of its runs, so that one request has all.

Each follows from another item (a plan, a thread, a request), and is written in the transaction of that one.
"""

from datetime import datetime
from enum import StrEnum

from forge.store.items import DerivedItem
from forge.store.keys import At, Partition


class What(StrEnum):
    """What something in an inbox is."""

    RUN = "run"
    TO_JUDGE = "toJudge"
    TO_PLAN = "toPlan"
    MENTION = "mention"
    CHAT = "chat"
    ANSWER = "answer"


OF_AGENT = Partition("WS#{workspace_id}#AGENT#{agent_id}")
"""What an agent has claimed, its live runs, and what else waits for it."""


class WaitingItem(DerivedItem):
    stored = At(OF_AGENT, "WAITS#{what}#{subject_id}")

    workspace_id: str
    agent_id: str
    what: What
    subject_id: str
    title: str
    since: datetime
    plan_id: str | None = None
    goal_id: str | None = None
    issue_id: str | None = None
