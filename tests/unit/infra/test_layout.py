"""Generated JSON is short to read, and what changed in it is one line."""

import json
from pathlib import Path

from forge.contract.catalog import CATALOG_FILE
from infra.generate import ONE_FIELD
from infra.layout import laid_out

VALUE = {"rows": [{"id": number, "text": "words " * 5} for number in range(4)], "none": []}


def test_it_says_the_same_in_lines_that_fit() -> None:
    text = laid_out(VALUE, 100)

    assert json.loads(text) == VALUE
    assert max(map(len, text.splitlines())) <= 100
    assert '    {"id": 3, ' in text


def test_packed_it_says_the_same_in_fewer_lines_that_fit() -> None:
    value = {"rows": [{"id": number, "text": "words " * 15, "of": "it"} for number in range(4)], "none": []}

    text = laid_out(value, 60, packed=True)

    assert json.loads(text) == value
    assert '\n      "of": "it"\n' in text
    assert '\n  ], "none"' not in text
    assert len(text.splitlines()) == 2 + 2 + 4 * 5 + 1


def test_another_word_about_a_field_of_a_tool_is_one_line_that_names_the_field() -> None:
    before = Path(CATALOG_FILE).read_text(encoding="utf-8")
    document = json.loads(before)
    (tool,) = (tool for tool in document["tools"] if tool["name"] == "issues.list")
    tool["inputSchema"]["properties"]["query"]["description"] += " Not much."

    after = laid_out(document, ONE_FIELD)

    (changed,) = set(after.splitlines()) - set(before.splitlines())
    assert changed.strip().startswith('"query": {')
