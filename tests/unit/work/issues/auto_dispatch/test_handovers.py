"""Queued issues go to agents by themselves, in the transaction that queues them, and never beyond a limit."""

from typing import Any

import pytest

from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import Wake
from tests.unit.work.background.watchdogs.offices import an_online_agent
from tests.workshop.issues import (
    a_project,
    an_issue,
    assign,
    description,
    events,
    head,
    last,
    live_run,
    load,
    move,
    queue,
    watchers,
)
from tests.workshop.office import Body, Office

TURNS = {"autoDispatch": True, "autoDispatchMode": "ROUND_ROBIN"}


def dispatching(office: Office, **settings: Any) -> Office:
    office.call("workspaces.update", {**TURNS, **settings})
    return office


def put_in(office: Office, issue_id: str) -> dict[str, Any]:
    return office.call("issues.queue", {"id": issue_id})


def test_a_queued_issue_goes_to_an_agent_that_is_told_why(office: Office) -> None:
    agent_id = an_online_agent(dispatching(office))
    an_online_agent(office, "coach", role="COACH")
    issue_id = an_issue(office)

    answer = put_in(office, issue_id)

    begun, event = live_run(office, issue_id, agent_id), last(office, EventKind.AGENT_ASSIGNED)
    one = {"agentId": agent_id, "profileKey": "worker"}
    assert (answer["assignedAgentId"], answer["queued"]) == (agent_id, True)
    assert {**event.payload, "issueSnapshot": None} == {
        "agentId": agent_id,
        "previousAgentId": None,
        "auto": True,
        "mode": "ROUND_ROBIN",
        "engagementMode": "EXECUTE",
        "dispatch": {
            "mode": "ROUND_ROBIN",
            "candidates": [{**one, "eligible": True}],
            "chosen": one,
            "reason": "round-robin",
        },
        "issueSnapshot": None,
    }
    assert (event.action, event.wakes) == ("auto-dispatch", [Wake(agent_id=agent_id, run_id=begun.id)])
    assert begun.assignment_event_id == event.id
    assert events(office, EventKind.ISSUE_QUEUED)[0].payload["assignedAgentId"] is None
    assert (load(office, agent_id), agent_id in watchers(office, issue_id)) == (1, True)
    shown = office.call("issues.get", {"id": issue_id})
    assert shown["dispatchReason"] == {"mode": "ROUND_ROBIN", "reason": "round-robin", **one}


def test_a_new_issue_that_is_queued_is_given_out_at_once_with_the_agents_template(office: Office) -> None:
    agent_id = an_online_agent(dispatching(office), templateMarkdown="# Goal")

    issue = office.call("issues.create", {"title": "One", "queue": True})

    assert (issue["assignedAgentId"], issue["dispatchReason"]["agentId"]) == (agent_id, agent_id)
    assert description(office, issue["id"]) == "# Goal"
    assert live_run(office, issue["id"], agent_id).engagement_mode == "EXECUTE"
    assert load(office, agent_id) == 1


def test_agents_take_turns_as_long_as_they_have_room(office: Office) -> None:
    dispatching(office)
    agents = [an_online_agent(office, name, maxConcurrent=2) for name in ("one", "two")]
    given = []
    for _ in range(5):
        given.append(put_in(office, an_issue(office))["assignedAgentId"])
        office.world.clock.advance(seconds=1)

    assert sorted(given[:2]) == sorted(given[2:4]) == sorted(agents)
    assert given[4] is None
    assert [load(office, agent_id) for agent_id in agents] == [2, 2]


def test_what_nobody_had_room_for_waits_with_the_reason_and_is_given_out_when_queued_again(
    office: Office,
) -> None:
    agent_id = an_online_agent(dispatching(office))
    first, second = an_issue(office), an_issue(office)
    put_in(office, first)

    assert put_in(office, second)["assignedAgentId"] is None
    assert office.call("issues.get", {"id": second})["dispatchReason"] == {
        "mode": "ROUND_ROBIN",
        "reason": "no-candidates",
    }
    rows = len(office.log())
    put_in(office, second)
    assert len(office.log()) == rows
    move(office, first, "DONE")

    assert put_in(office, second)["assignedAgentId"] == agent_id
    assert len(events(office, EventKind.ISSUE_QUEUED)) == 2


def test_a_rule_comes_before_the_mode(office: Office) -> None:
    dispatching(office, autoDispatchMode="CAPABILITY_MATCH")
    able = an_online_agent(office, "able", capabilities=["CSS"])
    named = an_online_agent(office, "named", maxConcurrent=1)
    office.a_label("css")
    project = a_project(office)
    rule = office.call(
        "dispatchRules.create", {"name": "Site", "projectId": project, "targetAgentId": "named"}
    )
    of_project: dict[str, Any] = {"labelIds": ["css"], "projectId": project}

    by_rule = an_issue(office, queue=True, **of_project)
    payload = last(office, EventKind.AGENT_ASSIGNED).payload
    by_mode = office.call("issues.get", {"id": an_issue(office, queue=True, **of_project)})

    assert head(office, by_rule).assigned_agent_id == named
    assert (payload["mode"], payload["ruleId"]) == ("RULE", rule["id"])
    assert payload["dispatch"]["reason"] == f"rule:{rule['id']}"
    assert by_mode["assignedAgentId"] == able
    assert by_mode["dispatchReason"] == {
        "mode": "CAPABILITY_MATCH",
        "reason": f"rule:{rule['id']}:target-ineligible,CAPABILITY_MATCH pick",
        "agentId": able,
        "profileKey": "able",
        "matchCount": 1,
    }


def test_whoever_decides_by_hand_takes_the_reason_away_and_is_bound_by_no_limit(office: Office) -> None:
    agent_id = an_online_agent(dispatching(office))
    first, second = an_issue(office, queue=True), an_issue(office)
    assert head(office, first).dispatch_reason is not None

    assign(office, second, agent_id)
    assign(office, first, None)

    assert (load(office, agent_id), head(office, first).dispatch_reason) == (1, None)


def test_what_is_taken_out_of_the_queue_or_somebodys_is_not_given_out(office: Office) -> None:
    an_online_agent(dispatching(office))
    mine, claimed = an_issue(office), an_issue(office)
    office.call("issues.claim", {"issueId": claimed})

    office.call("issues.setQueued", {"id": mine, "queued": False})
    put_in(office, claimed)

    assert {head(office, one).assigned_agent_id for one in (mine, claimed)} == {None}


def test_a_last_place_that_somebody_else_takes_meanwhile_is_not_given_twice(office: Office) -> None:
    office = dispatching(office)
    agent_id, spare_id = an_online_agent(office), an_online_agent(office, "spare")
    first, second = an_issue(office), an_issue(office)
    office.meanwhile(lambda: put_in(office, second))

    answer = put_in(office, first)

    assert {answer["assignedAgentId"], head(office, second).assigned_agent_id} == {agent_id, spare_id}
    assert (load(office, agent_id), load(office, spare_id)) == (1, 1)


@pytest.mark.parametrize(
    ("tool", "reads"), [("issues.queue", 1), ("issues.setQueued", 1), ("issues.create", 1)]
)
def test_where_it_is_off_nothing_is_read_for_it(office: Office, tool: str, reads: int) -> None:
    counter = office.counted()
    an_online_agent(office)
    of_tools: dict[str, Body] = {
        "issues.create": {"title": "One", "queue": True},
        "issues.queue": {"id": an_issue(office)},
    }
    wanted = of_tools.get(tool) or {"id": an_issue(office), "queued": True}
    counter.reset()

    office.call(tool, wanted)

    assert (counter.reads, len(queue(office))) == (reads, 1)
