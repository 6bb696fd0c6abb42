"""State that people decide about: a tool that can change some says which, and who may.

From these declarations comes the page that lists every way to change such state, and the test that tries each
with every kind of key that may not decide.
"""

from dataclasses import dataclass
from enum import StrEnum


class Guarded(StrEnum):
    """What somebody has to decide about."""

    REQUEST = "action request"
    PLAN = "plan"
    STEP = "step"
    GATE = "review gate"
    PIPELINE = "pipeline"
    GATED_RUN = "run of the gateway"
    CREW = "crew"


class Decider(StrEnum):
    """Who may, in the words of the reference."""

    ASKED = "whom it is for, people who watch its issue, owners and admins; no agent"
    ASKED_OR_ASKER = "who may accept it; who asked may only withdraw it, or ask again what they withdrew"
    VOTER = "people, once each"
    ASKER = "who asked"
    STARTER = (
        "people and the crew's OPERATOR_PROXY; other agents once one of those approved of the steps, or where"
        " `plansNeedAPerson` is off; while people are asked about it, only who may decide that"
    )
    ENDER = (
        "anybody, unless people are asked about it: then who may decide that, or who asked them; and at open"
        " review gates who may decide there"
    )
    WORKER = (
        "anybody may begin with it and bring it to its review; people and the crew's OPERATOR_PROXY end it,"
        " an agent only where nobody judges it; what is BLOCKED leaves by its review gate"
    )
    JUDGE = "the judge that was called, a REVIEWER of the crew, its OPERATOR_PROXY, and people"
    APPOINTER = "anybody; nobody names who did the step, no agent itself, where the crew has another REVIEWER"
    GATEKEEPER = (
        "owners and admins, who has the gate's requiredRole, and where it has none people and the crew's"
        " OPERATOR_PROXY; an agent decides at no gate of its own, unless it is that"
    )
    ANSWERER = "people answer what is asked of people; agents do where `checkpointsNeedAPerson` is off"
    FOUNDER = "keys with ADMIN; who is OPERATOR_PROXY or REVIEWER is given and taken by people"


@dataclass(frozen=True, slots=True)
class Guard:
    """What a tool can change, and who may; `by` is None where nothing is settled by it, and `why` says so."""

    by: Decider | None
    states: tuple[Guarded, ...]
    why: str = ""


def decided_by(by: Decider, *states: Guarded) -> Guard:
    return Guard(by, states)


def settles_nothing(why: str, *states: Guarded) -> Guard:
    return Guard(None, states, why)
