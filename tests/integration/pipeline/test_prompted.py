"""Whoever has only the server's address and the prompt drives a pipeline of every size to its end."""

from collections.abc import Callable, Iterator
from functools import partial

import anyio
import pytest

from forge.testing.server import serve
from tests.integration.pipeline.prompted import Agents, Body, Model, Stopped, connected
from tests.workshop.office import Office

THREE = (
    "## Task 1: Parser\n- **Mode:** parallel\n- Files: `a.py`\n\n"
    "### Task 2 - Printer\nmode: parallel\nfiles: b.py\n\n"
    "## Task 3: Run the migration\nmode: human-gate\ndepends_on: Tasks 1 and 2\n"
)
REVISE = "### Verdict: REVISE\n\n### [CRITICAL] No error handling\n"
MOST_CHARACTERS = 15_000


@pytest.fixture
def url(office: Office) -> Iterator[str]:
    with serve(office.world.edge) as address:
        yield address


def answered_by(office: Office) -> Callable[[Body], Body]:
    """A person who looks at what waits for them, and accepts it there: the model is not told the answer."""

    def answer(action: Body) -> Body:
        (request,) = office.call("actionRequests.list", {"status": "OPEN"})["data"]
        office.call("actionRequests.accept", {"id": request["id"]})
        return {}

    return answer


async def drive(
    office: Office,
    url: str,
    key: str,
    request: str,
    effort: str,
    texts: dict[str, list[str]],
    *,
    stops: str | None = None,
) -> tuple[Model, Agents, str]:
    agents = Agents(url, key, texts)
    async with connected(url, key) as client:
        model = Model(client, agents, answered_by(office))
        await model.take("pipeline")
        workspace = await model.begin(request, effort)
        model.stops_before = stops
        try:
            return model, agents, await model.loop(workspace)
        except Stopped:
            pass
    async with connected(url, key) as client:
        second = Model(client, agents, answered_by(office))
        await second.take("resume", workspace=workspace)
        summary = await second.loop(workspace)
        second.did = [*model.did, *second.did]
        return second, agents, summary


def driven(office: Office, url: str, *what: object, **how: object) -> tuple[Model, Agents, str]:
    key = office.an_agents_key()
    return anyio.run(partial(drive, office, url, key, *what, **how))  # type: ignore[arg-type]  # as it is said


def test_a_small_one(office: Office, url: str) -> None:
    model, _, summary = driven(office, url, "Rename the login button --nopr", "S", {})

    assert summary.startswith("Pipeline completed")
    assert "checkpoint checkpoint-a" in model.did


def test_a_medium_one_with_a_revision_parallel_tasks_and_a_gate_costs_its_driver_little(
    office: Office, url: str
) -> None:
    texts = {"review-design.md": [REVISE, "**Verdict:** APPROVE"], "tasks.md": [THREE]}

    model, agents, summary = driven(office, url, "Add a login page", "M", texts)

    assert summary.startswith("Pipeline completed")
    assert model.did.count("spawn_agent architect") == 2
    assert {"spawn_agent implementer 1,2", "human_gate 3", "spawn_agent impl-reviewer 1,2"} <= {*model.did}
    assert agents.at_once == 2
    assert "Task 2: Printer. It is about b.py." in agents.prompts["impl-2.md"]
    assert "change what is there, and do not start over" in agents.prompts["design.md"]
    assert model.characters <= MOST_CHARACTERS, model.characters


def test_a_large_one_is_killed_and_taken_up_by_another_session(office: Office, url: str) -> None:
    texts = {"tasks.md": [THREE], "review-2.md": ["Verdict: FAIL", "Verdict: PASS"]}

    model, _, summary = driven(
        office, url, "A migration of all sessions", "L", texts, stops="spawn_agent implementer 1,2"
    )

    assert summary.startswith("Pipeline completed")
    assert model.did.count("spawn_agent implementer 1,2") == 2
    assert {"checkpoint checkpoint-b", "spawn_agent task-reviewer", "human_gate 3"} <= {*model.did}


@pytest.mark.parametrize("effort", ["S", "M", "L"])
def test_a_request_in_japanese(office: Office, url: str, effort: str) -> None:
    tasks = "## タスク1：画面を作る\nmode：sequential\nfiles：画面.py\n"
    texts = {"tasks.md": [tasks], "review-design.md": ["## Verdict：APPROVE\n"]}

    _, _, summary = driven(office, url, f"ログイン画面を作る、{effort}", effort, texts)

    assert summary.startswith("Pipeline completed")
    row = office.call("pipeline_list", {"status": "completed"})["data"][0]
    assert row["title"] == f"ログイン画面を作る、{effort}"
    assert row["workspace"].partition("-")[2].startswith("login-page")
