"""Refuses the end of a session while its agent has a live run without a status."""

import json
import sys

from forge_calls import call

MOST = 5
"""Runs that are looked at: whoever works on more has said something of the others."""


def is_silent(run):
    """How live runs go stands before all other comments of an issue; what can't be read is no reason."""
    asked = {"issueId": run["issue"]["id"], "limit": 20, "fields": ["kind", "runId"]}
    comments = call("comments.list", asked)
    said = {one.get("runId") for one in comments["data"] if one["kind"] == "STATUS"} if comments else None
    return said is not None and run["id"] not in said


def main():
    try:
        told = json.load(sys.stdin)
    except ValueError:
        told = {}
    if told.get("stop_hook_active"):
        # It was refused once already: twice would never end.
        return
    me = call("agents.me", {})
    runs = me and call("runs.list", {"agentId": me["id"], "status": "ACTIVE"})
    silent = [run for run in (runs or {}).get("data", [])[:MOST] if is_silent(run)]
    if not silent:
        return
    named = ", ".join(f"{run['issue']['identifier']} ({run['id']})" for run in silent)
    reason = (
        f"Nobody knows how your run on {named} goes. Say where you are with comments_upsertStatus "
        '{"issueId": "...", "body": "..."}; or end it: runs_complete with a summary if it is done, '
        "runs_setWaiting if somebody must decide, issues_release if you give it up."
    )
    json.dump({"decision": "block", "reason": reason}, sys.stdout)


if __name__ == "__main__":
    main()
