"""A host for the orchestrator: a person at a terminal, git, and an agent with a command line.

FORGE_URL=… FORGE_KEY=… AGENT="claude -p" python3 terminal.py "Add a login page --effort=S"
"""

import json
import os
import shlex
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from secrets import token_hex

from orchestrator import Body, Call, Host, Refused, begin, drive


def connect(url: str, key: str) -> Call:
    """What is sent twice counts once: Forge knows it by its Idempotency-Key."""

    def call(tool: str, arguments: Body) -> Body:
        headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": token_hex()}
        order = urllib.request.Request(f"{url}/api/mcp/{tool}", json.dumps(arguments).encode(), headers)
        for wait in (1, 2, 4, 8, None):
            try:
                with urllib.request.urlopen(order, timeout=60) as answer:
                    return dict(json.load(answer))
            except urllib.error.HTTPError as error:
                if wait is None or (error.code < 500 and error.code != 429):
                    told = json.load(error)
                    raise Refused(told["error"], told["message"]) from None
            except OSError:
                if wait is None:
                    raise
            time.sleep(wait)
        raise AssertionError("the last try has returned or raised")

    return call


def spawn(prompt: str, path: str) -> tuple[str, int]:
    """An agent writes its file, or answers with what it would have written."""
    output = Path(path)
    before = output.stat().st_mtime_ns if output.exists() else None
    command = shlex.split(os.environ["AGENT"])
    done = subprocess.run(command, input=prompt, capture_output=True, text=True, check=True)
    if output.exists() and output.stat().st_mtime_ns != before:
        return output.read_text(encoding="utf-8"), 0
    return done.stdout, 0


def run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stderr.strip() or f"ended with {done.returncode}"


def write(path: str, text: str) -> None:
    place = Path(path)
    if not place.resolve().is_relative_to(Path.cwd()):
        raise ValueError(f"{path} is not below this folder")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def ask(question: Body) -> tuple[str, str]:
    """Whoever presses return without a word lets somebody else answer."""
    print(question["present_to_user"])
    option = input(f"{' / '.join(question['options'])}: ").strip()
    return option, input("Words for the next agent: ").strip() if option else ""


def fetch(needed: Body) -> Body:
    if "command" not in needed:
        raise SystemExit(needed["instruction"])
    shown = subprocess.run(needed["command"], capture_output=True, text=True, check=True).stdout
    return {needed["response_mapping"].get(name, name): value for name, value in json.loads(shown).items()}


if __name__ == "__main__":
    forge = connect(os.environ["FORGE_URL"], os.environ["FORGE_KEY"])
    host = Host(spawn, run, write, ask, fetch)
    branch = subprocess.run(
        ["git", "branch", "--show-current"], capture_output=True, text=True, check=False
    ).stdout.strip()
    workspace = begin(forge, host, " ".join(sys.argv[1:]), branch)
    print(f"{workspace}: to go on with it later, start this program with that name")
    print(drive(forge, host, workspace)["summary"])
