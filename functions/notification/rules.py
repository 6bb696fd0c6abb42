"""Which kinds of event there are to hear of."""

from forge.contract.names import closest
from forge.errors import InvalidInput
from forge.work.record.log.kinds import EventKind

# What the watchdogs, goals, plans and chats will tell of: a preference may be there before the first event.
_TO_COME = frozenset(
    [
        "AGENT_NOACK",
        "AGENT_RUN_BUDGET_BREACHED",
        "AGENT_RUN_BUDGET_WARNING",
        "AGENT_RUN_STALLED",
        "CHAT_MESSAGE_POSTED",
        "EXECUTION_STEP_JUDGED",
        "EXECUTION_STEP_READY",
        "GOAL_CREATED",
        "GOAL_STATUS_CHANGED",
        "ISSUE_SLA_BREACH",
        "ISSUE_STALLED",
        "PLAN_BUDGET_EXCEEDED",
        "PLAN_STALLED",
    ]
)
KNOWN_KINDS = tuple(sorted(_TO_COME.union(EventKind)))


def known_kind(given: str) -> str:
    """The kind of event that is meant, in whatever case; an unknown one is told the closest."""
    wanted = given.strip().upper().replace("-", "_").replace(" ", "_")
    if wanted in KNOWN_KINDS:
        return wanted
    near = closest(wanted, KNOWN_KINDS)
    advice = f"Closest: {', '.join(near)}." if near else f"There are: {', '.join(KNOWN_KINDS)}."
    raise InvalidInput(
        "Unknown kind of event.", issues={"eventKind": f"Unknown kind {given[:60]!r}. {advice}"}
    )
