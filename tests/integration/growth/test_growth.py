"""No list, issue or bundle reads more at five thousand issues than its bound, nor asks more often."""

import json
from typing import Any, NamedTuple

import pytest

from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.walks import MAX_READ
from forge.testing.embedded import embed_tables
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from forge.work.paging.sizes import MAX_ANSWER
from tests.contract.stage import ALL_TOOLS
from tests.integration.growth.crowded import a_crowd
from tests.unit.office import Body, Office

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


def call(crowd: Crowd, tool: str, arguments: Body) -> Body:
    """The answer of a call that stays within its row of the decision."""
    crowd.office.world.clock.advance(minutes=1)
    crowd.requests.reset()
    sent = crowd.office.send(tool, arguments)
    assert sent.status == 200, sent.body
    assert crowd.requests.reads <= ALL_TOOLS[tool].costs.reads
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
    assert crowd.requests.reads <= ALL_TOOLS["issues.claim"].costs.reads
    assert rows_read(crowd.requests) <= 2 * NAMES + 20
