"""What days cost and what flowed on them, for as much of the workspace as the key may see."""

from datetime import date, timedelta
from typing import Any

import pytest

from forge.errors import InvalidInput
from forge.work.background.watchdogs import counted_days
from forge.work.overviews.figures.days import (
    MOST_PARTS,
    OTHERS,
    Flowed,
    FlowedItem,
    Spending,
    SpentBy,
    SpentItem,
    midnight,
    place_in,
)
from forge.work.overviews.figures.spans import class_of, percentile
from forge.work.workspace.reading_on import ReadUpToItem
from forge.work.workspace.workers import Worker
from functions.analytics.rules.figures import SHOWN, costs, days_of
from tests.workshop.issues import a_project, move
from tests.workshop.office import Body, Office
from tests.workshop.runs import engaged

TODAY = date(2027, 3, 31)


def count(office: Office) -> None:
    """Everything up to now."""
    office.world.clock.advance(minutes=31)
    worker = Worker(office.world.services.store, office.world.clock, office.world.ids)
    counted_days.look(worker, ReadUpToItem.at(office.workspace.id))


def spend(office: Office, usd: float, **issue: Any) -> tuple[str, str]:
    """An agent carries an issue out; the agent and the issue."""
    worker = engaged(office, **issue)
    worker.call("runs.complete", {"summary": "Done.", "usage": {"costUsd": usd}})
    move(office, worker.issue_id, "DONE")
    return worker.agent_id, worker.issue_id


def cost(office: Office, by: str = "DAY", key: str | None = None) -> Body:
    return office.call("analytics.cost", {"by": by}, key=key or office.owner_key)


def test_costs_are_told_by_agent_the_dearest_first_and_per_accepted_change(office: Office) -> None:
    cheap, _ = spend(office, 1.0)
    dear, _ = spend(office, 3.0)
    count(office)

    shown = cost(office, "AGENT")

    assert (shown["usd"], shown["acceptedChanges"], shown["usdPerAcceptedChange"]) == (4.0, 2, 2.0)
    assert [(row["id"], row["usd"]) for row in shown["rows"]] == [(dear, 3.0), (cheap, 1.0)]
    assert (shown["rows"][0]["name"], len(shown["rows"][0]["usdByDay"])) == ("Worker", 30)
    assert sum(day["usd"] for day in shown["days"]) == 4.0
    assert shown["countedUntil"] is not None


def test_agents_with_the_scope_see_it_too(office: Office) -> None:
    agent, _ = spend(office, 1.0)
    count(office)

    shown = cost(office, "MODEL", office.an_agents_key(agent))

    assert [(row["id"], row["usd"]) for row in shown["rows"]] == [("hermes", 1.0)]


def test_a_key_narrowed_to_projects_sees_theirs_and_nothing_told_apart_otherwise(office: Office) -> None:
    first, other = a_project(office, "ONE"), a_project(office, "OTHER")
    spend(office, 1.0, projectId=first)
    spend(office, 2.0, projectId=other)
    spend(office, 4.0)
    count(office)
    key = office.a_narrowed_key(project_ids=[first])

    by_day, by_project = cost(office, "DAY", key), cost(office, "PROJECT", key)
    flow = office.call("analytics.flow", key=key)

    assert (by_day["usd"], by_day["acceptedChanges"]) == (1.0, 1)
    assert [row["id"] for row in by_project["rows"]] == [first]
    assert (flow["done"], {day["inWork"] for day in flow["days"]}) == (1, {None})
    for by in ("AGENT", "MODEL", "GOAL"):
        assert office.refused("analytics.cost", {"by": by}, key=key)[:2] == (403, "forbidden")


def test_a_key_narrowed_to_labels_is_refused(office: Office) -> None:
    key = office.a_narrowed_key(label_ids=[office.a_label()["id"]])

    for tool in ("analytics.cost", "analytics.flow"):
        assert office.refused(tool, {}, key=key)[:2] == (403, "forbidden")


def test_another_workspace_sees_nothing_of_it(office: Office, other_office: Office) -> None:
    spend(office, 1.0)
    count(office)

    assert cost(other_office)["usd"] == 0


def test_flow_tells_what_was_done_and_what_is_in_work(office: Office) -> None:
    spend(office, 1.0)
    engaged(office).call("runs.recordUsage", {"costUsd": 0.1})
    count(office)

    flow = office.call("analytics.flow")

    assert (flow["created"], flow["done"], flow["acceptedChanges"]) == (2, 1, 1)
    assert flow["days"][-1]["inWork"] is not None
    assert flow["reviews"] == {"passed": 0, "failed": 0, "passRate": None}


def test_a_call_asks_the_same_however_many_days_and_agents_there_are(office: Office) -> None:
    workspace_id, today = office.workspace.id, office.world.clock().date()
    parts = {f"agt_{number:026}": Spending(usd=1) for number in range(MOST_PARTS)}
    days = [str(today - timedelta(days=ago)) for ago in range(90)]
    office.put(
        *(
            SpentItem(workspace_id=workspace_id, by=SpentBy.AGENT, begins=midnight(day), parts=parts)
            for day in days
        )
    )
    office.put(
        *(
            FlowedItem(workspace_id=workspace_id, begins=midnight(day), parts={"-": Flowed(done=1)})
            for day in days
        )
    )
    since = str(today - timedelta(days=89))

    shown = office.call("analytics.cost", {"by": "AGENT", "since": since})

    assert shown["usd"] == 90 * MOST_PARTS
    assert len(shown["rows"]) == SHOWN
    assert shown["others"]["usd"] == 90 * (MOST_PARTS - SHOWN)


def test_what_has_no_room_of_its_own_is_counted_with_all_others() -> None:
    full = {str(number): Spending() for number in range(MOST_PARTS)}

    assert [place_in(full, name) for name in ("7", "new", None)] == ["7", OTHERS, OTHERS]


def test_others_are_never_shown_as_one_of_the_dearest() -> None:
    day = SpentItem(
        workspace_id="ws_1",
        by=SpentBy.AGENT,
        begins=midnight("2027-03-31"),
        parts={OTHERS: Spending(usd=9), "a": Spending(usd=1)},
    )

    found = costs(["2027-03-31"], {day.day: day}, {}, projects=None)

    assert [one.name for one in found.dearest] == ["a"]
    assert found.others == Spending(usd=9)


def test_a_range_is_a_month_unless_it_is_said_and_a_quarter_at_most() -> None:
    assert (days_of(None, None, TODAY)[0], days_of(None, None, TODAY)[-1]) == ("2027-03-02", "2027-03-31")
    assert days_of(None, TODAY + timedelta(days=9), TODAY)[-1] == "2027-03-31"
    assert days_of(TODAY, TODAY, TODAY) == ["2027-03-31"]
    for since, until in ((TODAY - timedelta(days=92), None), (TODAY, TODAY - timedelta(days=1))):
        with pytest.raises(InvalidInput):
            days_of(since, until, TODAY)


@pytest.mark.parametrize("minutes", [1, 7, 45, 600, 10_000])
def test_a_percentile_is_right_within_a_tenth(minutes: int) -> None:
    found = percentile({class_of(timedelta(minutes=minutes)): 3}, 0.5)

    assert found is not None
    assert abs(found - minutes) <= max(1, minutes * 0.13)


def test_half_of_all_is_not_what_the_slowest_took() -> None:
    spans = {class_of(timedelta(minutes=10)): 9, class_of(timedelta(minutes=1000)): 1}

    assert (percentile(spans, 0.5), percentile({}, 0.5)) == (percentile(spans, 0.9), None)
