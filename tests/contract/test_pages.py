"""Pages of a list follow one another: every row once, in the order of the whole list, and then an end."""

import json
from typing import Any

import pytest

from tests.contract.calls import SAMPLES
from tests.contract.rehearsals import Rehearsal, Rehearse
from tests.contract.stage import Arguments, Sample

Page = dict[str, Any]

NOT_ROW_BY_ROW = {
    "comments.list": "whoever answers is shown with what was said",
    "cycles.get": "its pages are of the issues in it",
    "issues.listWatchers": "a page has an order of its own",
    "time.summary": "it adds up",
}
"""Their own tests turn the pages."""

PAGED = [
    one
    for one in SAMPLES
    if {"cursor", "limit"} <= one.tool.input.model_fields.keys() and one.tool.name not in NOT_ROW_BY_ROW
]


def asked(rehearsal: Rehearsal, **more: object) -> Page:
    arguments: Arguments = {**rehearsal.ready.arguments, **more}
    answer = rehearsal.ready._replace(arguments=arguments).send(rehearsal.world)
    assert answer.status == 200, answer.body
    page: Page = json.loads(answer.body)
    return page


def pages_of(rehearsal: Rehearsal, *, limit: int) -> list[Page]:
    pages = [asked(rehearsal, limit=limit)]
    while cursor := pages[-1].get("nextCursor"):
        pages.append(asked(rehearsal, limit=limit, cursor=cursor))
        assert len(pages) < 100, "it never ends"
    return pages


@pytest.mark.parametrize("sample", PAGED, ids=str)
def test_pages_of_one_row_are_the_whole_list(sample: Sample, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample)
    rehearsal.rewind()
    (whole,) = pages_of(rehearsal, limit=50)

    single = pages_of(rehearsal, limit=1)

    assert [row for page in single for row in page["data"]] == whole["data"]
    assert all(len(page["data"]) <= 1 for page in single)
    assert len(single) == max(1, len(whole["data"]))
