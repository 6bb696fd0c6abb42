"""`make deploy-local`: two teams deployed into one emulator by the real SAM, then used over HTTP."""

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from forge.cli.bootstrap import store_at
from forge.cli.emulator import running_emulator
from forge.clock import new_id, system_now
from forge.store.connections import Connections
from forge.work.people.members import UserItem
from forge.work.workspaces.founding import found_first
from infra.deploy import build, deploy
from tests.e2e import smoke
from tests.e2e.client import Client


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sam", type=Path, required=True, help="the sam command")
    sam = parser.parse_args().sam.absolute()
    build(sam)
    print("built")
    with tempfile.TemporaryDirectory() as folder, running_emulator(Path(folder) / "aws") as emulator:
        connections = emulator.connections()
        teams = [_team(sam, name, connections) for name in ("alpha", "beta")]
        failed = [
            name for name, check in smoke.CHECKS.items() if not _passes(name, check, teams, connections)
        ]
    print(f"{len(smoke.CHECKS) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


def _team(sam: Path, name: str, connections: Connections) -> smoke.Team:
    stack = deploy(sam, f"forge-{name}", connections, TeamName=name, RouterMode="invoke")
    store = store_at(stack.outputs["TableName"], connections)
    owner = UserItem(id=new_id("usr"), email=f"owner@{name}.example", created_at=system_now())
    founded = found_first(
        store, slug=name, prefix=name.upper(), name=name.title(), owner=owner, handle="owner", new_id=new_id
    )
    print(f"deployed {stack.name}: {len(stack.outputs)} outputs, table {stack.outputs['TableName']}")
    client = Client(str(connections.endpoint), stack.api_id, founded.owner_key.raw)
    return smoke.Team(name, stack, client)


def _passes(
    name: str,
    check: Callable[[list[smoke.Team], Connections], None],
    teams: list[smoke.Team],
    connections: Connections,
) -> bool:
    try:
        check(teams, connections)
    except AssertionError as problem:
        print(f"FAILED {name}: {problem}")
        return False
    print(f"ok     {name}")
    return True


if __name__ == "__main__":
    sys.exit(main())
