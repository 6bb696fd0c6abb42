"""What the guide says that it costs follows from the template, from measured units and from list prices."""

import pytest

from forge.testing.clock import NOON
from forge.testing.instruments import Counter, watched
from forge.work.background.sweep import sweep
from forge.work.background.sweep.sweep import Sweep
from forge.work.workspace.workers import Worker
from infra.costs import CALLS, IDLE_SWEEP_UNITS, MOST_IDLE, idle_costs, watched_figures
from tests.contract.calls import SAMPLES
from tests.contract.rehearsals import Rehearse
from tests.contract.stacks import RESOURCES
from tests.contract.test_watching import ALARMS, figures


def test_an_idle_stack_costs_little() -> None:
    costs = idle_costs(RESOURCES)

    assert sum(one.alone for one in costs) <= MOST_IDLE == 3.0
    assert all(one.alone <= one.listed for one in costs)


def test_every_figure_that_an_alarm_watches_is_paid_for() -> None:
    default = sum(len(figures(alarm, with_indexes=False)) for alarm in ALARMS.values())
    indexes = sum(len(figures(alarm)) for alarm in ALARMS.values())

    assert watched_figures(RESOURCES) == default
    assert watched_figures(RESOURCES, with_indexes=True) == indexes


@pytest.mark.parametrize("name", CALLS)
def test_a_call_takes_the_units_that_the_table_is_made_of(name: str, rehearse: Rehearse) -> None:
    rehearsal = rehearse(next(one for one in SAMPLES if one.tool.name == name))

    sent = rehearsal.used.sent
    writes = sum(one.units for one in sent if one.operation in {"TransactWriteItems", "UpdateItem"})
    reads = sum(one.units for one in sent) - writes

    assert (reads, writes) == CALLS[name]


def test_a_sweep_that_finds_nothing_takes_the_units_that_the_table_is_made_of(rehearse: Rehearse) -> None:
    rehearsal = rehearse(SAMPLES[0])
    used = Counter()
    long_ago = NOON.replace(year=NOON.year - 1)
    task = Sweep(
        Worker(watched(rehearsal.store, used), lambda: long_ago, rehearsal.world.ids), lambda *failure: None
    )

    assert sweep.run(task) == 0
    assert sum(one.units for one in used.sent) == IDLE_SWEEP_UNITS
