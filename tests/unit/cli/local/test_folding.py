"""Snapshots: they hold what the journals held, and take their place only when they are whole."""

from datetime import timedelta
from pathlib import Path

import pytest

from forge.cli.local.documents import Change, without_outlived
from forge.cli.local.folding import fold, write_snapshot
from forge.cli.local.frames import Damaged
from forge.cli.local.journal import load, look
from forge.testing.clock import NOON
from tests.unit.cli.local.test_journal import written

ITEM = ("item", "t", "a", "s")


def a_journal(folder: Path, *changes: Change) -> None:
    written(folder, list(changes))


def test_a_folded_folder_holds_the_same(tmp_path: Path) -> None:
    a_journal(tmp_path, Change(ITEM, 1), Change(("item", "t", "b", "s"), 1))
    a_journal(tmp_path, Change(ITEM, 2), Change(("item", "t", "b", "s"), None))
    a_journal(tmp_path, Change(("queue", "q"), {"name": "q"}))
    before = load(look(tmp_path))

    fold(tmp_path, 3)

    assert load(look(tmp_path)) == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["000003.journal", "000003.snapshot"]


def test_folding_again_goes_on_from_the_last_snapshot(tmp_path: Path) -> None:
    a_journal(tmp_path, Change(ITEM, 1))
    fold(tmp_path, 2)
    a_journal(tmp_path, Change(ITEM, 2))
    fold(tmp_path, look(tmp_path).next_number)

    assert load(look(tmp_path)) == {ITEM: 2}
    assert len(list(tmp_path.iterdir())) == 1


def test_journals_that_a_crash_left_beside_their_snapshot_count_for_nothing(tmp_path: Path) -> None:
    a_journal(tmp_path, Change(ITEM, "old"))
    write_snapshot(tmp_path, 2, {ITEM: "new"})

    assert load(look(tmp_path)) == {ITEM: "new"}


def test_a_draft_counts_for_nothing(tmp_path: Path) -> None:
    a_journal(tmp_path, Change(ITEM, 1))
    (tmp_path / "000002.draft").write_bytes(b"half")

    assert load(look(tmp_path)) == {ITEM: 1}


@pytest.mark.parametrize("cut", [1, 30])
def test_a_snapshot_that_lost_its_end_is_damaged(tmp_path: Path, cut: int) -> None:
    write_snapshot(tmp_path, 1, {ITEM: 1})
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-cut])

    with pytest.raises(Damaged):
        load(look(tmp_path))


def test_messages_keep_their_order(tmp_path: Path) -> None:
    sent = {"queue": "q", "message": {"sent_at": NOON.timestamp() + 10**9}}
    a_journal(tmp_path, *(Change(("message", str(number)), sent) for number in (3, 1, 2)))

    fold(tmp_path, 2)

    assert list(load(look(tmp_path))) == [("message", "3"), ("message", "1"), ("message", "2")]


@pytest.mark.parametrize(("age", "is_kept"), [(timedelta(minutes=9), True), (timedelta(minutes=11), False)])
def test_a_token_is_forgotten_after_ten_minutes(age: timedelta, is_kept: bool) -> None:
    kept = without_outlived({("token", "x"): {"completed_at": (NOON - age).timestamp()}}, NOON)

    assert bool(kept) is is_kept


@pytest.mark.parametrize(("age", "is_kept"), [(timedelta(days=13), True), (timedelta(days=15), False)])
def test_a_message_is_forgotten_when_no_queue_could_hold_it_any_more(age: timedelta, is_kept: bool) -> None:
    sent = {"queue": "q", "message": {"sent_at": (NOON - age).timestamp()}}

    assert bool(without_outlived({("message", "x"): sent}, NOON)) is is_kept


@pytest.mark.parametrize(("seconds", "is_kept"), [(1, True), (-1, False), (None, True)])
@pytest.mark.parametrize("status", ["ENABLED", "DISABLED"])
def test_an_item_is_forgotten_when_its_time_has_come(seconds: int | None, is_kept: bool, status: str) -> None:
    moment = {} if seconds is None else {"until": {"N": str(NOON.timestamp() + seconds)}}
    setting = {"TimeToLiveStatus": status, "AttributeName": "until"}

    kept = without_outlived({("ttl", "t"): setting, ITEM: moment}, NOON)

    assert (ITEM in kept) is (is_kept or status == "DISABLED")
