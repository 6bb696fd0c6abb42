"""What a worker is told while it runs: by Forge's beats, by its events, and by the repository."""

from pathlib import Path
from threading import Event

import httpx
import pytest

from forge.cli.worker.git.commands import git
from forge.cli.worker.loop.starting import WorkflowFile
from forge.cli.worker.loop.wakes import Wakes
from forge.cli.worker.loop.working import Worker
from forge.cli.worker.server.client import Where
from tests.unit.cli.worker.workbench import AUTHOR, Actor, Bench, writes_hello


def test_forge_may_drain_a_worker(bench: Bench) -> None:
    issue = bench.queue()

    with bench.crew(Actor(writes_hello)) as (crew, folder):
        worker = Worker(crew, folder, bench.said.append, is_once=True)
        worker.heard({"drain": True})
        assert worker.run() == 0

    assert bench.runs(issue) == []


def test_an_event_is_a_reason_to_look_and_the_next_one_is_asked_for(bench: Bench) -> None:
    rang, seen, asked = Event(), Event(), list[str | None]()

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers.get("last-event-id"))
        if len(asked) == 1:
            return httpx.Response(200, text="id: e-1\ndata: {}\n\n")
        seen.set()
        return httpx.Response(403)

    wakes = Wakes(
        Where("http://forge.test", "key", "box"), httpx.Client(transport=httpx.MockTransport(answer))
    )
    wakes.ring_to(rang.set)
    wakes.start()

    assert rang.wait(20)
    assert seen.wait(20)
    wakes.stop()
    assert asked[:2] == [None, "e-1"]


def commit_workflow(source: Path, text: str) -> None:
    (source / "WORKFLOW.md").write_text(text, encoding="utf-8")
    git("add", "--all", at=source)
    git(*AUTHOR.settings(), "commit", "--quiet", "-m", "Work like this", at=source)


def test_a_workflow_that_changes_is_read_again_and_of_a_broken_one_the_last_stays(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    prompts = []
    with bench.crew(Actor(writes_hello)) as (crew, _):
        crew.repository.tick = iter(range(0, 1000, 10)).__next__
        file = WorkflowFile(crew.repository)
        for text in ("The first.", "The second.", "---\nno: end\n"):
            commit_workflow(bench.source, text)
            crew.repository.fetch()
            prompts.append(file.read().prompt)

    assert prompts == ["The first.", "The second.", "The second."]
    assert "last good one" in capsys.readouterr().out
