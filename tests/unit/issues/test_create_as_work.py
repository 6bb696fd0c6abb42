"""An issue that is work as soon as it is there: with what is expected, queued, or an agent's."""

import pytest

from forge.work.record.log.kinds import EventKind
from tests.workshop.issues import an_agents_key, live_run, queue, status_id, watchers
from tests.workshop.office import Office


def test_an_issue_can_be_work_at_once(office: Office) -> None:
    agent_id = office.an_agent("worker")["id"]

    made = office.call(
        "issues.create",
        {
            "title": "Fix the login",
            "queue": True,
            "assignedAgentId": agent_id,
            "expectedOutput": "A test.",
            "verificationChecklist": [{"label": "Tests pass"}],
            "artifactRequired": True,
        },
    )

    bundle = office.call("agent.context.bundle", {"issueId": made["id"]}, key=an_agents_key(office, agent_id))
    assert bundle["completionContract"] == {
        "expectedOutput": "A test.",
        "verificationChecklist": [{"label": "Tests pass"}],
        "artifactRequired": True,
    }
    assert (made["queued"], made["assignedAgentId"]) == (True, agent_id)
    assert bundle["runProtocol"]["runId"] == live_run(office, made["id"], agent_id).id
    assert queue(office) == [made["id"]]
    assert [row.kind for row in office.log()][-4:] == [
        EventKind.ISSUE_CREATED,
        EventKind.ISSUE_QUEUED,
        EventKind.AGENT_ASSIGNED,
        EventKind.AGENT_RUN_STARTED,
    ]


@pytest.mark.parametrize("more", [{"queue": True}, {"assignedAgentId": "given"}])
def test_what_begins_closed_is_nobodys_work(office: Office, more: dict[str, object]) -> None:
    if "assignedAgentId" in more:
        more = {"assignedAgentId": office.an_agent("worker")["id"]}

    refused = office.refused("issues.create", {"title": "Fix", "statusId": status_id(office, "DONE"), **more})

    assert refused == (400, "invalid_input", set(more))


def test_an_unknown_or_archived_agent_gets_no_new_issue(office: Office) -> None:
    archived = office.an_agent("gone")["id"]
    office.call("agents.archive", {"id": archived})

    unknown = office.refused("issues.create", {"title": "Fix", "assignedAgentId": "agt_none"})
    gone = office.refused("issues.create", {"title": "Fix", "assignedAgentId": archived})

    assert unknown == (400, "invalid_input", {"assignedAgentId"})
    assert gone[:2] == (409, "conflict")
    assert office.rows("issues.list") == []


def test_an_agent_files_an_issue_for_itself(office: Office) -> None:
    agent_id = office.an_agent("worker")["id"]

    made = office.call(
        "issues.create", {"title": "Fix", "assignedAgentId": "me"}, key=an_agents_key(office, agent_id)
    )

    assert made["assignedAgentId"] == agent_id
    assert watchers(office, made["id"]) == {agent_id}
    assert live_run(office, made["id"], agent_id)


def test_what_an_agent_queues_may_come_back_to_it(office: Office) -> None:
    office.call("workspaces.update", {"autoDispatch": True, "autoDispatchMode": "ROUND_ROBIN"})
    agent_id = office.an_agent("worker")["id"]
    key = an_agents_key(office, agent_id)
    office.call("agents.heartbeat", {}, key=key)

    made = office.call("issues.create", {"title": "Fix", "queue": True}, key=key)

    assert made["assignedAgentId"] == agent_id
    assert watchers(office, made["id"]) == {agent_id}
    assert live_run(office, made["id"], agent_id)
