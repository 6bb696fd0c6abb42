"""Has real agents work through `forge worker`, with a model that follows a script: `make worker-clients`.

python -m tests.worker_clients.run --programs .tools/worker/node_modules/.bin
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from forge.cli.worker.git.commands import GitFailed, git
from forge.cli.worker.processes import sandbox
from forge.cli.worker.settings.settings import Sandbox
from tests.integration.cli.dev_process import Dev, running_dev
from tests.integration.cli.processes import FORGE
from tests.unit.cli.worker.workbench import a_repository
from tests.worker_clients.model import Turn, serving

_SECONDS = 180
CHECKS = '[checks]\ncommands = ["grep hello hello.txt"]\n'
WRITE = "echo hello from an agent > hello.txt"


class Client(NamedTuple):
    name: str
    agent: str
    """With {programs} and {url}, the address of the model."""
    shell: tuple[str, str]
    """Its tool for commands, and what the command is called there."""
    variables: dict[str, str]


ANTHROPIC = {
    "ANTHROPIC_BASE_URL": "{url}",
    "ANTHROPIC_API_KEY": "x",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "IS_SANDBOX": "1",
}
PROVIDER = (
    '-c model_provider=scripted -c \'model_providers.scripted={{name="scripted",base_url="{url}/v1",'
    'env_key="OPENAI_API_KEY",wire_api="responses"}}\''
)
OPENCODE = {
    "OPENCODE_CONFIG_CONTENT": '{{"model":"anthropic/scripted","small_model":"anthropic/scripted","provider":'
    '{{"anthropic":{{"options":{{"baseURL":"{url}/v1","apiKey":"x"}},"models":{{"scripted":{{}}}}}}}}}}',
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
}
CLIENTS = (
    Client("claude", "claude:{programs}/claude", ("Bash", "command"), ANTHROPIC),
    Client("codex", f"codex:{{programs}}/codex {PROVIDER}", ("exec_command", "cmd"), {"OPENAI_API_KEY": "x"}),
    Client("claude over ACP", "acp:{programs}/claude-agent-acp", ("Bash", "command"), ANTHROPIC),
    Client("opencode", "opencode:{programs}/opencode", ("bash", "command"), OPENCODE),
)


class Failed(Exception):
    """What did not happen."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("only", nargs="*", help="names of clients; all by default")
    given = parser.parse_args()
    chosen = [one for one in CLIENTS if not given.only or one.name in given.only]
    outcomes = []
    with TemporaryDirectory() as folder, running_dev(Path(folder) / "home") as dev:
        for number, client in enumerate(chosen):
            place = Path(folder) / str(number)
            place.mkdir()
            programs = given.programs.resolve()
            outcomes += [_tell(client, each, dev, place, programs) for each in (works, asks, boxed)]
    print(f"{sum(outcomes)} of {len(outcomes)} went through.")
    return 0 if all(outcomes) else 1


def works(client: Client, dev: Dev, place: Path, programs: Path) -> str:
    """An edit in the worktree, a test run, a commit, and a report with what was used."""
    shell, word = client.shell
    issue = _queue(dev, "Say hello")
    turns = [Turn(tool=shell, arguments={word: WRITE}), Turn("Wrote hello.txt.")]
    _work(client, turns, dev, place, programs)
    run = _run_of(dev, issue)
    if run["status"] != "COMPLETED" or not run["tokensIn"]:
        raise Failed(f"{run['status']}, {run['tokensIn']} tokens: {run.get('summary')} {_log(place)}")
    branch = f"forge/{issue}-say-hello"
    shown = subprocess.run(
        ["git", "show", f"{branch}:hello.txt"],
        cwd=place / "source",
        capture_output=True,
        text=True,
        check=False,
    )
    if "hello" not in shown.stdout:
        raise Failed(f"Nothing was committed: {shown.stderr}")
    return f"completed with {run['tokensIn']} tokens in, {run['costUsd']} USD"


def boxed(client: Client, dev: Dev, place: Path, programs: Path) -> str:
    """The same within bubblewrap, which sees neither the worker's files nor anybody else's."""
    if not sandbox.is_wanted(Sandbox.AUTO):
        return "not tried: there is no bubblewrap here"
    inside = place / "boxed"
    inside.mkdir()
    shell, word = client.shell
    issue = _queue(dev, "Say hello")
    elsewhere = f"{WRITE}; cat {inside}/forge-worker.toml > seen.txt; echo > {inside}/written.txt; true"
    turns = [Turn(tool=shell, arguments={word: elsewhere}), Turn("Wrote hello.txt.")]
    _work(client, turns, dev, inside, programs, "--sandbox", "on")
    run = _run_of(dev, issue)
    if run["status"] != "COMPLETED":
        raise Failed(f"{run['status']}: {run.get('summary')} {_log(inside)}")
    seen = git("show", f"forge/{issue}-say-hello:seen.txt", at=inside / "source")
    if seen or (inside / "written.txt").exists():
        raise Failed("It saw, or wrote, what is not its own.")
    return "completed, and saw nothing of the worker's"


def asks(client: Client, dev: Dev, place: Path, programs: Path) -> str:
    """A question to a person over MCP, parked, answered, resumed in the same session."""
    shell, word = client.shell
    issue = _queue(dev, "Ask first")
    turns = [
        Turn(tool="actionRequests_create", arguments={"issueId": "{issue}", "title": "May I?"}),
        Turn(tool="runs_setWaiting", arguments={"runId": "{run}", "reason": "May I?", "blocking": True}),
        Turn("I wait for the answer."),
        Turn(tool=shell, arguments={word: WRITE}),
        Turn("Wrote hello.txt, as I may."),
    ]
    _work(client, turns, dev, place, programs)
    waiting = _run_of(dev, issue)["status"]
    rows = dev.call("actionRequests.list", {"issueId": issue}, key=dev.owner_key).json()["data"]
    if waiting != "WAITING" or not rows:
        raise Failed(f"It does not wait: {waiting}, {len(rows)} questions.")
    dev.call("actionRequests.accept", {"id": rows[0]["id"], "resolution": "You may."}, key=dev.owner_key)
    _work(client, turns, dev, place, programs)
    run = _run_of(dev, issue)
    if run["status"] != "COMPLETED" or "as I may" not in str(run.get("summary")):
        raise Failed(f"After the answer: {run['status']}, {run.get('summary')}")
    return "asked, waited, was answered, went on"


def _tell(
    client: Client, scenario: Callable[[Client, Dev, Path, Path], str], dev: Dev, place: Path, programs: Path
) -> bool:
    name = f"{client.name:16} {scenario.__name__:6}"
    try:
        print(f"{name} {scenario(client, dev, place, programs)}", flush=True)
    except (Failed, GitFailed, subprocess.TimeoutExpired) as failure:
        print(f"{name} FAILED: {failure}", flush=True)
        return False
    return True


def _work(client: Client, turns: Sequence[Turn], dev: Dev, place: Path, programs: Path, *flags: str) -> None:
    source, settings = place / "source", place / "forge-worker.toml"
    if not source.exists():
        a_repository(source)
        named = f"[child]\nmodel = 'scripted'\nenvironment = {[*client.variables]}\n"
        settings.write_text(CHECKS + named, encoding="utf-8")
    with serving(turns) as url:
        environment = {name: value.format(url=url) for name, value in client.variables.items()}
        command = [FORGE, "worker", "--once", "--repo", str(source), "--folder", str(place / "worker")]
        command += ["--agent", client.agent.format(programs=programs, url=url), "--config", str(settings)]
        command += flags
        known = {"FORGE_URL": dev.base_url, "FORGE_AGENT_KEY": dev.description["keys"]["agents"]["worker"]}
        done = subprocess.run(
            command,
            env={**os.environ, **known, **environment},
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    if done.returncode:
        raise Failed((done.stdout + done.stderr).strip()[-500:])


def _log(place: Path) -> str:
    """What the agent said last."""
    return "".join(log.read_text()[-500:] for log in place.rglob("output.log"))


def _queue(dev: Dev, title: str) -> str:
    issue = dev.call("issues.create", {"title": title}, key=dev.owner_key).json()["identifier"]
    dev.call("issues.queue", {"id": issue}, key=dev.owner_key)
    return str(issue)


def _run_of(dev: Dev, issue: str) -> dict[str, object]:
    rows = dev.call("runs.list", {"issueId": issue}, key=dev.owner_key).json()["data"]
    if len(rows) != 1:
        raise Failed(f"{len(rows)} runs of {issue}, and not one.")
    return dict(rows[0])


if __name__ == "__main__":
    sys.exit(main())
