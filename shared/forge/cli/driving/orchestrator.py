"""The loop: asks what is due, has it done, reports it. Started again, it goes on where it was."""

import shlex
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from forge.cli.driving.agents import Work

Body = dict[str, Any]
Call = Callable[[str, Body], Body]  # a tool and its arguments: its answer, or Refused is raised
NEXT = "pipeline_next_action"


def _unseen(action: Body) -> None:
    """Nobody watches."""


class Host(NamedTuple):
    """What only the machine and the person at it can do."""

    spawn: Callable[[str, str], Work]  # the prompt, and the path of its output
    run: Callable[[list[str]], str]  # a command: what went wrong, or nothing
    write: Callable[[str, str], object]  # path, text
    ask: Callable[[Body], tuple[str, str]]  # a question: option and words; no option: answered elsewhere
    fetch: Callable[[Body], Body]  # what is needed of an issue: its fields
    sleep: Callable[[float], object] = time.sleep
    show: Callable[[Body], object] = _unseen  # what is due now, for whoever watches


class Refused(Exception):
    """Forge's error: its code, and what it says."""


def begin(call: Call, host: Host, typed: str, branch: str = "") -> str:
    """The workspace of a new pipeline, or of the one that was named."""
    found = call("pipeline_init", {"arguments": typed, "current_branch": branch})
    if "errors" in found:
        near = [one["workspace"] for one in found.get("candidates", ())]
        raise SystemExit(" ".join([found["errors"][0], *(["- did you mean", *near, "?"] if near else ())]))
    if "resume_mode" in found:
        return str(found["workspace"])
    known: Body = {"workspace": found["workspace"], "flags": found["flags"], "files": "disk"}
    known |= {name: found[name] for name in ("task_text", "source_url", "source_id") if name in found}
    if "fetch_needed" in found:
        known["external_context"] = host.fetch(found["fetch_needed"])
    needed = call("pipeline_init_with_context", known)
    if "needs_discussion" in needed:
        text = "\n".join(needed["needs_discussion"]["questions"])
        _, words = host.ask({"name": "discussion", "present_to_user": text, "options": ["answer"]})
        needed = call("pipeline_init_with_context", known | {"discussion_answers": words or "None"})
    confirmed = _confirmed(host, needed["needs_user_confirmation"], found["flags"])
    return str(call("pipeline_init_with_context", known | {"user_confirmation": confirmed})["workspace"])


def _confirmed(host: Host, asked: Body, flags: Body) -> Body:
    """What the person says; what they have said with a flag they are not asked."""
    effort = flags["effort_override"]
    if not effort:
        text = "\n".join(
            [*map(effort_line, asked["effort_options"].items()), asked.get("estimate_display", "")]
        )
        effort, words = host.ask(
            {"name": "effort", "present_to_user": text, "options": [*asked["effort_options"]]}
        )
        effort = f"{effort or asked['detected_effort']} {words}".strip()
    confirmed = {"effort": effort, "enriched_request_body": asked.get("enriched_request_body", "")}
    if not asked["is_main_branch"]:
        text = f"Work on a new branch, or on {asked['current_branch']}?"
        option, _ = host.ask({"name": "branch", "present_to_user": text, "options": ["new", "current"]})
        confirmed["use_current_branch"] = option == "current"
    if asked.get("needs_workspace_slug"):
        text = "What shall it be called, in two to five English words?"
        _, confirmed["workspace_slug"] = host.ask(
            {"name": "slug", "present_to_user": text, "options": ["name"]}
        )
    return confirmed


def effort_line(option: tuple[str, Body]) -> str:
    """What choosing it means, for a person."""
    effort, told = option
    skipped = ", ".join(one["label"] for one in told["skipped_phases"]) or "nothing"
    return f"{effort} skips {skipped}{' (recommended)' if told['recommended'] else ''}"


def drive(call: Call, host: Host, workspace: str) -> Body:
    """From wherever the pipeline stands to its end."""
    stands = call("state_resume_info", {"workspace": workspace})
    if stands["currentPhase"] == "phase-1" and stands["branch"] and not stands["useCurrentBranch"]:
        host.run(["sh", "-c", 'git checkout "$0" || git checkout -b "$0"', stands["branch"]])
    action, refusals = call(NEXT, {"workspace": workspace}), 0
    while action["type"] != "done":
        host.show(action)
        try:
            said = _carry_out(call, host, workspace, action)
            action, refusals = call(NEXT, {"workspace": workspace, **said}), 0
        except Refused as refused:
            refusals += 1
            if refused.args[0] not in ("conflict", "precondition_failed") or refusals > 3:
                raise
            action = call(NEXT, {"workspace": workspace})  # the same one, unless somebody was faster
            if refused.args[0] == "precondition_failed" and "prompt" in action:
                action["refused"] = refused.args[1]
                for told in (action, *action.get("parallel_tasks", ())):
                    told["prompt"] += f"\nWhat you handed in before was refused: {refused.args[1]}\n"
    return action


def _carry_out(call: Call, host: Host, workspace: str, action: Body) -> Body:
    """Have it done; what to report of it then. A report that quotes its action counts once."""
    began = time.monotonic()
    done: Body = {"previous_action_complete": True, "previous_action_id": action.get("action_id")}
    match action["type"]:
        case "checkpoint" | "human_gate":
            return _answer(call, host, workspace, action)
        case "spawn_agent":
            done |= _spawn(call, host, workspace, action)
        case "write_file":
            host.write(action["path"], action["content"])
        case "exec":
            _bring(call, host, workspace, ["summary.md"] if action["phase"] == "final-commit" else [])
            if wrong := host.run(action["commands"]):
                told = [{"severity": "CRITICAL", "description": wrong[:2000]}]
                call(NEXT, {"workspace": workspace, **done, "verdict": "FAIL", "findings": told})
                raise SystemExit(f"{shlex.join(action['commands'])}\n{wrong}\nMend it and start again.")
        case _:
            return {}  # a review has sent it back: what is due now is another action
    return done | {"previous_duration_ms": int((time.monotonic() - began) * 1000)}


def _answer(call: Call, host: Host, workspace: str, action: Body) -> Body:
    option, words = host.ask(action)
    if not option:
        host.sleep(action.get("retry_after", 15))
        return {}
    if option == "post" and (command := action["post_method"].get("command")):
        _bring(call, host, workspace, ["summary.md"])
        if host.run(command):
            return {}
    said = {"user_response": option, "previous_action_id": action["action_id"]}
    return said | ({"user_feedback": words} if words else {})


def _spawn(call: Call, host: Host, workspace: str, action: Body) -> Body:
    shares = action.get("parallel_tasks")
    if not shares:
        file = action["output_file"]
        work = _work(call, host, workspace, action["prompt"], action["input_files"], file)
        return _took([work]) | {"artifacts": [{"name": file, "content": work.text}] if work.text else []}
    there = _versions(call, workspace)

    def do(share: Body) -> Work:
        file, inputs = share["output_file"], [*action["input_files"], *share["input_files"]]
        work = _work(call, host, workspace, share["prompt"], inputs, file)
        if work.text:  # at once, so that nothing that was done is done again
            call("pipeline_put_artifact", {"workspace": workspace, "name": file, "content": work.text})
        return work

    # What is there was done before this program was stopped, unless it is what was refused.
    refused = action.get("refused", "")
    due = [one for one in shares if one["output_file"] not in there or one["output_file"] in refused]
    with ThreadPoolExecutor(len(shares)) as pool:
        return _took([*pool.map(do, due)])


def _took(works: list[Work]) -> Body:
    costs = [work.cost_usd for work in works if work.cost_usd is not None]
    told: Body = {"previous_tokens": sum(work.tokens for work in works)}
    return told | ({"previous_cost_usd": round(sum(costs), 6)} if costs else {})


def _work(call: Call, host: Host, workspace: str, prompt: str, inputs: list[str], file: str) -> Work:
    """What an agent wrote; nothing where it has put its file on the server by itself."""
    before = _bring(call, host, workspace, inputs)
    work = host.spawn(prompt, f"{workspace}/{file}")
    return work if _versions(call, workspace).get(file) == before.get(file) else work._replace(text="")


def _bring(call: Call, host: Host, workspace: str, files: list[str]) -> dict[str, int]:
    """Onto the disk, where agents and commands look for them."""
    there = _versions(call, workspace)
    for file in there.keys() & set(files):
        found = call("pipeline_get_artifact", {"workspace": workspace, "name": file})
        host.write(f"{workspace}/{file}", found["content"])
    return there


def _versions(call: Call, workspace: str) -> dict[str, int]:
    rows = call("pipeline_list_artifacts", {"workspace": workspace})["data"]
    return {row["name"]: row["version"] for row in rows}
