"""Attempts to decide what people are asked, by all who may not: for each guarded tool, where it would count.

An attempt prepares what is open, and says who of everybody may decide that.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tests.contract.courts import Court
from tests.contract.samples.pipeline import at_a_checkpoint
from tests.contract.stage import Arguments

AGENTS = ("planner", "worker", "proxy", "stranger", "foreign proxy")
EVERYBODY = (*AGENTS, "run", "bystander", "narrowed", "readonly")
"""With the key of a run; of people, one whom nobody asked, and keys that are narrowed or only read."""
PEOPLE, CREW = frozenset({"bystander"}), frozenset({"bystander", "proxy"})


@dataclass(frozen=True, slots=True)
class Attempt:
    tool: str
    prepare: Callable[[Court], Arguments]
    what: str = ""
    may: frozenset[str] = frozenset()
    """Who of everybody may decide this, after all."""
    by: str | None = "owner"
    """Who then decides, so that there was something to decide; None where nobody may like this."""

    def __str__(self) -> str:
        return f"{self.tool} {self.what}".strip()


def _asked(tool: str, **more: object) -> Attempt:
    return Attempt(tool, lambda court: {"id": court.request(), **more}, by="asked")


def _settled(status: str, *may: str) -> Attempt:
    order = {"status": status}
    return Attempt(
        "actionRequests.transition",
        lambda court: {"id": court.request(), **order},
        f"to {status}",
        frozenset(may),
        "asked",
    )


def _moved(status: str, what: str, plan: Callable[[Court], str], may: Iterable[str] = ()) -> Attempt:
    return Attempt(
        "executionPlans.transition",
        lambda court: {"id": plan(court), "status": status},
        f"to {status} {what}",
        frozenset(may),
    )


ADMINS = {"requiredRole": "ADMIN"}
_ASKED_ABOUT = "where somebody is asked"
_AT_A_GATE = "at a gate for admins"

ATTEMPTS = (
    _asked("actionRequests.accept"),
    _asked("actionRequests.decline"),
    *(_settled(status) for status in ("RESOLVED", "REJECTED", "SNOOZED")),
    _settled("DISMISSED", "planner"),
    Attempt(
        "actionRequests.vote",
        lambda court: {
            "id": court.request(options=[{"key": "a", "label": "A"}, {"key": "b", "label": "B"}]),
            "optionKey": "a",
        },
        may=PEOPLE,
    ),
    Attempt(
        "actionRequests.closeVoting",
        lambda court: {
            "id": court.request(by="asked", options=[{"key": "a", "label": "A"}, {"key": "b", "label": "B"}])
        },
        by="asked",
    ),
    Attempt("plans.activate", lambda court: {"planId": court.draft()}, may=CREW),
    Attempt("plans.activate", lambda court: {"planId": court.asked_about()}, _ASKED_ABOUT, by="asked"),
    Attempt(
        "plans.requestApproval",
        lambda court: {"planId": court.asked_about()},
        "of somebody else",
        frozenset({"planner"}),
    ),
    Attempt(
        "plans.decompose",
        lambda court: {"goalId": court.asked_about() and court.goal_id},
        _ASKED_ABOUT,
        frozenset({"planner"}),
    ),
    Attempt("plans.decompose", lambda court: {"goalId": court.gate(**ADMINS) and court.goal_id}, _AT_A_GATE),
    Attempt(
        "goals.abandon",
        lambda court: {"id": court.asked_about() and court.goal_id},
        _ASKED_ABOUT,
        frozenset({"planner"}),
    ),
    Attempt("goals.abandon", lambda court: {"id": court.gate(**ADMINS) and court.goal_id}, _AT_A_GATE),
    Attempt(
        "goals.attachPlan",
        lambda court: {
            "planId": court.asked_about() and court.another_plan(),
            "goalId": court.goal_id,
            "makeActive": True,
        },
        _ASKED_ABOUT,
        frozenset({"planner"}),
    ),
    Attempt(
        "goals.attachPlan",
        lambda court: {
            "planId": court.gate(**ADMINS) and court.another_plan(),
            "goalId": court.goal_id,
            "makeActive": True,
        },
        _AT_A_GATE,
    ),
    Attempt(
        "executionPlans.create",
        lambda court: {"title": "P", "goalId": court.goal_id, "status": "APPROVED"},
        may=CREW,
    ),
    _moved("APPROVED", "", Court.draft, CREW),
    _moved("APPROVED", _ASKED_ABOUT, Court.asked_about),
    _moved("CANCELED", _ASKED_ABOUT, Court.asked_about, ["planner"]),
    _moved("CANCELED", _AT_A_GATE, lambda court: court.gate(**ADMINS)[0]),
    _moved("RUNNING", "after it was stopped", Court.stopped, CREW),
    _moved("RUNNING", _AT_A_GATE, lambda court: court.stopped(**ADMINS)),
    _moved("COMPLETED", _AT_A_GATE, lambda court: court.stopped(**ADMINS)),
    Attempt(
        "executionPlans.transitionStep",
        lambda court: {"stepId": court.running()[1], "status": "DONE"},
        may=CREW,
    ),
    Attempt(
        "executionPlans.transitionStep",
        lambda court: {"stepId": court.gate(**ADMINS)[1], "status": "DONE"},
        _AT_A_GATE,
    ),
    Attempt(
        "executionPlans.transitionStep",
        lambda court: {"stepId": court.gate(**ADMINS)[1], "status": "RUNNING"},
        "away from its gate",
    ),
    Attempt(
        "executionPlans.transitionStep",
        lambda court: {"stepId": court.gate("BLOCKED")[1], "status": "READY"},
        "that is BLOCKED",
        by=None,
    ),
    Attempt(
        "plans.judge",
        lambda court: {"stepId": court.running()[1], "judgeAgentId": court.agents["worker"]},
        "by who does it",
        by=None,
    ),
    Attempt(
        "plans.recordVerdict",
        lambda court: {"stepId": _to_judge(court), "verdict": "PASS", "feedback": "It is."},
        may=CREW,
        by="reviewer",
    ),
    Attempt(
        "plans.recordVerdict",
        lambda court: {"stepId": court.gate(**ADMINS)[1], "verdict": "FAIL", "feedback": "It is not."},
        _AT_A_GATE,
    ),
    Attempt("reviewGates.resolve", lambda court: {"id": court.gate()[2], "decision": "APPROVED"}, may=CREW),
    Attempt(
        "reviewGates.resolve",
        lambda court: {"id": court.gate(**ADMINS)[2], "decision": "CANCELED"},
        _AT_A_GATE,
    ),
    Attempt("gateway.approve", Court.planned_run, may=PEOPLE),
    Attempt("gateway.reset", Court.planned_run, may=PEOPLE),
    Attempt(
        "pipeline_next_action",
        lambda court: {"workspace": at_a_checkpoint(court.stage), "user_response": "proceed"},
        may=PEOPLE,
    ),
    Attempt("pipeline_abandon", lambda court: {"workspace": at_a_checkpoint(court.stage)}, may=PEOPLE),
)


def _to_judge(court: Court) -> str:
    _, step_id = court.running()
    court.call("executionPlans.transitionStep", {"stepId": step_id, "status": "REVIEW"})
    return step_id


def _of_crew(tool: str, prepare: Callable[[Court], Arguments]) -> Attempt:
    # A crew belongs to no project, and all who administer keep it.
    return Attempt(tool, prepare, may=frozenset({"bystander", "narrowed"}))


ATTEMPTS += (
    _of_crew(
        "agentCrews.create",
        lambda court: {
            "name": "Ours",
            "members": [{"agentId": court.agents["stranger"], "role": "OPERATOR_PROXY"}],
        },
    ),
    _of_crew(
        "agentCrews.addMember",
        lambda court: {
            "crewId": court.crew["id"],
            "agentId": court.agents["stranger"],
            "role": "OPERATOR_PROXY",
        },
    ),
    _of_crew(
        "agentCrews.setMemberRole",
        lambda court: {"memberId": court.members["WORKER"], "role": "OPERATOR_PROXY"},
    ),
    _of_crew("agentCrews.removeMember", lambda court: {"memberId": court.members["REVIEWER"]}),
    _of_crew("agentCrews.archive", lambda court: {"id": court.crew["id"]}),
)
