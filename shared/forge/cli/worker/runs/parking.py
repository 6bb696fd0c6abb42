"""A run that waits for a person: nothing of it is left running, and the answer starts its session again."""

from collections.abc import Sequence

from forge.cli.worker.agents.protocol import End, Outcome, Question
from forge.cli.worker.runs.crews import Crew
from forge.cli.worker.runs.engagements import Engagement
from forge.cli.worker.runs.states import open_request
from forge.cli.worker.server.client import FOR_EVER, Body

_YES = "RESOLVED"
_UNDECIDED = ("OPEN", "SNOOZED")
_LONGEST_TITLE, _LONGEST_BODY, _LONGEST_REASON = 300, 10_000, 500


def park(crew: Crew, run: Engagement, outcome: Outcome, status: str) -> None:
    """Ask, where the child has not asked by itself; say that it waits, and what it is resumed with."""
    journal = run.journal
    number = int(journal.fact("questions", 0)) + 1
    question = outcome.question or _question_of(run, outcome)
    if question and (status != "WAITING" or journal.said(f"ask {number}")):
        arguments = {
            "issueId": run.identifier,
            "title": (question.title or "The agent asks")[:_LONGEST_TITLE],
            "body": (question.body or outcome.text)[:_LONGEST_BODY],
            "severity": "WARNING",
        }
        asked = journal.say(crew.server, f"ask {number}", "actionRequests.create", arguments)
        request_id = str(asked["id"])
    else:
        request_id = open_request(crew.server, run.run_id, run.identifier)
    _wait(crew, run, number, request_id, question.title if question else "Waits for an answer")
    journal.note(
        parked={
            "requestId": request_id,
            "isLimit": outcome.end is End.LIMIT,
            "permission": question.permission if question else "",
        },
        questions=number,
        outcome=None,
    )


def _wait(crew: Crew, run: Engagement, number: int, request_id: str, reason: str) -> None:
    waiting: Body = {"runId": run.run_id, "reason": reason[:_LONGEST_REASON], "blocking": True}
    session = str(run.journal.fact("session", ""))
    resume = {"agent": crew.agent.name, "sessionId": session, "runtimeId": crew.runtime() or None}
    waiting |= {"resume": resume} if session else {}
    waiting |= {"requestId": request_id} if request_id else {}
    run.journal.say(crew.server, f"wait {number}", "runs.setWaiting", waiting)


def waits_on(crew: Crew, run: Engagement) -> bool:
    """Whether it waits again: a word on its issue has woken it, and nobody has decided on its limit yet."""
    parked, number = run.parked or {}, int(run.journal.fact("questions", 0)) + 1
    request_id = str(parked.get("requestId") or "")
    if not parked.get("isLimit") or _card(crew, request_id).get("status") not in _UNDECIDED:
        return False
    _wait(crew, run, number, request_id, "Waits for a decision on its limit")
    run.journal.note(questions=number)
    return True


def take_answer(crew: Crew, run: Engagement) -> None:
    """What was decided: words for the agent, what it may do, and whether it goes on beyond its limit."""
    parked, journal = run.parked or {}, run.journal
    request_id = str(parked.get("requestId") or "")
    is_yes, told = _of_request(crew, request_id) if request_id else (True, _of_comments(crew, run))
    facts: Body = {"parked": None, "words": told, "failures": 0}
    if parked.get("isLimit"):
        more = {"extended": run.extended + 1, "most_tokens": 2 * run.used.usage.tokens}
        facts |= more if is_yes else {"declined": told}
    if is_yes and (permission := parked.get("permission")):
        facts["granted"] = [*journal.fact("granted", ()), permission]
    journal.note(**facts)


def _of_request(crew: Crew, request_id: str) -> tuple[bool, str]:
    card = _card(crew, request_id)
    status, words = str(card.get("status", "")), card.get("resolution") or ""
    crew.server.call("agent.inbox.ack", {"requestId": request_id}, patience=FOR_EVER)
    return status == _YES, f"Your question was answered: {status}. {words}\n\nGo on with your work."


def _card(crew: Crew, request_id: str) -> Body:
    asked = {"id": request_id, "include": ["card"]}
    found: list[Body] = crew.server.call("actionRequests.list", asked, patience=FOR_EVER)["data"]
    return found[0] if found else {}


def _of_comments(crew: Crew, run: Engagement) -> str:
    rows = crew.server.call("comments.list", {"issueId": run.identifier, "limit": 20}, patience=FOR_EVER)[
        "data"
    ]
    said = [row["body"] for row in _of_people(rows)][:3]
    told = "\n\n".join(reversed(said)) or "Go on."
    return f"Your question was answered:\n\n{told}\n\nGo on with your work."


def _of_people(rows: Sequence[Body]) -> list[Body]:
    """The newest first."""
    found = [row for row in rows if row.get("author")]
    return sorted(found, key=lambda row: str(row["createdAt"]), reverse=True)


def _question_of(run: Engagement, outcome: Outcome) -> Question | None:
    if outcome.end is not End.LIMIT:
        return None
    return Question(
        f"{run.identifier} has reached its limit. Shall it go on?",
        f"{outcome.text}\n\nWhat was done is on the branch {run.journal.fact('branch')}."
        " A yes gives it as much again.",
    )
