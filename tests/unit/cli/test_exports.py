"""`forge admin export`: what it does with what comes back, and that half an export does not pass for one."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from forge.cli import exports
from forge.cli.calls import BadArguments, Connection, Refused
from forge.cli.local.listening import HOST

LINES = b'{"export":{"format":1}}\n{"key":["A","B"],"item":{}}\n{"end":{"items":1}}\n'
JSON, NDJSON = "application/json", "application/x-ndjson"

Reply = tuple[int, str, bytes]


def said(status: int, body: dict[str, Any]) -> Reply:
    return status, JSON, json.dumps(body).encode()


@contextmanager
def a_forge(*replies: Reply) -> Iterator[Connection]:
    """Answers so, one request after the other."""
    left = list(replies)

    class Scripted(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.do_GET()

        def do_GET(self) -> None:
            status, kind, body = left.pop(0)
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer((HOST, 0), Scripted) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield Connection(f"http://{HOST}:{server.server_port}", "forge_sk_of_nobody")
        finally:
            server.shutdown()
            thread.join()


def run(at: Connection) -> list[float]:
    """How long it waited."""
    waited: list[float] = []
    exports.run({}, at=at, pause=waited.append)
    return waited


def test_lines_in_the_answer_are_written_as_they_are(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with a_forge((200, NDJSON, LINES)) as at:
        assert run(at) == []

    assert capfdbinary.readouterr().out == LINES


def test_what_was_only_ordered_is_asked_for_until_it_is_there(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    ordered = said(202, {"exportId": "exp_1", "status": "PENDING"})
    under_way = said(200, {"exportId": "exp_1", "status": "RUNNING"})
    with a_forge((200, NDJSON, LINES)) as shelf:
        done = said(200, {"exportId": "exp_1", "status": "DONE", "url": f"{shelf.url}/x.jsonl"})
        with a_forge(ordered, under_way, under_way, done) as at:
            waited = run(at)

    assert len(waited) == 2
    assert capfdbinary.readouterr().out == LINES


@pytest.mark.parametrize("cut", [b"", LINES[:-10], LINES[:30]])
def test_lines_that_were_cut_are_told(cut: bytes, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with a_forge((200, NDJSON, cut)) as at, pytest.raises(BadArguments):
        run(at)


def test_an_export_that_failed_is_told() -> None:
    failed = said(200, {"exportId": "exp_1", "status": "FAILED", "error": "Too much."})
    with a_forge(said(202, {"exportId": "exp_1"}), failed) as at, pytest.raises(BadArguments):
        run(at)


def test_lines_that_can_not_be_fetched_are_told() -> None:
    with a_forge((403, JSON, b"{}")) as shelf:
        done = said(200, {"exportId": "exp_1", "status": "DONE", "url": f"{shelf.url}/x.jsonl"})
        with a_forge(said(202, {"exportId": "exp_1"}), done) as at, pytest.raises(BadArguments):
            run(at)


@pytest.mark.parametrize("place", [0, 1])
def test_a_refusal_is_the_servers(place: int) -> None:
    refused = said(403, {"error": "forbidden", "message": "No."})
    replies = [said(202, {"exportId": "exp_1"})][:place]
    with a_forge(*replies, refused) as at, pytest.raises(Refused):
        run(at)


def test_what_is_no_forge_is_told() -> None:
    with a_forge((200, "text/html", b"<html>")) as at, pytest.raises(BadArguments):
        run(at)


def test_the_parts_of_a_long_one_are_joined_in_their_order(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    ordered = said(202, {"exportId": "exp_1", "status": "PENDING"})
    with a_forge((200, NDJSON, LINES[:30]), (200, NDJSON, LINES[30:])) as shelf:
        done = {"exportId": "exp_1", "status": "DONE", "url": f"{shelf.url}/x.jsonl", "parts": 2}
        with a_forge(ordered, said(200, done), said(200, done)) as at:
            assert run(at) == []

    assert capfdbinary.readouterr().out == LINES


def test_files_are_fetched_once_and_never_out_of_their_folder(tmp_path: Path) -> None:
    with a_forge((200, "text/plain", b"# Notes")) as shelf:
        file = {"name": "ws_1/attachments/notes.md", "size": 7, "url": f"{shelf.url}/notes.md"}
        first, last = {"data": [file], "nextCursor": "more"}, {"data": [file]}
        with a_forge((200, NDJSON, LINES), said(200, first), said(200, last)) as at:
            exports.run({}, at=at, files=tmp_path)
    outside = said(200, {"data": [{**file, "name": "../../x"}]})
    with a_forge((200, NDJSON, LINES), outside) as at, pytest.raises(BadArguments):
        exports.run({}, at=at, files=tmp_path)

    assert [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()] == [b"# Notes"]
