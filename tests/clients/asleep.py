"""Claude Code that sleeps until there is an issue to claim: its model rests, and the server may be killed."""

import re
import signal
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from forge.cli.local.listening import free_port
from forge.wire.paths import RPC_PATH
from tests.clients.at_home import PROMPT
from tests.clients.claude_code import claude_code
from tests.clients.model import WAITING, Model, Step, modelling
from tests.clients.screen import BACKSPACE, ENTER
from tests.integration.cli.dev_process import Dev, running_dev
from tests.integration.cli.processes import eventually

ASLEEP_SECONDS = 40
"""Longer than any interval between two questions."""
INTERVAL_SECONDS, RELAY_SECONDS = 30, 3
_RUN = re.compile(r'"runId":"(\w+)"')
_STEPS = (
    Step("issues_claim", {"waitSeconds": 3600}),
    Step("runs_complete", {"runId": _RUN, "summary": "Done as soon as it was there."}, after=_RUN),
)


def woken(program: Path) -> str:
    """Raises NotSeen, or AssertionError, with what came instead."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        home, port = folder / "forge", free_port()
        model = stack.enter_context(modelling(_STEPS))
        with running_dev(home, port=port) as dev:
            _empty_the_queue(dev)
            key = str(dev.description["keys"]["agents"]["worker"])
            at = {"url": f"{dev.base_url}{RPC_PATH}", "key": key}
            screen = stack.enter_context(claude_code(program, folder / "home", model, **at))
            # Once its prompts are there, the server is connected.
            screen.type(PROMPT)
            screen.wait_for(r"forge:start_work \(MCP\)")
            screen.type(f"{BACKSPACE * len(PROMPT)}Wait for work, and do it.{ENTER}")
            screen.wait_for(re.escape(WAITING))
            turns = len(model.requests)
            sleep(ASLEEP_SECONDS / 2)
            dev.stop(signal.SIGKILL)
        with running_dev(home, port=port) as dev:
            sleep(ASLEEP_SECONDS / 2)
            assert len(model.requests) == turns, "the model was asked while nothing had happened"
            after = _seconds_to_wake(dev, model, turns)
            screen.wait_for(model.last_word)
    return f"slept {ASLEEP_SECONDS} s without a turn of its model, and was awake after {after:.0f} s"


def _seconds_to_wake(dev: Dev, model: Model, turns: int) -> float:
    made = dev.call("issues.create", {"title": "Fix the lock"}, key=dev.owner_key).json()
    begun = monotonic()
    dev.call("issues.queue", {"id": made["id"]}, key=dev.owner_key)
    eventually(lambda: len(model.requests) > turns, "a turn of the model")
    after = monotonic() - begun
    assert after <= INTERVAL_SECONDS + RELAY_SECONDS, after
    eventually(lambda: _is_completed(dev, made["id"]), "the end of its run")
    return after


def _is_completed(dev: Dev, issue_id: str) -> bool:
    runs = dev.call("runs.list", {"issueId": issue_id}, key=dev.owner_key).json()["data"]
    return [run["status"] for run in runs] == ["COMPLETED"]


def _empty_the_queue(dev: Dev) -> None:
    queued = dev.call("issues.list", {"queued": True}, key=dev.owner_key).json()["data"]
    for issue in queued:
        dev.call("issues.setQueued", {"id": issue["id"], "queued": False}, key=dev.owner_key)
