"""What an agent owes that is no work on an issue: a verdict, the steps of a plan, a reply in a chat.

It says that in its last message, whatever kind of agent it is, and the worker hands it in under its own key.
"""

import re
from typing import Any

from forge.cli.worker.agents.protocol import Outcome
from forge.cli.worker.runs.crews import Crew
from forge.cli.worker.runs.engagements import Engagement
from forge.cli.worker.server.client import FOR_EVER, Body
from forge.jsontext import BadJson, decode

JUDGE, PLAN, CHAT = "plans.recordVerdict", "plans.addSteps", "chat.appendMessage"
_VERDICT = re.compile(r"\b(PASS|FAIL)\b")
_BLOCK = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)
_LONGEST_FEEDBACK, _LONGEST_REPLY = 20_000, 16_000


class NotGiven(Exception):
    """Its last message does not hold what is owed; this says what it has to hold."""


def begin(crew: Crew, run: Engagement) -> None:
    """Whoever waits sees that it is begun, and no other worker of the agent begins it, too."""
    if run.journal.fact("called"):
        first = {"runId": run.run_id, "currentStep": "Begun", "onlyIfCalled": True}
        run.journal.say(crew.server, "take up", "runs.resumeWork", first)
    if run.duty.get("tool") == CHAT and not run.journal.fact("draft"):
        thread = run.duty["arguments"]
        draft = crew.server.call("chat.startDraft", thread, once=run.run_id, patience=FOR_EVER)
        run.journal.note(draft=draft["draftId"])


def hand_in(crew: Crew, run: Engagement, outcome: Outcome) -> None:
    """What Forge refuses is raised, as what was not given is."""
    told = outcome.text or (
        f"{outcome.question.title}\n\n{outcome.question.body}" if outcome.question else ""
    )
    for number, (tool, arguments) in enumerate(owed(run, crew.mask()(told).strip())):
        name = f"{tool} {run.journal.fact('rounds', 0)}.{number}"
        run.journal.say(crew.server, name, tool, arguments)


def owed(run: Engagement, text: str) -> list[tuple[str, Body]]:
    """The calls by which it is given, in their order."""
    tool, named = run.duty["tool"], run.duty["arguments"]
    match tool:
        case _ if not text:
            raise NotGiven("Your last message was empty: it has to be what you were asked for.")
        case "plans.recordVerdict":
            return [(tool, {**named, "verdict": _verdict_in(text), "feedback": text[:_LONGEST_FEEDBACK]})]
        case "plans.addSteps":
            return [(tool, {**named, "steps": _steps_in(text)}), ("plans.requestApproval", named)]
        case "chat.appendMessage":
            draft = {**named, "draftId": run.journal.fact("draft")}
            return [("chat.finalizeDraft", {**draft, "body": text[:_LONGEST_REPLY]})]
    raise NotGiven(f"A worker does not know how {tool} is done.")


def _verdict_in(text: str) -> str:
    found = _VERDICT.findall(text)
    if not found:
        raise NotGiven("End your message with a line that says PASS or FAIL.")
    return str(found[-1])


def _steps_in(text: str) -> list[Any]:
    blocks = _BLOCK.findall(text) or [text]
    try:
        found = decode(blocks[-1].strip())
    except BadJson as problem:
        raise NotGiven(f"End your message with the steps as a block of JSON: {problem}.") from None
    steps = found.get("steps") if isinstance(found, dict) else found
    if not isinstance(steps, list) or not steps:
        raise NotGiven('The JSON has to be {"steps": [{"title": …}, …]}, with one step at least.')
    return steps
