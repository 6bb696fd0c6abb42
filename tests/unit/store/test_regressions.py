"""What once went wrong in the store and the sweep, and must not again."""

from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any

import pytest

from forge.context import Context
from forge.contract.catalog import Catalog
from forge.contract.catalog_tools import CatalogTool
from forge.contract.compiler import compile_catalog
from forge.contract.models import Model, NoArguments
from forge.contract.terms import Effect, Scope
from forge.contract.tools import Namespace
from forge.errors import DomainError, Unavailable
from forge.store import counters, leases
from forge.store.codec import encode_value
from forge.store.keys import sortable_time
from forge.store.physical import QUEUES, table_definition
from forge.store.provision import provision
from forge.store.store import Store
from forge.store.transactions import Transaction
from forge.testing.faults import Fault, FaultAt
from forge.testing.instruments import Counter, SkippedTime, watched
from forge.testing.world import World
from forge.work.workspace.people.members import EmailItem
from tests.unit.store import ledger
from tests.unit.store.test_codec import NoteItem
from tests.unit.store.things import ThingItem, a_caller, put, thing_key
from tests.workshop.interference import COMMIT, Interference, let_pass

ONCE = {"idempotency-key": "once"}


def test_a_count_can_change_several_times_in_one_transaction(tx: Transaction, store: Store) -> None:
    for _ in range(counters.SHARDS + 1):
        counters.add_to_count(tx, "issues", dimension="TODO", delta=1)

    store.commit(tx)

    assert counters.read_counts(store.table, "ws_1", "issues") == {"TODO": counters.SHARDS + 1}


class OutOfPatience(Exception):
    pass


@pytest.mark.not_on_moto(reason="waits for what no engine decides")
def test_what_a_batch_never_gets_done_is_unavailable_in_the_end(store: Store) -> None:
    asked: list[int] = []

    def leave_all(operation: str, parameters: Any, send: Any) -> dict[str, Any]:
        asked.append(1)
        if len(asked) > 1000:
            raise OutOfPatience
        return {"Responses": {}, "UnprocessedKeys": parameters["RequestItems"]}

    with pytest.raises(Unavailable):
        watched(store, leave_all, SkippedTime()).table.find_rows([thing_key("one")])


def test_the_queues_are_as_described(store: Store) -> None:
    for queue in QUEUES:
        found = store.queues.client.get_queue_attributes(
            QueueUrl=store.queues.urls[queue.name], AttributeNames=["All"]
        )["Attributes"]
        assert int(found["VisibilityTimeout"]) == queue.visibility_seconds
        assert "RedrivePolicy" in found


def test_provisioning_that_died_halfway_is_completed(connections: Any) -> None:
    definition = table_definition()
    definition["StreamSpecification"]["StreamEnabled"] = True
    connections.dynamodb().create_table(TableName="forge-test-halfway", **definition)

    store = provision(connections, "forge-test-halfway")

    answer = store.table.client.ask("DescribeTimeToLive", {"TableName": store.table.name})
    assert answer["TimeToLiveDescription"]["TimeToLiveStatus"] == "ENABLED"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ('{"runTokenBudget": 1' + "0" * 45 + "1}", 400),
        ('{"runCostBudgetUsd": 1e-200}', 400),
        ('{"runCostBudgetUsd": 1e300}', 400),
    ],
)
def test_a_number_that_the_table_can_not_keep_is_invalid_input(
    stored_world: World, body: str, status: int
) -> None:
    assert stored_world.admin("workspaces.update", body, key=stored_world.owner_key()).status == status


@pytest.mark.parametrize("before", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_at_the_end_of_the_calendar_is_no_bug_of_ours(stored_world: World, before: str) -> None:
    assert stored_world.rest("events.recent", {"before": before}, key=stored_world.owner_key()).status < 500


def test_the_order_of_early_times_is_the_order_of_times() -> None:
    assert sortable_time(datetime(999, 1, 1, tzinfo=UTC)) < sortable_time(datetime(2026, 1, 1, tzinfo=UTC))


def test_requests_that_were_refused_are_counted_too(counter: Counter, tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="one"))
    tx.create(ThingItem(id="one"))
    with pytest.raises(DomainError):
        watched(store, counter).commit(tx)

    assert counter.writes == 1


class Secret(Model):
    raw_key: str


namespace = Namespace("odd", "Tools with a secret and with two transactions.")


@namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING, secrets=["raw_key"])
def mint(request: NoArguments, ctx: Context) -> Secret:
    """Make a secret."""
    return Secret(raw_key="s3cr3t")


@namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING)
def twice(request: NoArguments, ctx: Context) -> ledger.Balance:
    """Add one in a transaction of its own, then touch the account in a second."""
    tx = ctx.plan()
    tx.adjust(ledger.AccountItem.at(ctx.caller.workspace_id), add={"balance": 1})
    ctx.commit()
    account = ledger._account(ctx)
    tx = ctx.plan()
    tx.replace(account)
    return ledger.Balance(balance=account.balance)


def an_odd_world(store: Store) -> World:
    odd = [CatalogTool.from_document(one) for one in compile_catalog([namespace])["tools"]]
    world = World(store=store, catalog=Catalog([*ledger.ledger_catalog().tools, *odd]))
    ledger.open_account(store, a_caller(workspace_id=world.workspace.id))
    return world


def test_a_secret_is_not_stored_although_it_came_through_the_catalog(store: Store) -> None:
    world = an_odd_world(store)

    world.call("catalog.call", {"name": "odd.mint"}, key=world.a_key(), headers=ONCE)

    assert "s3cr3t" not in str(store.table.client.ask("Scan", {"TableName": store.table.name})["Items"])


def test_a_first_transaction_is_not_repeated_because_the_second_met_somebody(store: Store) -> None:
    interference = Interference()
    world = an_odd_world(watched(store, interference))
    key = world.a_key()
    commits: list[int] = []

    def meet_somebody(operation: str, parameters: Any, send: Any) -> dict[str, Any]:
        if operation == COMMIT:
            commits.append(1)
            if len(commits) == 2:
                interference.handle = let_pass
                world.rest("ledger.add", {"amount": 100}, key=key)
        answer: dict[str, Any] = send(**parameters)
        return answer

    interference.handle = meet_somebody
    world.rest("odd.twice", {}, key=key)

    assert ledger.balance_of(store, world) == 101


@pytest.mark.not_on_moto(reason="waits for what no engine decides")
def test_patience_is_not_spent_twice(store: Store) -> None:
    """Measured by what is asked, not by time: after Unavailable nothing more is asked."""
    interference = Interference()
    world = ledger.a_ledger_world(watched(store, interference, SkippedTime()))
    key = world.a_key()
    asked: list[str] = []

    def time_out(operation: str, parameters: Any, send: Any) -> dict[str, Any]:
        if parameters.get("Key", {}).get("pk", {}).get("S", "").startswith("KEY#"):
            answer: dict[str, Any] = send(**parameters)
            return answer
        asked.append(str(parameters.get("Key")))
        return FaultAt(Fault.TIMED_OUT, position=0)(operation, parameters, send)

    interference.handle = time_out
    world.rest("ledger.add", {}, key=key, headers=ONCE)

    assert len(set(asked)) == 1


def test_a_set_of_enums_is_stored_as_their_values() -> None:
    class Grade(Enum):
        FIRST = "first"

    assert encode_value({Grade.FIRST}) == {"SS": ["first"]}


def test_an_empty_set_inside_a_map_can_be_stored(store: Store) -> None:
    note = NoteItem(content={"tags": set()})

    put(store, note)

    kept = store.table.find(NoteItem, note.key)
    assert kept is not None
    assert not kept.content["tags"]


def test_a_lease_as_acquired_is_the_lease_as_stored(tx: Transaction, store: Store) -> None:
    taken = leases.acquire(tx, leases.find(store.table, "ws_1", "x"), duration=timedelta(hours=1))
    store.commit(tx)

    assert taken == leases.find(store.table, "ws_1", "x")


def test_two_addresses_that_differ_are_two_addresses() -> None:
    assert EmailItem.of_address("straße@example.com") != EmailItem.of_address("strasse@example.com")


def test_showing_connections_shows_no_credentials(connections: Any) -> None:
    assert "credentials" not in repr(connections)
