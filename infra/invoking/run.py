"""`make invoke`: the function's answer on standard output, its log on standard error."""

import argparse
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from infra.invoking import containers
from infra.invoking.asked import ROOT, CannotBeAsked, Invocation, invocation_of
from infra.invoking.emulated import Program, emulator_in, running
from infra.invoking.outcomes import has_failed

_SECONDS = 310
"""A little more than the emulator gives a function."""
_OF_THE_EMULATOR = re.compile(r"\[(?:INFO|WARNING|DEBUG)\] \(rapid\)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--function", required=True, help="a folder of functions/")
    parser.add_argument("--event", default="", help="a JSON file; the function's own example unless given")
    parser.add_argument("--as", dest="name", default="owner", help="whose key takes the example's place")
    parser.add_argument("--home", type=Path, required=True, help="of the Forge that runs")
    parser.add_argument("--sam", type=Path, required=True)
    parser.add_argument("--python", type=Path, required=True, help="one that has awslambdaric")
    parser.add_argument("--in-a-container", action="store_true", help="by `sam local invoke`")
    given = parser.parse_args()
    try:
        asked = invocation_of(given.function, given.event, name=given.name, home=given.home)
        if given.in_a_container:
            answer, log = containers.invoke(asked, given.sam.absolute())
        else:
            answer, log = _emulated(asked, given.sam, given.python)
    except CannotBeAsked as problem:
        print(problem, file=sys.stderr)
        return 2
    print(log, file=sys.stderr)
    print(json.dumps(answer, indent=2, ensure_ascii=False))
    return 1 if has_failed(answer) else 0


def _emulated(asked: Invocation, sam: Path, python: Path) -> tuple[Any, str]:
    """This checkout as it is: what is packed for a function is for `make rie` and SAM=1 to see."""
    if sys.platform != "linux":
        raise CannotBeAsked("SAM's runtime emulator is a program for Linux. Elsewhere, say SAM=1.")
    (packages,) = (ROOT / ".venv" / "lib").glob("python*/site-packages")
    program = Program(
        emulator_in(sam),
        python.absolute(),
        (ROOT, ROOT / "shared", packages),
        f"functions.{asked.folder}.app.handler",
        _credentials(asked) | asked.variables | {"AWS_LAMBDA_FUNCTION_NAME": asked.folder},
    )
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with running(program, log) as function:
            answer = function.invoke(asked.event, seconds=_SECONDS)
        return answer, _of_the_function(log.read_text(encoding="utf-8", errors="replace"))


def _credentials(asked: Invocation) -> dict[str, str]:
    """Those of the shell, for a Forge on an AWS that somebody else runs; the embedded one has its own."""
    if "AWS_ACCESS_KEY_ID" in asked.variables:
        return {}
    named = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE")
    return {name: os.environ[name] for name in named if name in os.environ}


def _of_the_function(log: str) -> str:
    return "\n".join(line for line in log.splitlines() if not _OF_THE_EMULATOR.search(line))


if __name__ == "__main__":
    sys.exit(main())
