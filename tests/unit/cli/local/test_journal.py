"""The journal: what was acknowledged is read again, what was torn is not, and what is damaged is told."""

import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from forge.cli.local.documents import Change
from forge.cli.local.folding import write_snapshot
from forge.cli.local.frames import Damaged, encode
from forge.cli.local.journal import Journal, load, load_all, look


def nobody_folds(before: int) -> None:
    return None


def an_item(name: str, value: object = 1) -> Change:
    return Change(("item", "t", name, "s"), value)


def written(folder: Path, *batches: list[Change]) -> Path:
    """The file of a journal that was not closed: nothing depends on that."""
    journal = Journal(folder, nobody_folds)
    for batch in batches:
        journal.append(batch)
    return max(folder.glob("*.journal"))


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """The kernel itself refuses whatever is longer."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)


def test_what_was_appended_is_there_after_a_start(tmp_path: Path) -> None:
    written(tmp_path, [an_item("a"), an_item("b")], [an_item("a", 2), an_item("b", None)])

    assert load(look(tmp_path)) == {("item", "t", "a", "s"): 2}


def test_each_start_goes_on_in_a_file_of_its_own(tmp_path: Path) -> None:
    written(tmp_path, [an_item("a")])
    written(tmp_path, [an_item("b")])

    assert len(look(tmp_path).journals) == 2
    assert set(load(look(tmp_path))) == {an_item("a").path, an_item("b").path}


@pytest.mark.parametrize("left", range(0, len(encode([an_item("torn")])), 7))
def test_a_torn_last_record_is_dropped_wherever_it_was_cut(tmp_path: Path, left: int) -> None:
    file = written(tmp_path, [an_item("kept")])
    whole = file.read_bytes()
    file.write_bytes(whole + encode([an_item("torn")])[:left])

    assert set(load(look(tmp_path))) == {an_item("kept").path}
    assert file.read_bytes() == whole


def test_a_dropped_record_does_not_damage_what_comes_after_it(tmp_path: Path) -> None:
    file = written(tmp_path, [an_item("kept")])
    file.write_bytes(file.read_bytes() + encode([an_item("torn")])[:-5])

    load(look(tmp_path))
    written(tmp_path, [an_item("later")])

    assert set(load(look(tmp_path))) == {an_item("kept").path, an_item("later").path}


@pytest.mark.parametrize("where", [0, 12])
def test_a_damaged_beginning_or_middle_is_told_and_nothing_is_touched(tmp_path: Path, where: int) -> None:
    file = written(tmp_path, [an_item("a")], [an_item("b")])
    damaged = bytearray(file.read_bytes())
    damaged[where] ^= 1
    file.write_bytes(damaged)

    with pytest.raises(Damaged) as told:
        load(look(tmp_path))

    assert str(file) in str(told.value)
    assert file.read_bytes() == damaged


def test_an_earlier_file_that_was_cut_is_damaged(tmp_path: Path) -> None:
    file = written(tmp_path, [an_item("a")])
    file.write_bytes(file.read_bytes()[:-3])
    written(tmp_path, [an_item("b")])

    with pytest.raises(Damaged):
        load(look(tmp_path))


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_a_file_that_is_missing_before_others_is_told(tmp_path: Path, missing: int) -> None:
    for number in range(1, 5):
        written(tmp_path, [an_item(str(number))])
    gone = tmp_path / f"{missing:06d}.journal"
    gone.unlink()

    with pytest.raises(Damaged) as told:
        load(look(tmp_path))
    with pytest.raises(Damaged):
        load_all(tmp_path)

    assert str(gone) in str(told.value)


def test_a_snapshot_of_no_journals_misses_none_and_one_of_some_all_that_follow(tmp_path: Path) -> None:
    write_snapshot(tmp_path, 1, {an_item("a").path: 1})
    for name in ("b", "c", "d"):
        written(tmp_path, [an_item(name)])
    assert len(load(look(tmp_path))) == 4

    (tmp_path / "000003.journal").unlink()

    with pytest.raises(Damaged):
        load(look(tmp_path))


def test_nothing_of_a_refused_record_stays_and_the_next_one_that_fits_is_kept(tmp_path: Path) -> None:
    journal = Journal(tmp_path, nobody_folds)
    journal.append([an_item("before")])
    (file,) = tmp_path.glob("*.journal")
    size = file.stat().st_size

    with files_up_to(size + 100), pytest.raises(OSError, match="large"):
        journal.append([an_item("refused", "x" * 1000)])
    journal.append([an_item("after")])

    assert set(load(look(tmp_path))) == {an_item("before").path, an_item("after").path}


def test_a_disk_that_is_full_from_the_start_is_told(tmp_path: Path) -> None:
    journal = Journal(tmp_path, nobody_folds)
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, journal._file)
    os.close(full)

    with pytest.raises(OSError, match="space"):
        journal.append([an_item("a")])


def test_the_journal_is_private(tmp_path: Path) -> None:
    assert written(tmp_path).stat().st_mode & 0o077 == 0
