"""Refuses the end of a session while its agent has a live run that Forge has heard nothing of yet."""

import json
import sys

from forge_calls import call


def is_silent(run):
    """Begun, and then nothing: no status, no comment, no change of its issue."""
    return not run["currentStep"] and run["lastEventAt"] <= run["startedAt"]


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
    silent = [run for run in (runs or {}).get("data", []) if is_silent(run)]
    if not silent:
        return
    named = ", ".join(f"{run['issue']['identifier']} ({run['id']})" for run in silent)
    reason = (
        f"Forge has heard nothing of your run on {named}. Say where you are with comments_upsertStatus "
        '{"issueId": "...", "body": "..."}; or end it: runs_complete with a summary if it is done, '
        "runs_setWaiting if somebody must decide, issues_release if you give it up."
    )
    json.dump({"decision": "block", "reason": reason}, sys.stdout)


if __name__ == "__main__":
    main()
