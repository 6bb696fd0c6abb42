"""issues.bulkTransition: all are checked before any moves, and then they move in chunks."""

import json
from itertools import pairwise

import pytest

from forge.work.issues.issues import MAX_LIVE_RUNS
from forge.work.record.log.kinds import EventKind
from tests.workshop.issues import (
    CLOSED,
    a_project,
    a_queued_issue,
    an_agents_key,
    an_issue,
    assign,
    block,
    counts,
    events,
    has_no_live_run,
    head,
    issues,
    live_run,
    load,
    move,
    queue,
    run,
    status_id,
    with_a_short_prefix,
    woken,
)
from tests.workshop.office import Body, Office


def move_all(office: Office, ids: list[str], category: str, **how: str) -> Body:
    wanted = {"ids": ids, "statusId": status_id(office, category)}
    return office.call("issues.bulkTransition", wanted, **how)


def categories(office: Office, ids: list[str]) -> set[str]:
    return {head(office, issue_id).category for issue_id in ids}


def test_all_of_them_move_and_are_counted(office: Office) -> None:
    ids = issues(office, 3)

    answer = move_all(office, ids, "TODO")

    assert answer == {"count": 3, "statusId": status_id(office, "TODO"), "failed": []}
    assert categories(office, ids) == {"TODO"}


def test_those_that_are_there_already_are_skipped_and_not_counted(office: Office) -> None:
    there, elsewhere = issues(office, 2)
    move(office, there, "TODO")
    before = head(office, there)
    office.world.clock.advance(minutes=1)

    assert move_all(office, [there, elsewhere], "TODO")["count"] == 1

    assert head(office, there) == before
    assert len(events(office, EventKind.ISSUE_STATUS_CHANGED)) == 2


def test_an_issue_that_is_named_twice_moves_once(office: Office) -> None:
    short = with_a_short_prefix(office)
    issue = short.call("issues.create", {"title": "One"})

    answer = move_all(short, [issue["id"], issue["identifier"], issue["identifier"].lower()], "TODO")

    assert answer["count"] == 1
    assert len(events(short, EventKind.ISSUE_STATUS_CHANGED)) == 1


@pytest.mark.parametrize("is_first", [True, False])
def test_a_foreign_identifier_keeps_all_back_though_its_number_is_known(
    office: Office, is_first: bool
) -> None:
    short = with_a_short_prefix(office)
    issue = short.call("issues.create", {"title": "One"})
    foreign = f"ELSE-{issue['number']}"
    named = [foreign, issue["id"]] if is_first else [issue["id"], foreign]

    refused = short.refused("issues.bulkTransition", {"ids": named, "statusId": status_id(short, "TODO")})

    assert refused[:2] == (404, "not_found")
    assert head(short, issue["id"]).category == "BACKLOG"


def test_one_that_the_key_may_not_see_keeps_all_of_them_back(office: Office) -> None:
    project_id = a_project(office)
    seen, hidden = an_issue(office, projectId=project_id), an_issue(office)
    key = office.a_narrowed_key(project_ids=[project_id])
    wanted = {"ids": [seen, hidden], "statusId": status_id(office, "TODO")}

    refused = office.send("issues.bulkTransition", wanted, key=key)
    assert (refused.status, json.loads(refused.body)["details"]["id"]) == (403, hidden)
    assert categories(office, [seen, hidden]) == {"BACKLOG"}


def test_one_that_the_key_may_not_see_counts_though_it_is_there_already(office: Office) -> None:
    key = office.a_narrowed_key(project_ids=[a_project(office)])
    wanted = {"ids": [an_issue(office)], "statusId": status_id(office, "BACKLOG")}

    assert office.refused("issues.bulkTransition", wanted, key=key)[:2] == (403, "forbidden")


def test_more_than_fit_into_one_transaction_all_move(office: Office) -> None:
    ids = issues(office, 45)

    assert move_all(office, ids, "DONE") == {
        "count": 45,
        "statusId": status_id(office, "DONE"),
        "failed": [],
    }

    assert categories(office, ids) == {"DONE"}
    assert counts(office)[f"S#{status_id(office, 'DONE')}"] == 45
    assert office.call("issues.list", {"includeDone": True})["total"] == 45


def test_issues_that_share_nothing_move_together(office: Office) -> None:
    """Each is counted in a project and a status of its own, and waits in the queue."""
    for place in range(15):
        project_id = a_project(office, f"P{place}")
        own = office.a_status(f"Place {place}", "TODO")["id"]
        a_queued_issue(office, projectId=project_id, statusId=own)
    ids = queue(office)

    assert move_all(office, ids, "DONE")["count"] == 15

    assert categories(office, ids) == {"DONE"}


def test_issues_of_many_agents_and_projects_move_together(office: Office) -> None:
    """Their agents have done their part, so only their loads change."""
    agents = []
    for place in range(15):
        issue_id = a_queued_issue(office, projectId=a_project(office, f"P{place}"))
        agents.append(office.an_agent(f"agent-{place}")["id"])
        assign(office, issue_id, agents[-1], "DISCUSS")
        done = {"runId": live_run(office, issue_id, agents[-1]).id, "summary": "Said all there is."}
        office.call("runs.complete", done, key=an_agents_key(office, agents[-1]))

    assert move_all(office, queue(office), "DONE")["count"] == 15

    assert [load(office, agent_id) for agent_id in agents] == [0] * 15


@pytest.mark.parametrize("is_blocker_first", [True, False])
def test_one_may_block_another_of_the_same_call(office: Office, is_blocker_first: bool) -> None:
    blocker, blocked = an_issue(office), a_queued_issue(office)
    block(office, blocker, blocked)
    ids = [blocker, blocked] if is_blocker_first else [blocked, blocker]

    assert move_all(office, ids, "DONE")["count"] == 2
    closed = head(office, blocked).open_blockers
    assert move_all(office, ids, "TODO")["count"] == 2

    assert (closed, head(office, blocked).open_blockers) == (0, 1)
    assert categories(office, ids) == {"TODO"}
    assert queue(office) == []


def test_a_chain_of_blockers_closes_in_one_call(office: Office) -> None:
    ids = issues(office, 6)
    for blocker, blocked in pairwise(ids):
        block(office, blocker, blocked)

    assert move_all(office, ids, "CANCELED") == {
        "count": 6,
        "statusId": status_id(office, "CANCELED"),
        "failed": [],
    }

    assert categories(office, ids) == {"CANCELED"}
    assert [head(office, issue_id).open_blockers for issue_id in ids] == [0] * 6


@pytest.mark.parametrize("category", CLOSED)
def test_runs_end_with_their_issues_and_nobody_is_woken(office: Office, category: str) -> None:
    ids, agent_id = issues(office, 3), office.an_agent()["id"]
    for issue_id in ids:
        assign(office, issue_id, agent_id)
    given = [live_run(office, issue_id, agent_id).id for issue_id in ids]
    place = len(office.log())

    move_all(office, ids, category)

    assert [run(office, run_id).status for run_id in given] == ["ABANDONED"] * 3
    assert all(has_no_live_run(office, issue_id, agent_id) for issue_id in ids)
    assert load(office, agent_id) == 0
    assert woken(office, place) == []


def test_an_agent_is_at_work_on_each_of_them(office: Office) -> None:
    ids, agent_id = issues(office, 25), office.an_agent()["id"]

    assert move_all(office, ids, "IN_PROGRESS", key=an_agents_key(office, agent_id))["count"] == 25

    steps = {live_run(office, issue_id, agent_id).current_step for issue_id in ids}
    assert steps == {"→ In Progress"}


def test_the_agents_that_have_them_are_woken(office: Office) -> None:
    ids, agents = issues(office, 2), [office.an_agent(name)["id"] for name in ("one", "two")]
    for issue_id, agent_id in zip(ids, agents, strict=True):
        assign(office, issue_id, agent_id)
    place = len(office.log())

    move_all(office, ids, "TODO")

    assert sorted(woken(office, place)) == sorted((one, "ISSUE_STATUS_CHANGED") for one in agents)


def test_an_issue_that_takes_no_more_runs_moves_without_one(office: Office) -> None:
    """The caller is at work on whatever it moves, but this one has as many at work as it can have."""
    ids, agent_id = issues(office, 3), office.an_agent()["id"]
    for place in range(MAX_LIVE_RUNS):
        office.an_agent(f"agent-{place}")
        office.call("comments.create", {"issueId": ids[-1], "body": f"@agent-{place} look"})
    wanted = {"ids": ids, "statusId": status_id(office, "IN_PROGRESS")}

    moved = office.call("issues.bulkTransition", wanted, key=an_agents_key(office, agent_id))

    assert (moved["count"], moved["failed"]) == (3, [])
    assert categories(office, ids) == {"IN_PROGRESS"}
