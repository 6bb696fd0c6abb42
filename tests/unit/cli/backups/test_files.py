"""A file that is no whole export of one workspace changes nothing, whatever is wrong with it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from forge.cli.backups.wanted import Stopped
from tests.unit.cli.backups.houses import House


def with_line(text: str, number: int, line: str) -> str:
    lines = text.splitlines()
    lines[number] = line
    return "\n".join(lines) + "\n"


def with_field(text: str, field: str) -> str:
    return text.replace('"item":{', '"item":{' + field + ",", 1)


AN_ISSUE = '{"key":["ISSUE#iss_1","X#META"],"item":{"id":"iss_1","number":1}}'
A_NUMBER = '{"key":["NUMBERS","ISSUE"],"item":{"count":"x"}}'
PROJECT, ANOTHER = '"key":["PROJECTS","PROJECT#prj', '"key":["PROJECTS","PROJECT#x'
SPOILED: dict[str, Callable[[str], str]] = {
    "nothing": lambda text: "",
    "no JSON": lambda text: with_line(text, 3, "{"),
    "no object": lambda text: with_line(text, 3, "[]"),
    "no key": lambda text: with_line(text, 3, '{"item":{}}'),
    "no export": lambda text: with_line(text, 0, '{"some":"thing"}'),
    "an older format": lambda text: text.replace('"format":2', '"format":1', 1),
    "a newer format": lambda text: text.replace('"format":2', '"format":3', 1),
    "another workspace's name": lambda text: text.replace('"workspace":{"id":"', '"workspace":{"id":"a#', 1),
    "no last line": lambda text: text[: text.rindex('{"end"')],
    "a line less": lambda text: with_line(text, 3, "").replace("\n\n", "\n"),
    "something after the end": lambda text: text + AN_ISSUE + "\n",
    "a line twice": lambda text: with_line(text, 3, text.splitlines()[4]),
    "an unknown place": lambda text: with_line(text, 3, '{"key":["NOWHERE#1","X"],"item":{}}'),
    "what is derived": lambda text: with_line(text, 3, '{"key":["TERM#word","iss_1"],"item":{}}'),
    "an item without its fields": lambda text: with_line(text, 3, AN_ISSUE),
    "an item of another place": lambda text: text.replace(PROJECT, ANOTHER, 1),
    "a place in an index": lambda text: with_field(text, '"boardPk":"WS#ws_1#BOARD"'),
    "a secret": lambda text: with_field(text, '"live_keys":{"abc":null}'),
    "another's workspace": lambda text: with_field(text, '"workspace_id":"ws_1"'),
    "another's file": lambda text: with_field(text, '"blob":"ws_1/attachments/x"'),
    "another's text": lambda text: with_field(text, '"body":{"text":"","blob":"texts/ws_1/x"}'),
    "a number that is none": lambda text: with_line(text, 3, A_NUMBER),
}


def test_a_file_that_is_not_whole_changes_nothing(elsewhere: House, backup: Path) -> None:
    before = elsewhere.rows()
    text = backup.read_text(encoding="utf-8")

    for how, spoil in SPOILED.items():
        assert spoil(text) != text, how
        backup.write_text(spoil(text), encoding="utf-8")
        with pytest.raises(Stopped):
            elsewhere.take_in(backup)

    assert elsewhere.rows() == before
