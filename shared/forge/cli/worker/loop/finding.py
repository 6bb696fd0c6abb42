"""Taking work: what is called for in the inbox first, then the best of the queue."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from forge.cli.worker.runs.crews import Crew
from forge.cli.worker.runs.engagements import Engagement, begin
from forge.cli.worker.server.client import Body, Refused

_MOST_HELD = 50
_CALLED = ("run", "mention", "toJudge", "toPlan")
_CLAIM_MINUTES = 240


def find_work(crew: Crew, runs: Path, known: Collection[str]) -> Engagement | None:
    """One thing to do, begun here; nothing where nothing waits. `known` are the runs of this folder."""
    return _from_inbox(crew, runs, known) or _from_queue(crew, runs, known)


def _from_queue(crew: Crew, runs: Path, known: Collection[str]) -> Engagement | None:
    wanted = {"include": "bundle", "claimTtlMinutes": _CLAIM_MINUTES, "holding": [*known][:_MOST_HELD]}
    try:
        answer = crew.server.call("issues.claim", wanted)
    except Refused as refused:
        if refused.code == "mode_forbidden":
            # It has another kind of work, which comes first.
            return None
        raise
    return _begun(runs, answer, known)


def _from_inbox(crew: Crew, runs: Path, known: Collection[str]) -> Engagement | None:
    for row in crew.server.call("agent.inbox", {})["data"]:
        arguments: dict[str, Any] = row["call"]["arguments"]
        run_id = arguments.get("runId")
        if row["what"] in _CALLED and run_id and run_id not in known:
            found = _called(crew, runs, row, arguments, known)
            if found:
                return found
    return None


def _called(crew: Crew, runs: Path, row: Body, arguments: Body, known: Collection[str]) -> Engagement | None:
    bundle = crew.server.call("agent.context.bundle", arguments)
    issue, duty = bundle["issue"], (row.get("then") or {}).get("tool", "")
    if _is_claimable(bundle):
        if issue.get("claimedByAgentId"):
            # Another worker of this agent has it; what it leaves comes through the queue.
            return None
        wanted = {"issueId": issue["id"], "include": "bundle", "claimTtlMinutes": _CLAIM_MINUTES}
        return _begun(runs, crew.server.call("issues.claim", wanted), known)
    run_id = str(arguments["runId"])
    crew.server.call("runs.resumeWork", {"runId": run_id, "currentStep": "Begun"})
    run = begin(runs, run_id, bundle)
    run.journal.note(duty=duty)
    return run


def _begun(runs: Path, answer: Body, known: Collection[str]) -> Engagement | None:
    """On the disk at once; before that, Forge gives it back to whoever asks as this worker."""
    run_id = answer.get("runId")
    if not answer.get("claimed") or not run_id or run_id in known:
        return None
    return begin(runs, str(run_id), answer["bundle"])


def _is_claimable(bundle: Body) -> bool:
    """Work on the issue itself; a step of a plan is given out by its plan."""
    return bundle["runProtocol"]["engagementMode"] == "EXECUTE" and not bundle.get("step")
