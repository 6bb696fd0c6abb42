"""The log of a run: every line arrives once, in order, and no key is in it."""

import json
from pathlib import Path

import httpx
import pytest

from forge.cli.worker.runs.logs import FILE, LEFT_OUT, MOST_BYTES, MOST_KEPT, MOST_WAITING, LogBook
from forge.cli.worker.runs.masks import HIDDEN, masking
from forge.cli.worker.server.client import Server, Where
from tests.unit.cli.worker.workbench import Killed, a_disk_with_room_for


class Shelf:
    """A server that keeps chunks by their number, as Forge does."""

    def __init__(self) -> None:
        self.chunks: list[str] = []
        self.stop = ""
        self.dies_after_next = False

    def server(self) -> Server:
        http = httpx.Client(transport=httpx.MockTransport(self._handle))
        return Server(Where("http://forge.test", "key", "box"), http, lambda _: True, lambda most: most)

    def _handle(self, request: httpx.Request) -> httpx.Response:
        told = json.loads(request.content)
        expected = len(self.chunks)
        if "looks-like-a-key" in told["chunk"]:
            return httpx.Response(400, json={"error": "invalid_input", "message": "It looks like a key."})
        if told["seq"] == expected - 1 and told["chunk"] == self.chunks[-1]:
            return httpx.Response(200, json={})
        if told["seq"] != expected:
            body = {"error": "conflict", "message": "A gap.", "details": {"expected": expected}}
            return httpx.Response(409, json=body)
        self.chunks.append(told["chunk"])
        if self.dies_after_next:
            self.dies_after_next = False
            raise Killed
        return httpx.Response(200, json={"stop": {"reason": self.stop}} if self.stop else {})


def plain(text: str) -> str:
    return text


def test_lines_are_sent_in_numbered_chunks(tmp_path: Path) -> None:
    shelf = Shelf()
    log = LogBook(tmp_path, "run_1", shelf.server())
    log.write("one", plain)
    log.write("two", plain)
    log.flush()
    log.write("three", plain)
    log.flush()
    log.flush()

    assert shelf.chunks == ["one\ntwo\n", "three\n"]


def test_after_a_crash_it_goes_on_where_it_was(tmp_path: Path) -> None:
    shelf = Shelf()
    first = LogBook(tmp_path, "run_1", shelf.server())
    first.write("one", plain)
    first.flush()
    first.write("two", plain)

    LogBook(tmp_path, "run_1", shelf.server()).flush()

    assert shelf.chunks == ["one\n", "two\n"]


def test_a_machine_that_did_not_begin_the_log_goes_on_with_its_number(tmp_path: Path) -> None:
    shelf = Shelf()
    shelf.chunks = ["elsewhere\n", "elsewhere\n"]
    log = LogBook(tmp_path, "run_1", shelf.server())
    log.write("here", plain)

    log.flush()

    assert shelf.chunks[-1] == "here\n"


def test_what_is_long_goes_in_several_chunks(tmp_path: Path) -> None:
    shelf = Shelf()
    log = LogBook(tmp_path, "run_1", shelf.server())
    log.write("x" * (MOST_BYTES + 10), plain)

    log.flush()

    assert [len(chunk) for chunk in shelf.chunks] == [MOST_BYTES, 11]


def test_what_looks_like_a_key_to_the_server_is_left_out_and_the_rest_goes_on(tmp_path: Path) -> None:
    shelf = Shelf()
    log = LogBook(tmp_path, "run_1", shelf.server())
    for line in ("one", "looks-like-a-key", "three"):
        log.write(line, plain)
        log.flush()

    assert shelf.chunks == ["one\n", LEFT_OUT.decode(), "three\n"]


def test_the_answer_may_say_that_the_run_has_to_stop(tmp_path: Path) -> None:
    shelf = Shelf()
    shelf.stop = "It is over its budget."
    log = LogBook(tmp_path, "run_1", shelf.server())
    log.write("one", plain)

    assert log.flush() == "It is over its budget."


def test_keys_are_hidden_by_what_they_are_and_by_how_they_look() -> None:
    mask = masking(
        {"OPENAI_API_KEY": "abcdefgh1234", "PATH": "/usr/bin", "A_TOKEN": "short"}, ["the-key-of-it"]
    )

    text = mask("abcdefgh1234 /usr/bin short the-key-of-it forge_sk_" + "a" * 30 + " ghp_" + "b" * 30)

    assert text == f"{HIDDEN} /usr/bin short {HIDDEN} {HIDDEN} {HIDDEN}"


def test_who_died_before_the_answer_sends_the_same_again_though_more_was_written(tmp_path: Path) -> None:
    shelf = Shelf()
    shelf.dies_after_next = True
    first = LogBook(tmp_path, "run_1", shelf.server())
    first.write("one", plain)
    with pytest.raises(Killed):
        first.flush()
    first.write("two", plain)

    LogBook(tmp_path, "run_1", shelf.server()).flush()

    assert shelf.chunks == ["one\n", "two\n"]


def test_half_a_mark_begins_nothing_anew(tmp_path: Path) -> None:
    shelf = Shelf()
    log = LogBook(tmp_path, "run_1", shelf.server())
    log.write("one", plain)
    log.flush()
    log.write("two", plain)

    with a_disk_with_room_for(3), pytest.raises(OSError, match="large"):
        log.flush()
    LogBook(tmp_path, "run_1", shelf.server()).flush()

    assert shelf.chunks == ["one\n", "two\n"]


def test_what_was_sent_does_not_stay_for_ever(tmp_path: Path) -> None:
    shelf = Shelf()
    log = LogBook(tmp_path, "run_1", shelf.server())
    for _ in range(3):
        log.write("x" * (MOST_KEPT // 2), plain)
        log.flush()
    log.write("the end", plain)
    LogBook(tmp_path, "run_1", shelf.server()).flush()

    assert (tmp_path / FILE).stat().st_size < MOST_KEPT
    assert "".join(shelf.chunks).count("x") == MOST_KEPT // 2 * 3
    assert shelf.chunks[-1].endswith("the end\n")


def test_an_agent_that_prints_without_end_fills_no_disk(tmp_path: Path) -> None:
    log = LogBook(tmp_path, "run_1", Shelf().server())

    for _ in range(20):
        log.write("x" * (MOST_WAITING // 10), plain)

    assert (tmp_path / FILE).stat().st_size < MOST_WAITING * 1.2
