"""The lines of calls: bounded, whole, and never in the way."""

from pathlib import Path

import pytest

from forge.cli.call_log import OLDER_FILES, CallLog
from tests.unit.cli.local.test_journal import files_up_to


def test_a_line_is_there_as_it_was_written(tmp_path: Path) -> None:
    log = CallLog(tmp_path / "calls.jsonl")

    log.write("one")
    log.write("zwei \u2603 \ud800")

    assert (tmp_path / "calls.jsonl").read_text(encoding="utf-8") == "one\nzwei \u2603 \\ud800\n"


def test_it_never_grows_beyond_its_size_and_keeps_the_newest(tmp_path: Path) -> None:
    log = CallLog(tmp_path / "calls.jsonl", most_bytes=100)

    for number in range(200):
        log.write(f"{number:09d}")

    files = sorted(tmp_path.iterdir())
    assert len(files) <= OLDER_FILES + 1
    assert all(file.stat().st_size <= 110 for file in files)
    kept = sorted(line for file in files for line in file.read_text().split())
    assert kept[-1] == f"{199:09d}"
    assert kept == [f"{number:09d}" for number in range(200 - len(kept), 200)]


@pytest.mark.parametrize("size", [0, 4, 12])
def test_a_line_for_which_there_is_no_room_is_dropped_whole(tmp_path: Path, size: int) -> None:
    log = CallLog(tmp_path / "calls.jsonl")
    log.write("before")

    with files_up_to(len("before\n") + size):
        log.write("much longer than there is room for")
    log.write("after")

    assert (tmp_path / "calls.jsonl").read_text() == "before\nafter\n"


def test_a_folder_that_is_gone_stops_nobody(tmp_path: Path) -> None:
    CallLog(tmp_path / "gone" / "calls.jsonl").write("line")


def test_a_file_that_was_taken_away_is_there_again_in_a_moment(tmp_path: Path) -> None:
    times = iter([0.0, 0.5, 2.0, 2.0])
    log = CallLog(tmp_path / "calls.jsonl", clock=lambda: next(times))
    log.write("one")
    (tmp_path / "calls.jsonl").unlink()

    log.write("two")
    log.write("three")

    assert (tmp_path / "calls.jsonl").read_text() == "three\n"
