"""More rows than a page holds: what a list showed, stored many times over under other ids and other times."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from forge.contract.tools import AnyTool
from forge.testing.instruments import Counter
from forge.work.issues.pages.sizes import MAX_ANSWER
from forge.work.pipelines.pipelines import FOLDER
from tests.contract.dumps import Dump, ids_in, restore
from tests.contract.rehearsals import Rehearsal

COPIES = 110
MOST_ROWS = 100
BOUNDED = {
    "attachments.list": "a target has at most 100, and a page as many",
    "comments.history": "a comment keeps its last 50 texts",
    "relations.listForIssue": "an issue has at most 60",
}
"""Lists that never have more rows than a page."""
ADDED_UP = {"time.summary": "time_"}
"""What a page is made of that shows none of it."""

SAYS_NOT = "it does not say that there is more"

Answer = dict[str, Any]
Place = tuple[str, str]

_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.)\d{3}")
_LONG = re.compile(r'("(?:title|name|summary|body|last_error)": \{"S": ")')
_WORDS = "very long words, " * 24


def answers_page(tool: AnyTool) -> bool:
    outputs = get_args(tool.output) or (tool.output,)
    return any("next_cursor" in getattr(one, "model_fields", ()) for one in outputs)


def mistakes_in_pages(first: str, second: str) -> list[str]:
    """What is wrong with two pages of a list that has more rows than one."""
    shown, then = json.loads(first), json.loads(second)
    found = [f"{len(text)} characters" for text in (first, second) if len(text) > MAX_ANSWER]
    if not shown.get("nextCursor"):
        return [*found, SAYS_NOT]
    is_same = _rows_of(shown)[-1:] == _rows_of(then)[-1:]
    return [*found, "its second page ends as the first"] if is_same else found


def mistakes_of(rehearsal: Rehearsal) -> list[str]:
    """What is wrong with a list once it is crowded: by whichever id there come to be more rows."""
    mistakes = [SAYS_NOT]
    for one in _ids_of_rows(rehearsal):
        mistakes = mistakes_in_pages(*_two_pages(rehearsal, one))
        if mistakes != [SAYS_NOT]:
            break
    return mistakes


def _two_pages(rehearsal: Rehearsal, shown_id: str) -> tuple[str, str]:
    """Of a list with many like the one that has this id."""
    tool, arguments, _ = rehearsal.ready
    restore(rehearsal.store, _crowded(rehearsal.start, shown_id), present=rehearsal.held())
    going_on = "cursor" if "cursor" in tool.input.model_fields else "before"
    bounds = [getattr(one, "le", MOST_ROWS) for one in tool.input.model_fields["limit"].metadata]
    wanted = {**arguments, "limit": min(MOST_ROWS, *bounds), going_on: None}
    first = _asked(rehearsal, wanted)
    wanted[going_on] = json.loads(first).get("nextCursor")
    second = _asked(rehearsal, wanted)
    rehearsal.rewind()
    return first, second


def _asked(rehearsal: Rehearsal, arguments: Answer) -> str:
    used, ready = Counter(), rehearsal.ready
    rehearsal.ready = ready._replace(arguments=arguments)
    answer = rehearsal.call(used, is_repeatable=False)
    rehearsal.ready = ready
    assert answer.status == 200, answer.body
    assert used.reads <= ready.tool.costs.most.reads, arguments
    return answer.body


def _ids_of_rows(rehearsal: Rehearsal) -> Iterator[str]:
    """What may tell one row from another: its own id first, then whatever else it names."""
    tool, answer = rehearsal.sample.tool.name, json.loads(rehearsal.answer.body)
    if tool in ADDED_UP:
        stored = ids_in([list(place) for place in rehearsal.start])
        yield from sorted(one for one in stored if one.startswith(ADDED_UP[tool]))
    for row in _rows_of(answer)[:1]:
        yield from [row["id"]] if "id" in row else []
        yield from [row["workspace"].removeprefix(FOLDER)] if "workspace" in row else []
        yield from sorted(ids_in(row) - {row.get("id")})


def _rows_of(answer: Answer) -> list[Answer]:
    lists = (value for value in answer.values() if isinstance(value, list) and value)
    return next((rows for rows in lists if isinstance(rows[0], dict)), [])


def _crowded(start: Dump, shown_id: str) -> Dump:
    """The table with copies of all that is kept under the id of something that is listed."""
    texts = {place: json.dumps(item) for place, item in start.items()}
    own = {place: text for place, text in texts.items() if shown_id in text}
    return start | {place: item for number in range(COPIES) for place, item in _copies(own, shown_id, number)}


def _copies(own: Mapping[Place, str], shown_id: str, number: int) -> Iterator[tuple[Place, Any]]:
    kind, _, digits = shown_id.rpartition("_")
    other = f"{kind}_{900_000 + number:0{len(digits)}}"
    for place, text in own.items():
        later = _TIME.sub(rf"\g<1>{number:03}", text.replace(shown_id, other))
        item = json.loads(_LONG.sub(rf"\g<1>{_WORDS}", later))
        if (copied := (item["pk"]["S"], item["sk"]["S"])) != place:
            yield copied, item
