"""Who is erased leaves work and an id that names nobody, whatever dies on the way."""

import json
from datetime import timedelta
from typing import Any

from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import Parameters, Send, watched
from forge.testing.world import World
from forge.work.workspace.people.members import EmailItem, UserItem
from tests.contract.dumps import content, dump, restore
from tests.unit.admin.exporting import Exporter
from tests.unit.work.background.erasures.leavers import (
    EMAIL,
    HANDLE,
    NAME,
    SECRET_WORDS,
    Leaver,
    of_workspace,
    texts_of,
    work,
)
from tests.workshop.interference import COMMIT, Interference, let_pass
from tests.workshop.office import Office


def erased(leaver: Leaver) -> str:
    """The order is carried out, a minute later."""
    world = leaver.office.world
    world.clock.advance(minutes=2)
    assert work(world, world.services.store, leaver.office.workspace.id, leaver.id)
    return str(leaver.office.call("erasures.get", {"userId": leaver.id})["status"])


def assert_nothing_tells_who(store: Store) -> None:
    found = texts_of(store)
    for word in (EMAIL, NAME, HANDLE, SECRET_WORDS):
        assert word not in found, found[max(0, found.index(word) - 300) : found.index(word) + 100]


def test_nothing_stored_tells_who_they_were_nor_what_they_kept_for_themselves(
    store: Store, office: Office
) -> None:
    leaver = Leaver(office)
    leaver.live()
    assert all(word in texts_of(store) for word in (EMAIL, NAME, HANDLE, SECRET_WORDS))

    leaver.erase()
    office.sweep()

    assert erased(leaver) == "DONE"
    assert_nothing_tells_who(store)
    assert leaver.id in texts_of(store)


def test_what_they_did_for_others_stays_under_their_id(office: Office) -> None:
    leaver = Leaver(office)
    issue_id = leaver.live()

    leaver.erase()
    erased(leaver)

    shown = office.call("issues.get", {"id": issue_id})
    assert shown["title"] == "Login hangs"
    (comment,) = office.rows("comments.list", {"issueId": issue_id})
    assert comment["body"] == "On Safari."
    assert leaver.id in json.dumps(office.pages("audit.list"))
    assert leaver.id not in [row["id"] for row in office.rows("members.list")]
    assert office.send("workspace.get", key=leaver.colleague.key).status == 403


def test_neither_exports_nor_answers_after_it_name_them(store: Store, world: World) -> None:
    exporter = Exporter(world)
    leaver = Leaver(exporter)
    issue_id = leaver.live()
    before = exporter.order()
    assert exporter.consume(before)
    assert EMAIL in exporter.written(before)

    leaver.erase()
    erased(leaver)

    assert exporter.refused("exports.get", {"exportId": before})[0] == 404
    after = json.dumps(exporter.exported())
    answers = [
        exporter.call(tool, arguments)
        for tool, arguments in (
            ("members.list", {}),
            ("keys.list", {"limit": 100}),
            ("audit.list", {"limit": 100}),
            ("events.recent", {"limit": 100}),
            ("issues.get", {"id": issue_id}),
            ("issues.list", {"query": HANDLE}),
            ("agent.context.bundle", {"issueId": issue_id}),
            ("workspace.get", {}),
        )
    ]
    for word in (EMAIL, NAME, HANDLE, SECRET_WORDS):
        assert word not in after + json.dumps(answers)
    again = {"email": EMAIL, "name": NAME, "handle": HANDLE, "timezone": "Europe/Lisbon"}
    fresh = exporter.call("members.add", again, idempotency_key="once")
    assert fresh["id"] != leaver.id


def test_an_export_that_is_under_way_is_waited_for(store: Store, world: World) -> None:
    exporter = Exporter(world)
    leaver = Leaver(exporter)
    under_way = exporter.order()
    leaver.erase()

    assert erased(leaver) == "RUNNING"
    assert exporter.consume(under_way)
    world.clock.advance(minutes=5)
    exporter.sweep()
    assert erased(leaver) == "DONE"
    assert_nothing_tells_who(store)


def test_who_is_a_member_elsewhere_stays_a_user_there(store: Store, world: World, office: Office) -> None:
    other = Office(world, world.add_workspace("other"))
    leaver = Leaver(office)
    there = other.call("members.add", {"email": EMAIL, "name": NAME})
    assert there["id"] == leaver.id
    held = of_workspace(dump(store), other.workspace.id)

    leaver.erase()
    assert erased(leaver) == "DONE"

    assert of_workspace(dump(store), other.workspace.id) == held
    assert store.table.find(UserItem, UserItem.at(leaver.id)) is not None
    assert [row["email"] for row in other.rows("members.list")][-1] == EMAIL
    assert EMAIL not in json.dumps([*of_workspace(dump(store), office.workspace.id).items()])

    other.call("members.erase", {"userId": leaver.id})
    leaver.office = other
    assert erased(leaver) == "DONE"
    assert_nothing_tells_who(store)


def test_who_joins_another_workspace_while_nobody_is_looking_stays_a_user(
    store: Store, world: World, office: Office, interference: Interference
) -> None:
    other = Office(world, world.add_workspace("other"))
    leaver = Leaver(office)
    leaver.erase()
    joined: list[dict[str, Any]] = []

    def join_before_the_user_goes(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        text = json.dumps(parameters)
        if operation == COMMIT and f"USER#{leaver.id}" in text and "Delete" in text and not joined:
            interference.handle = let_pass
            joined.append(other.call("members.add", {"email": EMAIL}))
        return send(**parameters)

    interference.handle = join_before_the_user_goes
    assert erased(leaver) == "DONE"

    assert joined[0]["id"] == leaver.id
    assert store.table.find(UserItem, UserItem.at(leaver.id)) is not None
    assert store.table.find(EmailItem, EmailItem.of_address(EMAIL)) is not None


def test_nobody_is_added_again_while_they_are_erased_and_whoever_is_later_is_somebody_new(
    office: Office,
) -> None:
    leaver = Leaver(office)
    leaver.erase()

    assert office.refused("members.add", {"email": EMAIL})[:2] == (409, "conflict")

    erased(leaver)
    assert office.call("members.add", {"email": EMAIL})["id"] != leaver.id


def test_who_was_removed_before_can_be_erased_and_who_never_was_here_can_not(
    store: Store, office: Office
) -> None:
    leaver = Leaver(office)
    leaver.live()
    office.call("members.remove", {"userId": leaver.id})

    leaver.erase()

    assert erased(leaver) == "DONE"
    assert_nothing_tells_who(store)
    assert office.refused("members.erase", {"userId": "usr_nobody"})[0] == 404
    assert office.refused("erasures.get", {"userId": office.owner_id})[0] == 404
    # Once more is about the same.
    assert office.call("members.erase", {"userId": leaver.id})["status"] == "DONE"


def test_neither_oneself_nor_an_owner_by_an_admin_is_erased(office: Office) -> None:
    admin = office.a_colleague("ADMIN")

    assert office.refused("members.erase", {"userId": office.owner_id})[:2] == (403, "forbidden")
    refused = office.refused("members.erase", {"userId": office.owner_id}, key=admin.key)
    assert refused[:2] == (403, "forbidden")
    member = office.a_colleague()
    assert office.refused("members.erase", {"userId": admin.id}, key=member.key)[0] == 403


def test_wherever_a_worker_dies_the_next_one_finishes(store: Store, world: World, office: Office) -> None:
    other = Office(world, world.add_workspace("other"))
    other.call("issues.create", {"title": "Somebody else's"})
    leaver = Leaver(office)
    leaver.live()
    leaver.erase()
    world.clock.advance(minutes=2)
    before, theirs = dump(store), of_workspace(dump(store), other.workspace.id)
    deaths = 0
    while True:
        dying = FaultAt(Fault.CRASHED, 5 * deaths)
        try:
            assert work(world, watched(store, dying), office.workspace.id, leaver.id)
            break
        except ProcessDied:
            deaths += 1
        # When its lease is over.
        world.clock.advance(minutes=25)
        work(world, store, office.workspace.id, leaver.id)

        assert_nothing_tells_who(store)
        assert of_workspace(dump(store), other.workspace.id) == theirs
        world.clock.advance(minutes=-25)
        restore(store, before, present=dump(store))

    assert deaths > 10


def test_a_worker_without_time_goes_on_where_it_was(store: Store, world: World, office: Office) -> None:
    leaver = Leaver(office)
    leaver.live()
    leaver.erase()
    world.clock.advance(minutes=2)

    rounds = 0
    while office.call("erasures.get", {"userId": leaver.id})["status"] != "DONE":
        budget = iter([True, False])
        work(world, store, office.workspace.id, leaver.id, has_time=lambda budget=budget: next(budget))
        rounds += 1

    assert rounds > 5
    assert_nothing_tells_who(store)


def test_before_its_time_and_while_another_is_at_it_nothing_is_done(
    store: Store, world: World, office: Office
) -> None:
    leaver = Leaver(office)
    leaver.erase()
    held = content(store)

    assert not work(world, store, office.workspace.id, leaver.id)
    assert not work(world, store, office.workspace.id, "usr_nobody")
    assert content(store) == held
    world.clock.advance(seconds=timedelta(minutes=1).seconds)
    assert work(world, store, office.workspace.id, leaver.id)
    assert not work(world, store, office.workspace.id, leaver.id)
