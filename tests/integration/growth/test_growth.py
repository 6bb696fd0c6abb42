"""No list, issue or bundle reads more at five thousand issues than its bound, nor asks more often."""

import json
from typing import Any, NamedTuple

import pytest

from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.walks import FEW, MAX_READ
from forge.testing.embedded import embed_tables
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from forge.work.issues.pages.sizes import MAX_ANSWER
from tests.contract.stage import ALL_TOOLS
from tests.integration.growth.crowded import a_crowd
from tests.workshop.office import Body, Office

NAMES = 100
ALL_SECTIONS = {
    "description": True,
    "comments": {"limit": 100},
    "attachments": True,
    "relations": True,
    "currentRun": True,
    "labels": True,
}


class Crowd(NamedTuple):
    office: Office
    requests: Counter
    issue: Body
    size: int


@pytest.fixture(scope="module", params=[100, 5_000], ids="{} issues".format)
def crowd(request: pytest.FixtureRequest, connections: Connections) -> Crowd:
    requests = Counter()
    store = provision(embed_tables(connections), f"growth-{request.param}")
    office = Office(World(store=watched(store, requests)))
    return Crowd(office, requests, a_crowd(office, request.param), request.param)


def rows_read(requests: Counter) -> int:
    """Every item that DynamoDB handed over."""
    found = 0
    for sent in requests.sent:
        answer: dict[str, Any] = sent.answer
        found += len(answer.get("Items", ())) + ("Item" in answer)
        found += sum(len(rows) for rows in answer.get("Responses", {}).values())
    return found


def rows_of_lists(requests: Counter) -> int:
    """The rows that queries handed over, but for kept counts: what a page is made of."""
    queries = [sent for sent in requests.sent if sent.operation == "Query"]
    partitions = [sent.parameters["ExpressionAttributeValues"][":partition"]["S"] for sent in queries]
    return sum(
        len(sent.answer["Items"])
        for sent, partition in zip(queries, partitions, strict=True)
        if "#COUNT#" not in partition
    )


def call(crowd: Crowd, tool: str, arguments: Body, *, key: str | None = None) -> Body:
    """The answer of a call that stays within what its declaration allows."""
    crowd.office.world.clock.advance(minutes=1)
    crowd.requests.reset()
    sent = crowd.office.send(tool, arguments, key=key or crowd.office.owner_key)
    assert sent.status == 200, sent.body
    assert crowd.requests.reads <= ALL_TOOLS[tool].costs.most.reads
    assert len(sent.body) <= MAX_ANSWER
    answer: Body = json.loads(sent.body)
    return answer


FILTERS: dict[str, Body] = {
    "as it is": {},
    "a full page": {"limit": 100},
    "of nothing": {"priority": "URGENT"},
    "of everything": {"includeDone": True, "limit": 100},
    "of nobody": {"unassigned": True},
    "queued": {"queued": True, "limit": 100},
    "by change": {"orderBy": "updatedAt", "limit": 100},
    "by age": {"orderBy": "createdAt", "order": "asc", "limit": 100},
    "by number with done": {"orderBy": "identifier", "includeDone": True, "limit": 100},
    "found by a common word": {"query": "common thing"},
    "found by a rare word": {"query": "needle"},
    "in a category": {"statusCategories": ["BACKLOG"]},
}


@pytest.mark.parametrize("filters", FILTERS.values(), ids=FILTERS)
def test_a_list_reads_no_more_than_its_bound(crowd: Crowd, filters: Body) -> None:
    call(crowd, "issues.list", filters)

    # A search reads its words and then the issues that have them.
    words = 5 * MAX_READ if "query" in filters else 0
    assert rows_read(crowd.requests) <= MAX_READ + NAMES + words


@pytest.mark.parametrize("field", ["projectId", "labelIds", "assignedAgentId"])
def test_a_list_of_one_thing_reads_no_more_than_its_bound(crowd: Crowd, field: str) -> None:
    named = {
        "projectId": crowd.issue["projectId"],
        "labelIds": [crowd.issue["labelId"]],
        "assignedAgentId": crowd.issue["agentId"],
    }

    call(crowd, "issues.list", {field: named[field], "limit": 100})

    assert rows_read(crowd.requests) <= MAX_READ + NAMES


def test_pages_of_a_list_give_each_issue_once(crowd: Crowd) -> None:
    found: list[str] = []
    cursor: str | None = None
    while True:
        more = {"cursor": cursor} if cursor else {}
        page = call(crowd, "issues.list", {"projectId": crowd.issue["projectId"], "limit": 100, **more})
        assert rows_read(crowd.requests) <= MAX_READ + NAMES
        found += [row["id"] for row in page["data"]]
        cursor = page.get("nextCursor")
        if cursor is None:
            break

    assert len(found) == len(set(found)) == crowd.size // 2 + 1


NOT_SELECTIVE: dict[str, tuple[str, Body]] = {
    "issues": ("issues.list", {}),
    "issues of everything": ("issues.list", {"includeDone": True}),
    "issues by change": ("issues.list", {"orderBy": "updatedAt"}),
    "issues by age": ("issues.list", {"orderBy": "createdAt", "order": "asc"}),
    "issues by number": ("issues.list", {"orderBy": "identifier", "includeDone": True}),
    "half of the issues": ("issues.list", {"priorities": ["LOW", "HIGH"], "orderBy": "updatedAt"}),
    "events": ("events.recent", {}),
    "events of a kind": ("events.recent", {"kinds": ["ISSUE_UPDATED"]}),
    "runs": ("runs.list", {}),
    "runs in a status": ("runs.list", {"status": "COMPLETED"}),
    "artifacts": ("artifacts.list", {}),
    "artifacts of a type": ("artifacts.list", {"artifactType": "DOCUMENT"}),
    "projects": ("projects.list", {}),
    "comments": ("comments.list", {}),
}


@pytest.mark.parametrize("limit", [1, 20, 100])
@pytest.mark.parametrize(("tool", "filters"), NOT_SELECTIVE.values(), ids=NOT_SELECTIVE)
def test_a_page_that_is_easily_filled_reads_little_more_than_it_shows(
    crowd: Crowd, tool: str, filters: Body, limit: int
) -> None:
    about = {"issueId": crowd.issue["id"]} if tool == "comments.list" else {}

    page = call(crowd, tool, {**filters, **about, "limit": limit, "fields": ["id"]})

    assert len(page["data"]) == limit or crowd.size < MAX_READ
    # A few are always read, because asking again costs more than these.
    assert rows_of_lists(crowd.requests) <= 3 * max(limit, FEW // 2)


NARROWED = ["events.recent", "runs.list", "artifacts.list"]


@pytest.mark.parametrize("limit", [1, 20])
@pytest.mark.parametrize("tool", NARROWED)
def test_a_key_that_sees_half_of_everything_reads_little_more_than_it_shows(
    crowd: Crowd, tool: str, limit: int
) -> None:
    key = crowd.office.a_narrowed_key(project_ids=[crowd.issue["projectId"]])

    page = call(crowd, tool, {"limit": limit, "fields": ["id"]}, key=key)

    assert len(page["data"]) == limit
    assert rows_of_lists(crowd.requests) <= 3 * max(limit, FEW // 2)


@pytest.mark.parametrize("tool", NARROWED)
def test_a_key_that_sees_hardly_anything_reads_no_more_than_the_bound(crowd: Crowd, tool: str) -> None:
    key = crowd.office.a_narrowed_key(project_ids=["prj_none"])

    page = call(crowd, tool, {"limit": 1}, key=key)

    assert page["data"] == []
    assert rows_of_lists(crowd.requests) <= MAX_READ
    assert rows_read(crowd.requests) <= MAX_READ + NAMES


SELECTIVE: dict[str, tuple[str, Body]] = {
    "issues": ("issues.list", {"priority": "URGENT"}),
    "issues by age": ("issues.list", {"priority": "URGENT", "orderBy": "createdAt", "includeDone": True}),
    "events": ("events.recent", {"kinds": ["MEMBERSHIP_REMOVED"]}),
    "runs": ("runs.list", {"status": "STALLED"}),
    "artifacts": ("artifacts.list", {"status": "ACCEPTED"}),
}


@pytest.mark.parametrize("limit", [1, 20, 100])
@pytest.mark.parametrize(("tool", "filters"), SELECTIVE.values(), ids=SELECTIVE)
def test_a_page_that_can_not_be_filled_reads_no_more_than_the_bound(
    crowd: Crowd, tool: str, filters: Body, limit: int
) -> None:
    page = call(crowd, tool, {**filters, "limit": limit})

    assert page["data"] == []
    assert rows_of_lists(crowd.requests) <= MAX_READ
    assert page.get("truncated", False) is (crowd.size > MAX_READ)


def test_a_whole_issue_reads_no_more_than_its_bound(crowd: Crowd) -> None:
    call(crowd, "issues.get", {"id": crowd.issue["id"], "include": ALL_SECTIONS})

    assert rows_read(crowd.requests) <= 2 * NAMES + 200


def test_a_page_of_comments_reads_no_more_than_its_bound(crowd: Crowd) -> None:
    page = call(crowd, "comments.list", {"issueId": crowd.issue["id"], "limit": 50})

    assert len(page["data"]) == 50
    assert rows_read(crowd.requests) <= 100 + NAMES


def test_a_bundle_reads_no_more_than_its_bound(crowd: Crowd) -> None:
    bundle = call(crowd, "agent.context.bundle", {"issueId": crowd.issue["id"]})

    assert len(bundle["comments"]) == 50
    assert rows_read(crowd.requests) <= 2 * NAMES + 200


def test_what_an_agent_has_reads_no_more_than_its_bound(crowd: Crowd) -> None:
    call(crowd, "issues.assigned", {"agentId": crowd.issue["agentId"], "includeDone": True})

    assert rows_read(crowd.requests) <= MAX_READ + NAMES


def test_taking_the_best_issue_reads_no_more_than_its_bound(crowd: Crowd) -> None:
    key = crowd.office.a_key()["rawKey"]
    crowd.requests.reset()

    claimed = crowd.office.call("issues.claim", {}, key=key)["claimed"]

    assert claimed is not None
    assert crowd.requests.reads <= ALL_TOOLS["issues.claim"].costs.most.reads
    assert rows_read(crowd.requests) <= 2 * NAMES + 20
