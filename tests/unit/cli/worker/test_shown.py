"""What an operator in a hurry sees: what each slot is at, what became of it, and what is wrong."""

import json
import subprocess
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import StringIO
from pathlib import Path
from threading import Event, Thread

import httpx
import pytest
from rich.console import Console
from typer.main import get_command

from forge.cli.worker.agents.protocol import Counted, End, Hear, Order, Outcome, Question, Stepped
from forge.cli.worker.commands import app
from forge.cli.worker.limits import Usage
from forge.cli.worker.loop.beats import Beats
from forge.cli.worker.loop.folders import held
from forge.cli.worker.loop.shown import status_of, table_of
from forge.cli.worker.loop.starting import answered, in_vain, warn
from forge.cli.worker.loop.working import Worker
from forge.cli.worker.server.client import Server, Unreachable, Where
from tests.integration.cli.processes import eventually
from tests.unit.cli.worker.workbench import Actor, Bench, writes_hello


def shown(told: dict[str, object], *, width: int) -> list[str]:
    console = Console(width=width, record=True, file=StringIO())
    console.print(table_of(told))
    return console.export_text().splitlines()


def test_a_slot_shows_how_far_its_run_has_come_while_it_is_at_work(bench: Bench) -> None:
    issue, go_on = bench.queue("A title that is longer than any line has room for " * 3), Event()

    def act(order: Order, hear: Hear) -> None:
        hear(Stepped("step 3 of 12"))
        hear(Counted(Usage(10, 5, 0, 0.25), turns=4))
        go_on.wait(20)

    with bench.crew(Actor(act)) as (crew, folder):
        worker = Worker(crew, folder, bench.said.append, is_once=True)
        beats = Beats(crew.server, "cmd", "box")
        thread = Thread(target=worker.run)
        thread.start()

        def lines() -> list[str]:
            return shown(status_of(worker, beats, url="", process=1), width=80)

        try:
            eventually(lambda: any("step 3 of 12" in line for line in lines()), "a step")
            found = lines()
        finally:
            go_on.set()
            thread.join()

    assert len(found) <= 3
    assert all(word in found[1] for word in (issue, " 4 ", " 0.25 ", "A title"))


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome(End.DONE), ["is done", "forge/"]),
        (Outcome(End.FAILED, "No model."), ["was given back", "No model."]),
        (Outcome(End.ASKED, "", Question("Which?")), ["waits for an answer"]),
    ],
)
def test_what_became_of_a_run_is_told_with_where_it_is(
    bench: Bench, outcome: Outcome, words: list[str]
) -> None:
    issue = bench.queue()

    def act(order: Order, hear: Hear) -> Outcome:
        writes_hello(order, hear)
        return outcome

    bench.work(Actor(act), child={"attempts": 1})

    assert all(word in bench.said[-1] for word in (issue, *words))


def test_a_folder_within_a_repository_is_no_part_of_it(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)

    with held(tmp_path / ".worker"):
        seen = subprocess.run(
            ["git", "-C", str(tmp_path), "status", "--porcelain"],
            check=True,
            capture_output=True,
            text=True,
        )

    assert seen.stdout == ""


def said_by(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = get_command(app).main([*words], standalone_mode=False)
    told = capsys.readouterr()
    return int(code or 0), " ".join((told.out + told.err).split())


def test_what_a_worker_that_was_killed_was_at_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = {"runs": [{"issue": "DEMO-1"}], "waiting": [{"issue": "DEMO-2"}]}
    (tmp_path / "status.json").write_text(json.dumps(rows), encoding="utf-8")

    code, told = said_by(capsys, "status", "--folder", str(tmp_path))

    assert code == 1
    assert all(name in told for name in ("DEMO-1", "DEMO-2"))


def test_a_server_that_is_away_is_told_before_patience_ends() -> None:
    told: list[str] = []
    lines_then: list[int] = []

    def refuse(request: httpx.Request) -> httpx.Response:
        lines_then.append(len(told))
        raise httpx.ConnectError("refused")

    http = httpx.Client(transport=httpx.MockTransport(refuse))
    server = Server(Where("http://forge.test", "key", "box"), http, lambda seconds: False, lambda most: most)
    with pytest.raises(Unreachable):
        answered(server, "agents.me", told.append)

    assert (lines_then[0], lines_then[-1]) == (0, 1)
    assert "refused" in told[0]


def test_who_was_started_for_one_task_tells_why_there_was_none(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = []
    for source in (bench.source, bench.root / "no-such-repository"):
        with bench.crew(Actor(writes_hello)) as (crew, folder):
            crew.repository.source = str(source)
            crew.repository.place = bench.root / f"{source.name}.git"
            worker = Worker(crew, folder, bench.said.append, is_once=True)
            worker.run()
            codes.append(in_vain(worker))

    assert codes == [3, 1]
    assert capsys.readouterr().out.strip()
    assert "no-such-repository" in bench.said[-1]


def test_who_wants_a_sandbox_where_it_works_is_told_that_there_is_none(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    for sandbox in ("off", "auto"):
        with bench.crew(Actor(writes_hello), child={"sandbox": sandbox}) as (crew, _):
            warn(crew)

    assert capsys.readouterr().out.count("sandbox") == 1


class Forge(BaseHTTPRequestHandler):
    """Knows one issue with two runs."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        runs = [{"id": "run_2"}, {"id": "run_1"}] if asked.get("issueId") == "DEMO-1" else []
        chunks = [{"text": f"of {asked.get('runId')}\n"}] if asked.get("after") == "0" else []
        body = json.dumps({"data": runs, "chunks": chunks, "next": "1", "ended": True}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


@pytest.mark.parametrize(
    ("named", "code", "words"),
    [("run_1", 0, "of run_1"), ("DEMO-1", 0, "of run_2"), ("DEMO-2", 2, "no run yet")],
)
def test_a_log_is_found_by_its_run_or_by_its_issue(
    capsys: pytest.CaptureFixture[str], named: str, code: int, words: str
) -> None:
    with HTTPServer(("127.0.0.1", 0), Forge) as forge:
        Thread(target=forge.serve_forever, daemon=True).start()
        found = said_by(capsys, "logs", named, "--url", f"http://127.0.0.1:{forge.server_port}", "--key", "k")
        forge.shutdown()

    assert (found[0], words in found[1]) == (code, True)
