"""The receiver that the guide shows takes what Forge posts, once, and nothing else."""

import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

from forge.store.store import Store
from forge.testing.server import serve
from forge.testing.world import World
from forge.work.background.deliveries.deliveries import DeliveryStatus
from forge.work.record.log.kinds import EventKind
from tests.unit.outbound.sites import Site
from tests.unit.work.background.deliveries.mailrooms import SECRET, Mailroom
from tests.workshop.office import Office

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples" / "receive_events"
RECEIVER, FOLLOWER = EXAMPLES / "receiver.py", EXAMPLES / "follower.py"


def the_example(path: Path = RECEIVER) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def receiving(secret: str, clock: Callable[[], float]) -> Iterator[tuple[Site, list[Any]]]:
    """The example at work: where it is, and what it acted on."""
    acted: list[Any] = []
    server = the_example().a_receiver(0, secret=secret, act=acted.append, clock=clock)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield Site(port=server.server_address[1]), acted
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_it_takes_an_event_and_acts_once(store: Store) -> None:
    mailroom = Mailroom(store)
    now = mailroom.office.world.clock
    with receiving(SECRET, lambda: now().timestamp()) as (site, acted):
        mailroom.a_webhook(site, events=["ISSUE_CREATED"])
        mailroom.a_woken_agent(site)

        statuses = [one.status for one in mailroom.pump()]

    assert statuses == [DeliveryStatus.SUCCESS] * 2
    assert sorted(event["kind"] for event in acted) == [EventKind.AGENT_ASSIGNED, EventKind.ISSUE_CREATED]


def test_it_takes_nothing_from_who_does_not_know_the_secret_or_is_late(store: Store) -> None:
    mailroom = Mailroom(store)
    now = mailroom.office.world.clock
    with (
        receiving("another secret", lambda: now().timestamp()) as (unknown, first),
        receiving(SECRET, lambda: now().timestamp() + 301) as (late, second),
    ):
        for site in (unknown, late):
            mailroom.a_webhook(site, events=["ISSUE_CREATED"])
        mailroom.office.call("issues.create", {"title": "Fix login timeout"})

        tried = mailroom.pump()

    assert [one.response_status for one in tried] == [401, 401]
    assert first == second == []


def test_the_follower_tells_each_event_once_and_goes_on_where_it_was() -> None:
    follower = the_example(FOLLOWER)
    answers = [
        'retry: 300\n\nid: a\nevent: X\ndata: {"kind": "ISSUE_CREATED"}\n\nid: b\n\n',
        "retry: 1000\n\nid: c\n\n",
    ]

    first, second = (follower.read(iter(one.splitlines(keepends=True))) for one in answers)

    assert first == ([{"kind": "ISSUE_CREATED"}], "b", 0.3)
    assert second == ([], "c", 1.0)


def test_the_follower_follows_a_forge(store: Store) -> None:
    office = Office(World(store=store))
    for title in ("First", "Second"):
        office.call("issues.create", {"title": title})

    with serve(office.world.edge) as url:
        since = office.world.clock().isoformat()
        heard = the_example(FOLLOWER).follow(url, office.owner_key, subject="issue", since=since, answers=1)
        titles = [event["payload"]["title"] for event in heard]

    assert titles == ["First", "Second"]
