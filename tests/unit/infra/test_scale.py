"""Where one workspace stops follows from what was recorded, and from nothing that is said elsewhere."""

from dataclasses import replace

from forge.testing.simulation.partitions import Order
from infra.scale.limits import first_limit, limits, pressures
from infra.scale.overload import overload
from infra.scale.prices import price_of
from infra.scale.recorded import Place, Task, Tool, read_task, recorded_task, written_down
from infra.scale.services import SHARDED
from tests.contract.stacks import RESOURCES

A_CALL = Tool(calls=1, written=4.0, read=2.0, requests={"UpdateItem": 1, "TransactWriteItems": 1})


def a_place(name: str, **more: object) -> Place:
    given = Place(name, "", 1, Order.GROWS, written=0, read=0, hottest_written=0, hottest_read=0)
    return replace(given, **more)  # type: ignore[arg-type]  # fields by their names


def a_task(*places: Place) -> Task:
    return Task(
        tools={"issues.create": A_CALL, "issues.get": A_CALL},
        relay=A_CALL,
        words=A_CALL,
        dispatch=A_CALL,
        places=[*places],
        marks=1.0,
        messages={"dispatch": 1.0, "words": 1.0},
    )


def test_a_partition_stops_where_its_units_are_used_up() -> None:
    (pressure,) = pressures(a_task(a_place("LOG", written=4.0)), shards=1)

    # Two units a call, and a thousand a second.
    assert pressure.calls_a_second == 500


def test_shards_spread_what_is_sharded_and_nothing_else() -> None:
    task = a_task(a_place("LOG", written=4.0), a_place("QUEUE", written=1.0))

    assert [one.calls_a_second for one in pressures(task, shards=1)] == [500, 2_000]
    assert [one.calls_a_second for one in pressures(task, shards=8)] == [2_000, 4_000]


def test_of_what_lies_all_over_the_hottest_item_stops_first() -> None:
    task = a_task(a_place("COUNT#issues", order=Order.SPREADS, written=10.0, hottest_written=0.5))

    (pressure,) = pressures(task, shards=1)

    assert pressure.calls_a_second == 4_000


def test_reads_have_three_times_as_many_units() -> None:
    (pressure,) = pressures(a_task(a_place("WORKSPACE", order=Order.ITEM, read=4.0)), shards=1)

    assert pressure.calls_a_second == 1_500


def test_the_simulated_limit_is_near_the_reckoned_one() -> None:
    what, rate = first_limit(a_task(a_place("LOG", written=4.0)), shards=2)

    assert what == "LOG, written"
    assert 950 < rate < 1_020


def test_everything_that_can_stop_is_asked() -> None:
    found = {one.what for one in limits(recorded_task(), RESOURCES, shards=1)}

    assert {"LOG, written", "relay", "worker of words", "queue of words", "functions, by MCP"} <= found
    assert {"worker of dispatch", "quota of a table, written"} <= found


def test_what_is_sharded_is_there() -> None:
    """A name that no partition has would spread nothing."""
    assert {one.name for one in recorded_task().places} >= SHARDED


def test_a_minute_of_ten_times_too_much_is_told_once_and_not_late_for_two_minutes() -> None:
    found = overload(recorded_task(), RESOURCES, shards=1, kept_seconds=300)

    assert found.told.sent_once == found.told.marks
    assert found.seconds_late < 120
    assert 0 < found.refused < 1


def test_a_task_costs_what_all_its_services_cost() -> None:
    price = price_of(recorded_task(), RESOURCES)

    assert 0 < price.queues < price.functions < price.tables < price.together < 0.001


def test_what_is_written_down_is_read_as_it_was() -> None:
    task = recorded_task()

    assert read_task(written_down(task)) == task
