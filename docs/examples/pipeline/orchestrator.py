"""Drives a pipeline: asks what is due, has it done, reports it. Started again, it goes on where it was."""

import shlex
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

Body = dict[str, Any]
Call = Callable[[str, Body], Body]  # a tool and its arguments: its answer, or Refused is raised
Work = tuple[str, int]  # what an agent wrote, and the tokens that it took
NEXT = "pipeline_next_action"


class Host(NamedTuple):
    """What only you can do."""

    spawn: Callable[[str, str], Work]  # the prompt, and the path of its output
    run: Callable[[list[str]], str]  # a command: what went wrong, or nothing
    write: Callable[[str, str], object]  # path, text
    ask: Callable[[Body], tuple[str, str]]  # a question: option and words; no option: answered elsewhere
    fetch: Callable[[Body], Body]  # what is needed of an issue: its fields
    sleep: Callable[[float], object] = time.sleep


class Refused(Exception):
    """Forge's error: its code, and what it says."""


def begin(call: Call, host: Host, typed: str, branch: str = "") -> str:
    """The workspace of a new pipeline, or of the one that was named."""
    found = call("pipeline_init", {"arguments": typed, "current_branch": branch})
    if "errors" in found:
        raise SystemExit(found["errors"][0])
    if "resume_mode" in found:
        return str(found["workspace"])
    known: Body = {"workspace": found["workspace"], "flags": found["flags"], "files": "disk"}
    if "fetch_needed" in found:
        known |= {"source_url": found["source_url"], "source_id": found["source_id"]}
        known["external_context"] = host.fetch(found["fetch_needed"])
    else:
        known["task_text"] = found["core_text"]
    needed = call("pipeline_init_with_context", known)
    if "needs_discussion" in needed:
        text = "\n".join(needed["needs_discussion"]["questions"])
        _, words = host.ask({"present_to_user": text, "options": ["answer"]})
        needed = call("pipeline_init_with_context", known | {"discussion_answers": words or "None"})
    asked = needed["needs_user_confirmation"]
    text = f"{asked['message']}\n{asked.get('estimate_display', '')}"
    effort, _ = host.ask({"present_to_user": text, "options": list(asked["effort_options"])})
    confirmed = {"effort": effort or asked["detected_effort"]}
    confirmed["enriched_request_body"] = asked.get("enriched_request_body", "")
    return str(call("pipeline_init_with_context", known | {"user_confirmation": confirmed})["workspace"])


def drive(call: Call, host: Host, workspace: str) -> Body:
    """From wherever the pipeline stands to its end."""
    stands = call("state_resume_info", {"workspace": workspace})
    if stands["currentPhase"] == "phase-1" and stands["branch"] and not stands["useCurrentBranch"]:
        host.run(["sh", "-c", 'git checkout "$0" || git checkout -b "$0"', stands["branch"]])
    action, refusals = call(NEXT, {"workspace": workspace}), 0
    while action["type"] != "done":
        try:
            said = _carry_out(call, host, workspace, action)
            action, refusals = call(NEXT, {"workspace": workspace, **said}), 0
        except Refused as refused:
            refusals += 1
            if refused.args[0] not in ("conflict", "precondition_failed") or refusals > 3:
                raise
            action = call(NEXT, {"workspace": workspace})  # the same one, unless somebody was faster
            if refused.args[0] == "precondition_failed" and "prompt" in action:
                action["prompt"] += f"\nWhat you handed in before was refused: {refused.args[1]}\n"
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
        host.sleep(15)
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
        text, tokens = _work(call, host, workspace, action["prompt"], action["input_files"], file)
        return {"previous_tokens": tokens, "artifacts": [{"name": file, "content": text}] if text else []}
    there = _versions(call, workspace)

    def do(share: Body) -> int:
        file, inputs = share["output_file"], [*action["input_files"], *share["input_files"]]
        text, tokens = _work(call, host, workspace, share["prompt"], inputs, file)
        if text:  # at once, so that nothing that was done is done again
            call("pipeline_put_artifact", {"workspace": workspace, "name": file, "content": text})
        return tokens

    with ThreadPoolExecutor(len(shares)) as pool:
        tokens = sum(pool.map(do, [one for one in shares if one["output_file"] not in there]))
    return {"previous_tokens": tokens}


def _work(call: Call, host: Host, workspace: str, prompt: str, inputs: list[str], file: str) -> Work:
    """What an agent wrote; nothing where it has put its file on the server by itself."""
    before = _bring(call, host, workspace, inputs)
    text, tokens = host.spawn(prompt, f"{workspace}/{file}")
    return text if _versions(call, workspace).get(file) == before.get(file) else "", tokens


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
