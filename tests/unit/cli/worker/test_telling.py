"""What watches an agent at work stops it in time, though nobody can be told of it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import httpx
import pytest

from forge.cli.worker.agents.protocol import Counted, Did, Said, Stepped
from forge.cli.worker.limits import Limits, Usage
from forge.cli.worker.runs.engagements import Engagement, begin
from forge.cli.worker.runs.logs import LogBook
from forge.cli.worker.runs.masks import Mask
from forge.cli.worker.runs.reins import Reins, Why
from forge.cli.worker.runs.telling import Watch
from forge.cli.worker.server.client import Server, Where
from tests.integration.cli.processes import eventually


@pytest.fixture
def run(tmp_path: Path) -> Engagement:
    return begin(tmp_path, "run_1", {"issue": {"identifier": "DEMO-1", "title": "T"}})


@pytest.fixture
def cut_off() -> Iterator[Server]:
    """A server that nobody reaches: whoever asks it waits until the test is over."""
    over = Event()

    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    http = httpx.Client(transport=httpx.MockTransport(refuse))
    yield Server(Where("http://forge.test", "key", "box"), http, lambda _: over.wait(20), lambda most: most)
    over.set()


def a_watch(
    run: Engagement,
    server: Server,
    *,
    tick: Callable[[], float] = lambda: 0.0,
    tell: Callable[[str], None] = print,
    mask: Mask = str,
) -> tuple[Watch, Reins]:
    reins = Reins()
    log = LogBook(run.folder, run.run_id, server)
    watch = Watch(
        run,
        server,
        log,
        mask,
        reins,
        limits=Limits(usd=1),
        silence_seconds=60,
        tick=tick,
        tell=tell,
    )
    return watch, reins


def test_a_limit_stops_the_agent_with_the_report_that_passes_it(run: Engagement, cut_off: Server) -> None:
    watch, reins = a_watch(run, cut_off)

    watch.hear(Counted(Usage(cost_usd=0.99)))
    before = reins.halt
    watch.hear(Counted(Usage(cost_usd=1.01)))

    assert before is None
    assert reins.halt is not None
    assert reins.halt.why is Why.LIMIT


def test_who_falls_silent_is_stopped_while_nobody_answers(run: Engagement, cut_off: Server) -> None:
    now = [0.0]
    watch, reins = a_watch(run, cut_off, tick=lambda: now[0])
    watch.hear(Said("a line that can't be sent"))

    watch.start()
    now[0] = 61.0

    eventually(lambda: reins.halt is not None and reins.halt.why is Why.SILENCE, "a halt")


def test_no_mistake_ends_the_telling(run: Engagement) -> None:
    answers = [httpx.Response(200, json={"unexpected": True, "stop": 7}), httpx.Response(200, json={})]
    heard = []

    def answer(request: httpx.Request) -> httpx.Response:
        heard.append(request.url.path)
        return answers.pop(0) if answers else httpx.Response(200, json={})

    http = httpx.Client(transport=httpx.MockTransport(answer))
    server = Server(Where("http://forge.test", "key", "box"), http, lambda _: True, lambda most: most)
    told: list[str] = []
    watch, _ = a_watch(run, server, tell=told.append)
    watch.start()
    watch.hear(Said("one"))
    eventually(lambda: len(heard) == 1, "the first")
    watch.hear(Said("two"))
    eventually(lambda: len(heard) == 2, "the second")
    watch.hear(Stepped("three"))
    watch.stop()

    assert len(heard) == 3
    assert [one.partition(": ")[0] for one in told] == ["DEMO-1 can't be told of"]


def test_no_key_in_a_command_is_told_as_what_the_agent_is_at(run: Engagement) -> None:
    """Codex calls a tool by all of its words, and the status comment names it."""
    said: list[str] = []

    def hear(request: httpx.Request) -> httpx.Response:
        said.append(request.content.decode())
        return httpx.Response(200, json={"data": [{"status": "ACTIVE"}]})

    now = [0.0]
    http = httpx.Client(transport=httpx.MockTransport(hear))
    server = Server(Where("http://forge.test", "key", "box"), http, lambda _: False, lambda most: most)
    watch, _ = a_watch(run, server, tick=lambda: now[0], mask=lambda text: text.replace("s3cret", "[hidden]"))

    watch.hear(Did("curl -H 'Authorization: Bearer s3cret'"))
    now[0] = 60.0
    watch.look()

    assert "currentStep" in said[-1]
    assert "s3cret" not in "".join(said)
