"""Kills, a full disk and fifty thousand items: what is lost, what is doubled, and who has to wait.

It needs a quarter of an hour at most, and for the full disk the right to mount a small one.
"""

import argparse
import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from forge.cli.dev import NAME
from forge.clock import random_between
from forge.store.connections import Connections
from tests.integration.cli.dev_process import Dev, running_dev
from tests.integration.cli.processes import eventually, is_running
from tests.persistence.writing import Writers, titles
from tests.unit.outbound.sites import Site, running_site

_MOMENT = (0.1, 3.0)
_TELLING_SECONDS = 240


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--items", type=int, default=50_000)
    parser.add_argument("--only", choices=["forge", "emulator", "disk", "items"])
    given = parser.parse_args()
    checks: dict[str, Callable[[Path], bool]] = {
        "forge": lambda home: kill_forge(home, given.rounds),
        "emulator": lambda home: kill_emulator(home, given.rounds),
        "disk": fill_the_disk,
        "items": lambda home: fold_under_load(home, given.items),
    }
    verdicts = []
    for name, check in checks.items():
        if given.only in (None, name):
            with tempfile.TemporaryDirectory() as folder:
                verdicts.append(check(Path(folder) / "home"))
    return 0 if all(verdicts) else 1


def kill_forge(home: Path, rounds: int) -> bool:
    """`forge dev` itself, at any moment; its child has to go, too."""
    writers = Writers()
    for _ in range(rounds):
        with running_dev(home) as dev:
            emulator = dev.emulator
            with writers.writing(dev):
                sleep(random_between(*_MOMENT))
                dev.process.kill()
            eventually(partial(_is_gone, emulator), "the end of the child")
    with running_dev(home) as dev:
        writers.finish(dev)
        return _report(f"forge killed {rounds} times", writers, dev)


def kill_emulator(home: Path, rounds: int) -> bool:
    """The embedded AWS, under a `forge dev` that goes on."""
    writers = Writers()
    with running_site() as site, running_dev(home) as dev:
        _have_told(dev, site)
        with writers.writing(dev):
            for _ in range(rounds):
                sleep(random_between(*_MOMENT))
                killed = dev.emulator
                os.kill(killed, signal.SIGKILL)
                eventually(partial(_other_child, dev, killed), "another child")
        writers.finish(dev)
        is_right = _report(f"emulator killed {rounds} times", writers, dev)
        return _all_told(site, writers) and is_right


def fill_the_disk(home: Path) -> bool:
    """A disk of sixteen megabytes, filled to its last byte while somebody writes."""
    writers = Writers(repeats=False)
    with _small_disk(home):
        with running_dev(home) as dev:
            with writers.writing(dev):
                sleep(2)
                filler = home / "filler"
                _fill(filler)
                sleep(4)
                filler.unlink()
                sleep(4)
            dev.process.kill()
        with running_dev(home) as dev:
            there = titles(dev)
            shown = [title for title in writers.refused - set(writers.acknowledged) if there[title]]
            print(f"disk: {len(writers.refused)} refused, {len(shown)} of them there after a restart")
            return _report("disk full for 4 s", writers, dev) and not shown


def fold_under_load(home: Path, items: int) -> bool:
    with running_dev(home) as dev:
        aws = dev.aws
        _add_items(aws, items)
        idle, busy = _waits_while_folding(home, aws)
    before = monotonic()
    with running_dev(home):
        started = monotonic() - before
    print(
        f"{items} items: longest request {max(busy) * 1000:.0f} ms of {len(busy)} while folding, "
        f"{max(idle) * 1000:.0f} ms of {len(idle)} otherwise; started again in {started:.1f} s"
    )
    return max(busy) < 0.1


def _report(name: str, writers: Writers, dev: Dev) -> bool:
    there = titles(dev)
    lost = [title for title in writers.acknowledged if not there[title]]
    doubled = [title for title, times in there.items() if times > 1]
    print(f"{name}: {len(writers.acknowledged)} acknowledged, {len(lost)} lost, {len(doubled)} doubled")
    return not lost and not doubled


def _have_told(dev: Dev, site: Site) -> None:
    """From now on the site hears of each creation."""
    site.pages["/"] = (200, {}, b"")
    order = {"url": f"http://127.0.0.1:{site.port}/", "events": ["ISSUE_CREATED"]}
    answer = dev.call("webhooks.create", order, key=dev.owner_key, surface="admin")
    answer.raise_for_status()


def _all_told(site: Site, writers: Writers) -> bool:
    """Whether every creation was posted, however often; what failed is tried again later."""
    wanted, began = set(writers.acknowledged.values()), monotonic()
    missing = wanted
    while missing and monotonic() - began < _TELLING_SECONDS:
        sleep(1)
        missing = wanted - {json.loads(body)["subjectId"] for *_, body in list(site.asked)}
    seconds = monotonic() - began
    print(f"told: {len(site.asked)} times, {len(missing)} creations missing after {seconds:.0f} s")
    return not missing


def _is_gone(process_id: int) -> bool:
    return not is_running(process_id)


def _other_child(dev: Dev, killed: int) -> bool:
    try:
        return dev.emulator != killed
    except ValueError:
        return False


@contextmanager
def _small_disk(home: Path) -> Iterator[None]:
    home.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(home)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", str(home)], check=True)


def _fill(file: Path) -> None:
    try:
        with file.open("wb", buffering=0) as filling:
            while True:
                filling.write(b"x" * 4096)
    except OSError:
        return


def _add_items(aws: Connections, count: int) -> None:
    for start in range(0, count, 25):
        puts: list[Any] = [
            {
                "PutRequest": {
                    "Item": {"pk": {"S": f"P{n // 100}"}, "sk": {"S": f"{n}"}, "text": {"S": "x" * 400}}
                }
            }
            for n in range(start, min(start + 25, count))
        ]
        aws.dynamodb().batch_write_item(RequestItems={NAME: puts})


def _waits_while_folding(home: Path, aws: Connections) -> tuple[list[float], list[float]]:
    """How long each request took, until a new snapshot has come."""
    journal = home / "aws" / "journal"
    client = aws.dynamodb()
    idle, busy = [0.0], [0.0]
    known = set(journal.glob("*.snapshot"))
    big = "y" * 100_000
    number = 0
    while set(journal.glob("*.snapshot")) <= known:
        is_folding = any(journal.glob("*.draft")) or len(list(journal.glob("*.journal"))) > 1
        before = monotonic()
        client.put_item(
            TableName=NAME, Item={"pk": {"S": "B"}, "sk": {"S": str(number % 50)}, "t": {"S": big}}
        )
        (busy if is_folding else idle).append(monotonic() - before)
        number += 1
    return idle, busy


if __name__ == "__main__":
    raise SystemExit(main())
