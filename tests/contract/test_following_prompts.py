"""A model that follows a prompt to the letter gets what the prompt promises, with the default list alone."""

import json
import re
from typing import Any

import pytest

from forge.contract.offers import load_offers
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.world import World
from tests.contract.stage import Stage
from tests.contract.test_offers import calls_in, default_list


class Follower:
    """Makes the calls of a text in their order, with words put in for what stands in angle brackets."""

    def __init__(self, stage: Stage, prompt: str, key: str) -> None:
        self.stage = stage
        self.key = key
        self.calls = [call for call in calls_in(load_offers().prompts[prompt].text) if not call.is_inner]

    def make(self, tool: str, **words: str) -> dict[str, Any]:
        """The first call of that tool in the text that is not made yet."""
        call = next(one for one in self.calls if tool in (one.tool, one.arguments.get("name")))
        self.calls.remove(call)
        written = json.dumps(call.arguments)
        for word, value in words.items():
            written = written.replace(f"<{word}>", value)
        arguments = json.loads(re.sub(r"<[^<>\"]+>", "words", written))
        name = call.tool
        if name not in default_list():
            name, arguments = "catalog.call", {"name": name, "arguments": arguments}
        answer = self.stage.world.call(name, arguments, key=self.key)
        assert answer["isError"] is False, answer["content"]
        return dict(answer["structuredContent"])


@pytest.fixture(scope="module")
def stage(connections: Connections) -> Stage:
    return Stage(World(store=provision(connections, "following")))


def test_start_work_takes_an_issue_says_where_it_is_and_completes_its_run(stage: Stage) -> None:
    checks = [{"id": "c1", "label": "It works", "done": False}]
    order = {"title": "Fix it", "queue": True, "verificationChecklist": checks, "artifactRequired": True}
    issue = stage.call("issues.create", order)
    model = Follower(stage, "start_work", stage.agent_key(stage.an_agent()))

    taken = model.make("issues.claim", identifier=issue["identifier"])
    model.make("comments.upsertStatus", identifier=issue["identifier"])
    done = model.make("runs.complete", runId=taken["runId"], **{"id of the item": "c1"})

    assert taken["claimed"]["identifier"] == issue["identifier"]
    assert done["status"] == "COMPLETED"


def test_start_work_asks_a_person_and_waits(stage: Stage) -> None:
    issue = stage.call("issues.create", {"title": "Fix it", "queue": True})
    model = Follower(stage, "start_work", stage.agent_key(stage.an_agent()))

    taken = model.make("issues.claim", identifier=issue["identifier"])
    asked = model.make("actionRequests.create", identifier=issue["identifier"])
    waiting = model.make("runs.setWaiting", runId=taken["runId"])

    assert asked["id"].startswith("ar_")
    assert waiting["status"] == "WAITING"


def test_triage_sets_priority_and_labels_and_links_a_double(stage: Stage) -> None:
    older = stage.call("issues.create", {"title": "The login hangs"})["identifier"]
    newer = stage.call("issues.create", {"title": "Login hangs for ever"})["identifier"]
    label = stage.call("labels.create", {"name": "bug"})["name"]
    model = Follower(stage, "triage", stage.world.owner_key(stage.workspace))

    listed = model.make("issues.list")["data"]
    model.make("issues.get", identifier=newer)
    model.make("relations.add", identifier=newer, **{"the older one": older})
    model.make("issues.update", identifier=newer)
    labelled = model.make("issues.setLabels", identifier=newer, label=label)
    model.make("comments.create", identifier=newer)

    assert {older, newer} <= {one["identifier"] for one in listed}
    assert labelled


def test_plan_goal_ends_with_a_plan_that_a_person_is_asked_about(stage: Stage) -> None:
    issue = stage.call("issues.create", {"title": "Ship the importer"})["identifier"]
    model = Follower(stage, "plan_goal", stage.agent_key(stage.an_agent()))

    goal = model.make("goals.create", identifier=issue)["id"]
    plan = model.make("plans.decompose", goalId=goal)["planId"]
    steps = next(one for one in model.calls if one.tool == "plans.addSteps").arguments["steps"]
    assert isinstance(steps, list)
    steps.insert(0, {"title": "First"})
    model.make("plans.addSteps", planId=plan)
    model.make("plans.requestApproval", planId=plan)

    assert stage.call("executionPlans.get", {"id": plan})["status"] == "DRAFT"
    assert stage.call("actionRequests.list", {"status": "OPEN"})["data"]


def test_a_standup_is_drafted(stage: Stage) -> None:
    assert "markdown" in Follower(stage, "standup", stage.world.owner_key(stage.workspace)).make(
        "standup.draft"
    )


def test_the_backlog_s_next_issue_is_taken_and_given_back(stage: Stage) -> None:
    repository = stage.a_repository()
    order = {
        "title": "Fix it",
        "type": "bug",
        "priority": "high",
        "repository": repository,
        "body": "It hangs.",
    }
    model = Follower(stage, "backlog", stage.agent_key(stage.an_agent()))
    made = stage.call("create_issue", order)

    taken = model.make("select_next_issue", **{"owner/name": repository})

    assert taken["success"] is True
    assert made["success"] is True
