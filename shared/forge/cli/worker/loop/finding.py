"""Taking work: what is called for in the inbox first, then the best of the queue."""

import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from forge.cli.worker.runs.crews import Crew
from forge.cli.worker.runs.engagements import RUN, Ending, Engagement, begin, find
from forge.cli.worker.server.client import Body, Refused

_MOST_HELD = 50
_WITH_RUN = ("run", "mention", "toJudge", "toPlan")
_WITHOUT_RUN = ("chat", "toJudge", "toPlan")
_CLAIM_MINUTES = 240


def find_work(crew: Crew, runs: Path, known: Collection[str]) -> Engagement | None:
    """One thing to do, begun here; nothing where nothing waits. `known` are the runs of this folder."""
    return _from_inbox(crew, runs, known) or _from_queue(crew, runs, known)


def _from_queue(crew: Crew, runs: Path, known: Collection[str]) -> Engagement | None:
    holding = [one for one in known if one.startswith(RUN)]
    wanted = {"include": "bundle", "claimTtlMinutes": _CLAIM_MINUTES, "holding": holding[:_MOST_HELD]}
    try:
        answer = crew.server.call("issues.claim", wanted)
    except Refused as refused:
        if refused.code == "mode_forbidden":
            # It has another kind of work, which comes first.
            return None
        raise
    return _begin_claimed(runs, answer, known)


def _from_inbox(crew: Crew, runs: Path, known: Collection[str]) -> Engagement | None:
    for row in crew.server.call("agent.inbox", {})["data"]:
        with suppress(Refused):
            # Whatever is wrong with this one, others wait behind it.
            if found := _from_row(crew, runs, row, known):
                return found
    return None


def _from_row(crew: Crew, runs: Path, row: Body, known: Collection[str]) -> Engagement | None:
    run_id = row["call"]["arguments"].get("runId")
    if row["what"] in _WITH_RUN and run_id:
        is_others = run_id in known or _was_lost(runs, run_id, row["since"])
        return None if is_others else _take_run(crew, runs, row, known)
    return _take_errand(crew, runs, row) if row["what"] in _WITHOUT_RUN else None


def _was_lost(runs: Path, run_id: str, called: str) -> bool:
    """To another machine that was called for it, too, and is at it: some rows stay until it is done."""
    found = find(runs, run_id)
    return found is not None and found.ending is Ending.LOST and found.journal.fact("called") == called


def _take_run(crew: Crew, runs: Path, row: Body, known: Collection[str]) -> Engagement | None:
    arguments = row["call"]["arguments"]
    bundle = crew.server.call("agent.context.bundle", arguments)
    issue, goal = bundle["issue"], (bundle.get("plan") or {}).get("goalId")
    if _is_claimable(bundle):
        if issue.get("claimedByAgentId"):
            # Another worker of this agent has it; what it leaves comes through the queue.
            return None
        wanted = {"issueId": issue["id"], "include": "bundle", "claimTtlMinutes": _CLAIM_MINUTES}
        return _begin_claimed(runs, crew.server.call("issues.claim", wanted), known)
    if goal:
        bundle["goal"] = crew.server.call("goals.get", {"id": goal})
    return begin(runs, str(arguments["runId"]), bundle, duty=row.get("then"), called=row["since"])


def _take_errand(crew: Crew, runs: Path, row: Body) -> Engagement | None:
    """What has no run: a person who talks, a step or a goal without an issue. Tried once in a day."""
    (subject,) = [value for name, value in row["then"]["arguments"].items() if name.endswith("Id")]
    name = f"{row['what']}_{subject}_{re.sub('[^0-9]', '', row['since'])}"
    if (runs / name).exists():
        return None
    told = crew.server.call(row["call"]["tool"], row["call"]["arguments"])
    bundle = {
        "issue": {"id": subject, "identifier": row.get("issue") or row["what"], "title": row["title"]},
        "runProtocol": {"engagementMode": "DISCUSS"},
        "asked": told,
    }
    return begin(runs, name, bundle, duty=row["then"])


def _begin_claimed(runs: Path, answer: Body, known: Collection[str]) -> Engagement | None:
    """On the disk at once; before that, Forge gives it back to whoever asks as this worker."""
    run_id = answer.get("runId")
    if not answer.get("claimed") or not run_id or run_id in known:
        return None
    return begin(runs, str(run_id), answer["bundle"])


def _is_claimable(bundle: Body) -> bool:
    """Work on the issue itself; a step of a plan is given out by its plan."""
    return bundle["runProtocol"]["engagementMode"] == "EXECUTE" and not bundle.get("step")
