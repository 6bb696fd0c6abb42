"""Races with real threads: whoever comes together, the outcome is as if they had come one by one."""

import json
from collections import Counter
from typing import Any

from forge.auth import rates
from forge.auth.keys import hash_of
from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import watched
from forge.testing.world import World
from forge.wire.http import Response
from forge.work.workspace.people.authentication import AUTHENTICATION
from forge.work.workspace.people.members import MEMBERS
from tests.integration.races.crowds import at_once
from tests.unit.store.ledger import a_ledger_world, balance_of
from tests.unit.store.things import begin
from tests.unit.wire.answers import body_of
from tests.unit.work.working_agents import a_working_agent, departures, sweep_now
from tests.workshop.interference import COMMIT, Interference, Tally, once_before, only

ONCE = {"idempotency-key": "once"}


def statuses(answers: list[Response]) -> Counter[int]:
    return Counter(answer.status for answer in answers)


def labels_of(world: World) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = body_of(world.rest("labels.list", key=world.owner_key()))["data"]
    return listed


def a_second_owner(world: World) -> tuple[str, str]:
    """The user id and a raw key of another owner of the workspace."""
    owner = world.owner_key()
    order = {"email": "bob@example.com", "role": "OWNER"}
    user_id = body_of(world.admin("members.add", order, key=owner))["id"]
    key_order = {"name": "laptop", "scopes": ["ADMIN"], "userId": user_id}
    return user_id, body_of(world.admin("keys.create", key_order, key=owner))["rawKey"]


def first_owner_id(world: World) -> str:
    owner_id: str = body_of(world.admin("members.list", key=world.owner_key()))["data"][0]["id"]
    return owner_id


def owners(store: Store, world: World) -> list[str]:
    rows = store.table.query_all(MEMBERS(world.workspace.id), most=10)
    return [row["user_id"]["S"] for row in rows if row["role"]["S"] == "OWNER"]


def demote(world: World, user_id: str, *, key: str) -> Response:
    return world.admin("members.setRole", {"userId": user_id, "role": "MEMBER"}, key=key)


def test_one_of_sixteen_gets_the_lease(store: Store) -> None:
    world = a_ledger_world(store)
    callers = [world.a_key() for _ in range(16)]

    answers = at_once(16, lambda place: world.rest("ledger.lock", {}, key=callers[place]))

    assert statuses(answers) == {200: 1, 409: 15}
    assert [body_of(answer)["fence"] for answer in answers if answer.status == 200] == [1]


def test_sessions_of_one_key_do_not_share_a_lease(store: Store) -> None:
    world = a_ledger_world(store)
    key = world.a_key()

    answers = at_once(
        8,
        lambda place: world.rest("ledger.lock", {}, key=key, headers={"x-forge-session": f"session-{place}"}),
    )

    assert statuses(answers) == {200: 1, 409: 7}


def test_every_change_that_was_acknowledged_is_applied_once(store: Store) -> None:
    tally = Tally()
    world = a_ledger_world(watched(store, tally))
    callers = [world.a_key() for _ in range(8)]
    tally.tried.clear()

    def add_twenty(place: int) -> list[int]:
        return [add_one(place, number) for number in range(20)]

    def add_one(place: int, number: int) -> int:
        """As a caller does it who was told to try again: with the same idempotency key."""
        header = {"idempotency-key": f"{place}-{number}"}
        while True:
            answer = world.rest("ledger.add", {}, key=callers[place], headers=header)
            if answer.status == 200:
                return int(body_of(answer)["balance"])
            assert answer.status == 409
            assert body_of(answer)["retryable"]

    balances = [balance for twenty in at_once(8, add_twenty) for balance in twenty]

    assert balance_of(store, world) == 160
    assert sorted(balances) == list(range(1, 161))
    # Somebody did come in between, or this test would show nothing.
    assert tally.tried.count(COMMIT) > 160


def test_one_key_from_ten_sides_has_one_effect_and_one_answer(stored_world: World) -> None:
    key = stored_world.owner_key()

    answers = at_once(
        10, lambda _: stored_world.rest("labels.create", {"name": "bug"}, key=key, headers=ONCE)
    )

    assert statuses(answers) == {200: 10}
    assert len({answer.body for answer in answers}) == 1
    assert [label["id"] for label in labels_of(stored_world)] == [body_of(answers[0])["id"]]


def test_one_key_for_ten_different_calls_serves_the_first_alone(stored_world: World) -> None:
    key = stored_world.owner_key()

    answers = at_once(
        10,
        lambda place: stored_world.rest("labels.create", {"name": f"bug-{place}"}, key=key, headers=ONCE),
    )

    assert statuses(answers) == {200: 1, 409: 9}
    assert len(labels_of(stored_world)) == 1


def test_a_change_whose_answer_was_lost_is_not_made_twice_when_it_is_repeated(store: Store) -> None:
    interference = Interference()
    world = a_ledger_world(watched(store, interference))
    key = world.a_key()
    interference.handle = only(COMMIT, FaultAt(Fault.CRASHED_AFTER, position=0))

    def call() -> str:
        try:
            return world.rest("ledger.add", {"amount": 7}, key=key, headers=ONCE).body
        except ProcessDied:
            return "lost"

    answers = [call(), call(), call()]

    assert answers == ["lost", '{"balance":7}', '{"balance":7}']
    assert balance_of(store, world) == 7


def test_a_repetition_that_overtakes_the_first_call_has_one_effect(store: Store) -> None:
    interference = Interference()
    world = a_ledger_world(watched(store, interference))
    key = world.a_key()
    overtaking: list[str] = []

    def call() -> str:
        return world.rest("ledger.add", {}, key=key, headers=ONCE).body

    interference.handle = once_before(COMMIT, lambda: overtaking.append(call()))
    overtaken = call()

    assert overtaking == [overtaken] == ['{"balance":1}']
    assert balance_of(store, world) == 1


def test_one_of_ten_gets_the_name_of_a_label(stored_world: World) -> None:
    key = stored_world.owner_key()
    spellings = ["bug", "Bug", "BUG", "bUg", "buG"] * 2

    answers = at_once(
        10, lambda place: stored_world.rest("labels.create", {"name": spellings[place]}, key=key)
    )

    assert statuses(answers) == {200: 1, 409: 9}
    assert len(labels_of(stored_world)) == 1


def test_two_labels_that_swap_names_never_end_with_one_name(stored_world: World) -> None:
    key = stored_world.owner_key()
    ids = [body_of(stored_world.rest("labels.create", {"name": name}, key=key))["id"] for name in "ab"]

    answers = at_once(
        2,
        lambda place: stored_world.rest("labels.update", {"id": ids[place], "name": "ba"[place]}, key=key),
    )

    assert statuses(answers) == {409: 2}
    assert sorted(label["name"] for label in labels_of(stored_world)) == ["a", "b"]


def test_two_owners_who_unmake_each_other_at_once_leave_one(store: Store, stored_world: World) -> None:
    ada_id, ada_key = first_owner_id(stored_world), stored_world.owner_key()
    bob_id, bob_key = a_second_owner(stored_world)

    answers = at_once(
        2,
        lambda place: demote(stored_world, (bob_id, ada_id)[place], key=(ada_key, bob_key)[place]),
    )

    assert len(owners(store, stored_world)) == 1
    refused = [answer.status for answer in answers if answer.status != 200]
    # Who is unmade before the key is looked at is no admin any more; who is unmade after that is too late.
    assert refused in ([403], [409])


def test_an_owner_unmade_in_the_middle_of_unmaking_the_other_is_too_late(store: Store) -> None:
    interference = Interference()
    world = World(store=watched(store, interference))
    ada_id, ada_key = first_owner_id(world), world.owner_key()
    bob_id, bob_key = a_second_owner(world)
    interference.handle = once_before(COMMIT, lambda: demote(world, ada_id, key=bob_key))

    answer = demote(world, bob_id, key=ada_key)

    assert answer.status == 409
    assert owners(store, world) == [bob_id]


def test_sixteen_at_the_limit_are_admitted_up_to_it(store: Store, stored_world: World) -> None:
    key = stored_world.a_key()
    window = {"rest_window": rates.window_of(stored_world.clock()), "rest_count": 290}
    tx = begin(store)
    tx.adjust(AUTHENTICATION(hash_of(key)), assign=window)
    store.commit(tx)

    answers = at_once(16, lambda _: [stored_world.rest("workspace.get", key=key) for _ in range(2)])

    outcomes = statuses([answer for both in answers for answer in both])
    assert outcomes == {200: 10, 429: 22}


def test_four_sweeps_at_once_send_an_agent_away_once(store: Store, stored_world: World) -> None:
    agents = [a_working_agent(stored_world, f"worker-{number}") for number in range(3)]
    stored_world.clock.advance(minutes=20)

    at_once(4, lambda _: sweep_now(store, stored_world))

    gone = [row.subject_id for row in departures(store, stored_world)]
    assert sorted(gone) == sorted(agent.id for agent in agents)


def test_a_workspace_s_name_is_founded_once(stored_world: World) -> None:
    key = stored_world.owner_key()
    order = {"slug": "acme", "key": "ACME", "name": "Acme"}

    answers = at_once(8, lambda _: stored_world.admin("workspaces.create", order, key=key))

    assert statuses(answers) == {200: 1, 409: 7}


def test_one_address_becomes_one_user_however_many_add_it(store: Store, stored_world: World) -> None:
    others = [stored_world.add_workspace(f"team-{number}") for number in range(4)]
    order = {"email": "bob@example.com"}

    answers = at_once(
        4,
        lambda place: stored_world.admin("members.add", order, key=stored_world.owner_key(others[place])),
    )

    assert statuses(answers) == {200: 4}
    assert len({json.loads(answer.body)["id"] for answer in answers}) == 1
