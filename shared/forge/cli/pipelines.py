"""`forge pipeline`: begin one, see how far it is, answer what it asks, and read what its agents wrote."""

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

import typer

from forge.cli.calls import (
    BadArguments,
    Connection,
    Refused,
    call_tool,
    ending,
    err,
    moment,
    out,
    printable,
    say,
    show_text,
)
from forge.cli.driving.orchestrator import effort_line
from forge.work.pipelines.phases import BY_ID, COMPLETED, ORDER, SETUP

Row = Mapping[str, Any]

STOPPED = 130
"""What a program ends with that was stopped with Ctrl-C."""

_SHORTEST, _LONGEST, _GROWTH = 1.0, 15.0, 1.5
"""Seconds between two looks: soon after a change, then less and less often."""
_MOST_FAILURES = 5


def start(at: Connection, text: str, *, effort: str, auto: bool, nopr: bool) -> int:
    return ending(lambda: _start(at, text, effort=effort, auto=auto, nopr=nopr))


def show(at: Connection, workspace: str, *, as_json: bool) -> int:
    def look() -> None:
        stands = _stands(at, workspace)
        if as_json:
            out.print_json(json.dumps(stands))
        else:
            _show(stands)

    return ending(look)


def listed(at: Connection, *, status: str, mine: bool) -> int:
    def look() -> None:
        asked: dict[str, Any] = {"mine": mine, "limit": 100} | ({"status": status} if status else {})
        rows = call_tool(at, "pipeline_list", asked)["data"]
        for row in rows:
            stands = f"{row['effort']} {_label(row['current_phase'])}: {row['status']}"
            say(f"{moment(row['updated_at'])} {row['workspace']}  {stands}  {row['title']}")
        if not rows:
            say("None.")

    return ending(look)


def answer(at: Connection, workspace: str, option: str, *, feedback: str) -> int:
    return ending(lambda: _answer(at, workspace, option, feedback=feedback))


def read(at: Connection, workspace: str, artifact: str, *, version: int | None) -> int:
    def fetch() -> None:
        order = {"workspace": workspace, "name": artifact, **({"version": version} if version else {})}
        for line in call_tool(at, "pipeline_get_artifact", order)["content"].splitlines():
            say(line.expandtabs(4))

    return ending(fetch)


def watch(at: Connection, workspace: str, *, pause: Callable[[float], object] = time.sleep) -> int:
    try:
        return ending(lambda: _watch(at, workspace, pause))
    except KeyboardInterrupt:
        say("Stopped watching; the pipeline goes on.")
        return STOPPED


def _start(at: Connection, text: str, *, effort: str, auto: bool, nopr: bool) -> None:
    flags = [f"--effort={effort}"] * bool(effort) + ["--auto"] * auto + ["--nopr"] * nopr
    found = call_tool(at, "pipeline_init", {"arguments": " ".join([text, *flags])})
    if "errors" in found:
        raise BadArguments(found["errors"][0])
    if "resume_mode" in found:
        raise BadArguments(f"That is a pipeline already: forge pipeline show {found['workspace']}")
    if "fetch_needed" in found:
        raise BadArguments(
            "What an issue says has to be fetched first, which an agent host does; here, give its text."
        )
    known = {"workspace": found["workspace"], "flags": found["flags"], "task_text": found["core_text"]}
    # Its questions are for a conversation; who types a text has said what they want.
    known["flags"]["discuss"] = False
    asked = call_tool(at, "pipeline_init_with_context", known)["needs_user_confirmation"]
    if "estimate_display" in asked:
        say(asked["estimate_display"])
    chosen = effort or _chosen(asked)
    confirmed = {"effort": chosen, "enriched_request_body": asked.get("enriched_request_body")}
    ready = call_tool(at, "pipeline_init_with_context", known | {"user_confirmation": confirmed})
    say(f"Begun {ready['workspace']} with effort {ready['effort']}, branch {ready['branch'] or 'as it is'}.")
    if ready["skipped_phases"]:
        say(f"Skipped: {', '.join(_label(phase) for phase in ready['skipped_phases'])}.")
    say("")
    say(f"forge pipeline watch {ready['workspace']}")
    say("It goes on when an agent host drives it: docs/guides/pipeline.md has one.")


def _chosen(asked: Row) -> str:
    for option in asked["effort_options"].items():
        say(f"  {effort_line(option)}")
    return str(typer.prompt("Effort", default=asked["detected_effort"]))


def _answer(at: Connection, workspace: str, option: str, *, feedback: str) -> None:
    open_question = _question(_stands(at, workspace))
    if open_question is None:
        raise BadArguments(f"Nothing waits for an answer: forge pipeline show {workspace}")
    said = {"user_response": option, "previous_action_id": open_question["action_id"]}
    said |= {"user_feedback": feedback} if feedback else {}
    now = call_tool(at, "pipeline_next_action", {"workspace": workspace, **said})
    if now.get("warning"):
        err.print(printable(now["warning"]), markup=False)
    if now.get("still_waiting"):
        raise BadArguments(f"It still waits: {', '.join(now['options'])}.")
    say(f"{workspace} goes on: {now.get('display_message') or now.get('summary') or now['current_phase']}")


def _watch(at: Connection, workspace: str, pause: Callable[[float], object]) -> None:
    stands, seen, wait = _stands(at, workspace), "", _SHORTEST
    # On a terminal a line shows that it is still alive; elsewhere there are only the changes.
    with out.status("") as alive:
        waited = 0.0
        while True:
            phase = str(stands["currentPhase"])
            if phase != seen:
                say(f"{moment(stands['lastUpdated'])} {_label(phase)}")
                seen, wait, waited = phase, _SHORTEST, 0.0
            if _question(stands) or stands["currentPhaseStatus"] in (COMPLETED, "abandoned"):
                break
            alive.update(f"{_label(phase)}: {int(waited)} s, {_spent(stands)}")
            pause(wait)
            waited, wait = waited + wait, min(wait * _GROWTH, _LONGEST)
            stands = _stands_at_last(at, workspace, pause)
    _show(stands)


def _stands_at_last(at: Connection, workspace: str, pause: Callable[[float], object]) -> Row:
    """Who watches for an hour outlives a minute without a network."""
    for _ in range(_MOST_FAILURES):
        try:
            return _stands(at, workspace)
        except BadArguments:
            pause(_LONGEST)
        except Refused as refused:
            if not refused.answer.get("retryable"):
                raise
            pause(_LONGEST)
    return _stands(at, workspace)


def _stands(at: Connection, workspace: str) -> Row:
    return call_tool(at, "state_resume_info", {"workspace": workspace})


def _question(stands: Row) -> Row | None:
    due: Row | None = stands["pendingAction"]
    return due if due and due.get("options") else None


def _show(stands: Row) -> None:
    workspace = stands["workspace"]
    say(f"{stands['specName']} ({workspace})")
    branch = f", branch {stands['branch']}" if stands["branch"] else ""
    say(f"Effort {stands['effort']}{branch}, last change {moment(stands['lastUpdated'])}")
    say(strip(stands))
    say(f"{_label(stands['currentPhase'])}: {stands['currentPhaseStatus']}; {_spent(stands)}")
    if stands["totalTasks"]:
        still_open = f", open: {', '.join(stands['pendingTasks'])}" if stands["pendingTasks"] else ""
        skipped = f", skipped: {', '.join(stands['skippedTasks'])}" if stands["skippedTasks"] else ""
        say(f"Tasks: {len(stands['completedTasks'])} of {stands['totalTasks']} done{still_open}{skipped}")
    if stands["error"]:
        say(f"Failed last: {stands['error']['message']}")
    due, asked = stands["pendingAction"], _question(stands)
    if asked:
        show_text(asked["present_to_user"])
        for option in asked["options"]:
            say(f"forge pipeline answer {workspace} {option}")
    elif due:
        say(f"At work: {_work(due)}")


def strip(stands: Row) -> str:
    """Every phase with a sign: done ✓, skipped –, current ▶, given up ✗, to come ·."""
    skipped = {*stands["skippedPhases"], *stands["passedOver"]}
    ended = {COMPLETED: "✓", "abandoned": "✗"}
    signs = []
    for phase in ORDER:
        if phase in (SETUP, COMPLETED):
            continue
        sign = "✓" if phase in stands["completedPhases"] else "·"
        if phase in skipped:
            sign = "–"
        if phase == stands["currentPhase"]:
            sign = ended.get(stands["currentPhaseStatus"], "▶")
        signs.append(f"{sign} {phase.removeprefix('phase-')}")
    return "  ".join(signs)


def _work(due: Row) -> str:
    if due["type"] != "spawn_agent":
        return " ".join(due.get("commands") or [due.get("path", due["type"])])
    tasks = due["parallel_task_ids"]
    return f"{due['agent']} on tasks {', '.join(tasks)}" if tasks else f"{due['agent']}: {due['output_file']}"


def _spent(stands: Row) -> str:
    return f"{stands['totalTokens']:,} tokens, about {stands['estimatedCostUsd']:.2f} USD so far"


def _label(phase: str) -> str:
    """Of a phase that only a newer Forge knows, its id."""
    known = BY_ID.get(phase)
    return known.title if known else phase
