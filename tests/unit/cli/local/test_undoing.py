"""Files of an object: as they were, until what replaces them is on the disk."""

from pathlib import Path

from forge.cli.local.undoing import Undo


def an_object(folder: Path, text: str) -> Path:
    file = folder / "s3" / "bucket" / "key"
    file.parent.mkdir(parents=True, exist_ok=True)
    for each in (file, file.with_name("key.meta.json")):
        # As the engine does: a new file takes the old one's name.
        draft = each.with_name("draft")
        draft.write_text(text)
        draft.replace(each)
    return file


def texts(file: Path) -> list[str | None]:
    return [each.read_text() if each.exists() else None for each in (file, file.with_name("key.meta.json"))]


def test_a_change_that_was_cut_off_is_taken_back_at_the_next_start(tmp_path: Path) -> None:
    file = an_object(tmp_path, "old")
    Undo(tmp_path).remember(file)
    an_object(tmp_path, "new")

    Undo(tmp_path).put_back()

    assert texts(file) == ["old", "old"]


def test_an_object_that_was_not_there_is_not_there_again(tmp_path: Path) -> None:
    file = tmp_path / "s3" / "bucket" / "key"
    Undo(tmp_path).remember(file)
    an_object(tmp_path, "new")

    Undo(tmp_path).put_back()

    assert texts(file) == [None, None]


def test_a_change_that_is_kept_stays(tmp_path: Path) -> None:
    file = an_object(tmp_path, "old")
    undo = Undo(tmp_path)
    undo.remember(file)
    an_object(tmp_path, "new")

    undo.forget(file, tmp_path / "s3")
    Undo(tmp_path).put_back()

    assert texts(file) == ["new", "new"]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["s3"]
