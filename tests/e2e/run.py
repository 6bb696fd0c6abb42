"""`make deploy-local`: teams deployed into one emulator by the real SAM, used, and deployed again."""

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from forge.cli.emulator import running_emulator
from infra.deploy import BUILD, CommandFailed, build
from tests.e2e import deploying, github, reach, recovering, smoke, upgrading
from tests.e2e.requiring import Skipped
from tests.e2e.stacks import Workbench, emulated
from tests.e2e.teams import Team, a_team

# Those that deploy again come last: they change what the others look at.
CHECKS = (
    *smoke.CHECKS,
    *reach.CHECKS,
    *github.CHECKS,
    *recovering.CHECKS,
    *deploying.CHECKS,
    *upgrading.CHECKS,
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sam", type=Path, required=True, help="the sam command")
    sam = parser.parse_args().sam.absolute()
    build(sam)
    emulated(BUILD / "template.yaml")
    print("built", flush=True)
    with tempfile.TemporaryDirectory() as folder, running_emulator(Path(folder) / "aws") as emulator:
        modes = {"alpha": "invoke", "beta": "inline"}
        bench = Workbench(sam, emulator.connections(), Path(folder) / "deploy")
        teams = [a_team(bench, name, RouterMode=mode) for name, mode in modes.items()]
        failed = [check for check in CHECKS if not _passes(check, teams)]
    print(f"{len(CHECKS) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


def _passes(check: Callable[[list[Team]], None], teams: list[Team]) -> bool:
    name = check.__name__.replace("_", " ")
    try:
        check(teams)
    except Skipped as reason:
        print(f"skipped {name}: {reason}", flush=True)
        return True
    except (AssertionError, CommandFailed) as problem:
        print(f"FAILED {name}: {problem}", flush=True)
        return False
    print(f"ok     {name}", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
