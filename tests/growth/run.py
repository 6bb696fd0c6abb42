"""A hundred, ten thousand and a hundred thousand issues, with ten log rows each: do calls ask for the same?

It needs some minutes and some gigabytes, most of them for the million log rows. It fails where a call needs
more requests than among a hundred, or reads more rows than its bound.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from forge.cli.emulator import running_emulator
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.walks import MAX_READ
from forge.testing.embedded import embed_tables
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import LogItem
from tests.integration.growth.crowded import a_crowd, write_rows
from tests.integration.growth.test_growth import rows_read
from tests.workshop.office import Body, Office

SIZES = (100, 10_000, 100_000)
ROWS_OF_EACH = 10
_MOST_ROWS = 6 * MAX_READ + 200
"""Of a search: its words, and the issues that have them."""


class Asked(NamedTuple):
    """What one call asked for, authentication apart."""

    reads: int
    writes: int
    rows: int


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    options.add_argument("--write", type=Path, help="where to keep the figures")
    given = options.parse_args()
    with TemporaryDirectory() as folder, running_emulator(Path(folder)) as emulator:
        found = {size: measured(emulator.connections(), size) for size in given.sizes}
    sys.stdout.write(table(found))
    if given.write:
        given.write.parent.mkdir(parents=True, exist_ok=True)
        given.write.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0 if is_flat(found) else 1


def measured(connections: Connections, size: int) -> dict[str, Asked]:
    requests = Counter()
    store = provision(embed_tables(connections), f"growth-{size}")
    office = Office(World(store=watched(store, requests)))
    issue = a_crowd(office, size)
    write_rows(store, (row.attributes() for row in _log(office, size)))
    key = office.a_key()["rawKey"]
    found = {}
    for name, tool, arguments in _calls(issue):
        # Once without being counted: what a process learns at its first call is not the size's.
        for turn in range(2):
            office.world.clock.advance(minutes=1)
            requests.reset()
            priority = {"priority": ("LOW", "HIGH")[turn]} if tool == "issues.update" else {}
            given = {**arguments, **priority}
            office.call(tool, given, key=key if tool == "issues.claim" else office.owner_key)
        found[name] = Asked(requests.reads, requests.writes, rows_read(requests))
    return found


def _log(office: Office, size: int) -> Iterator[LogItem]:
    """After whatever the tools did here, so that the newest are many of one kind."""
    begin = office.world.clock() + timedelta(days=1)
    for number in range(size * ROWS_OF_EACH):
        about = f"iss_{900_000 + number % size:06}"
        yield LogItem(
            workspace_id=office.workspace.id,
            id=f"evt_{number:08}",
            kind=EventKind.ISSUE_UPDATED,
            subject_type="issue",
            subject_id=about,
            issue_id=about,
            action="update",
            tool="issues.update",
            key_id="key_1",
            request_id="req_1",
            created_at=begin + timedelta(seconds=number),
        )


def _calls(issue: Body) -> list[tuple[str, str, Body]]:
    about = {"issueId": issue["id"]}
    return [
        ("issues.get", "issues.get", {"id": issue["id"]}),
        ("issues.list", "issues.list", {"limit": 20}),
        ("issues.list of a project", "issues.list", {"projectId": issue["projectId"], "limit": 20}),
        ("issues.list, found by a common word", "issues.list", {"query": "common thing", "limit": 20}),
        ("issues.list, found by a rare word", "issues.list", {"query": "needle", "limit": 20}),
        ("events.recent", "events.recent", {"limit": 20}),
        ("agent.context.bundle", "agent.context.bundle", about),
        ("comments.create", "comments.create", {**about, "body": "Reproduced."}),
        ("issues.create", "issues.create", {"title": "Another one", "description": "A text."}),
        ("issues.update", "issues.update", {"id": issue["id"]}),
        ("issues.claim", "issues.claim", {}),
    ]


def is_flat(found: dict[int, dict[str, Asked]]) -> bool:
    smallest = found[min(found)]
    return all(
        asked.reads <= smallest[name].reads + 1
        and asked.writes <= smallest[name].writes
        and asked.rows <= _MOST_ROWS
        for calls in found.values()
        for name, asked in calls.items()
    )


def table(found: dict[int, dict[str, Asked]]) -> str:
    names = [*next(iter(found.values()))]
    head = f"{'reads + writes (rows)':40}" + "".join(f"{size:>22,}" for size in found) + "\n"
    cells = {name: [_shown(calls[name]) for calls in found.values()] for name in names}
    lines = [f"{name:40}" + "".join(f"{cell:>22}" for cell in row) for name, row in cells.items()]
    return head + "".join(f"{line}\n" for line in lines)


def _shown(asked: Asked) -> str:
    return f"{asked.reads} + {asked.writes} ({asked.rows:,})"


if __name__ == "__main__":
    sys.exit(main())
