"""Wherever a tool refers to something, a name will do; what nothing is called is refused, never ignored."""

import json

import pytest

from forge.contract.models import models_within
from forge.contract.references import Kind, ReferenceField, references_in
from forge.contract.synonyms import synonyms_of
from forge.contract.tools import AnyTool
from tests.contract.calls import samples_of
from tests.contract.rehearsals import Rehearsal, Rehearse
from tests.contract.stage import ALL_TOOLS, Ready

READS_MORE = {
    Kind.STATUS: 0,
    Kind.AGENT: 1,
    Kind.PERSON: 1,
    Kind.LABEL: 1,
    Kind.PROJECT: 2,
    Kind.INITIATIVE: 2,
    Kind.CYCLE: 1,
    Kind.RUNTIME: 2,
    Kind.ISSUE: 1,
}
"""What a name costs; statuses come with the settings, which whoever takes one reads anyway."""

CALLED = {
    Kind.STATUS: ("statuses.list", "name"),
    Kind.AGENT: ("agents.list", "profileKey"),
    Kind.PERSON: ("members.list", "handle"),
    Kind.LABEL: ("labels.list", "name"),
    Kind.PROJECT: ("projects.list", "key"),
    Kind.INITIATIVE: ("initiatives.list", "slug"),
    Kind.CYCLE: ("cycles.list", "name"),
    Kind.RUNTIME: ("runtimes.list", "name"),
    Kind.ISSUE: ("issues.list", "identifier"),
}


def named_in(tool: AnyTool) -> list[ReferenceField]:
    """Nobody calls a crew anything but its id."""
    return [field for field in tool.references if field.kind in CALLED]


REFERRING = [tool for tool in ALL_TOOLS.values() if named_in(tool)]
ABOUT_AN_ISSUE = [
    tool
    for tool in ALL_TOOLS.values()
    if {one.alias for one in tool.references} & {*synonyms_of(tool.input).values()}
]


def name_of(rehearsal: Rehearsal, kind: Kind, thing_id: str) -> str:
    """What people call it, in another case."""
    list_tool, name = CALLED[kind]
    rows = rehearsal.stage.call(list_tool, {"limit": 100} if kind is Kind.ISSUE else {})["data"]
    called = next(row[name] for row in rows if thing_id in (row["id"], row[name]))
    return str(called or "me").swapcase()


def rehearsed_with(tool: AnyTool, field: ReferenceField, rehearse: Rehearse) -> Rehearsal:
    """Of a sample that gives this argument; there must be one."""
    for sample in samples_of(tool.name):
        rehearsal = rehearse(sample)
        if rehearsal.ready.arguments.get(field.alias):
            rehearsal.rewind()
            return rehearsal
    raise AssertionError(f"no sample of {tool} gives {field.alias}")


def said(ready: Ready, field: ReferenceField, words: list[str]) -> Ready:
    return ready._replace(arguments={**ready.arguments, field.alias: words if field.is_many else words[0]})


def ids_of(ready: Ready, field: ReferenceField) -> list[str]:
    given = ready.arguments[field.alias]
    return list(given) if field.is_many else [given]


@pytest.mark.parametrize("tool", REFERRING, ids=str)
def test_a_name_in_any_case_stands_for_an_id(tool: AnyTool, rehearse: Rehearse) -> None:
    for field in named_in(tool):
        rehearsal = rehearsed_with(tool, field, rehearse)
        names = [name_of(rehearsal, field.kind, one) for one in ids_of(rehearsal.ready, field)]

        answer, used = rehearsal.asked(said(rehearsal.ready, field, names))

        assert answer.status == 200, (field, answer.body)
        assert used.reads <= tool.costs.most.reads + READS_MORE[field.kind], field


@pytest.mark.parametrize("tool", REFERRING, ids=str)
def test_what_nothing_is_called_is_a_mistake_that_names_its_field(tool: AnyTool, rehearse: Rehearse) -> None:
    for field in named_in(tool):
        rehearsal = rehearsed_with(tool, field, rehearse)
        (unknown_id, *_) = ids_of(rehearsal.ready, field)
        unknown_id = unknown_id.rpartition("_")[0] + "_999999"

        for unknown in ("No such thing", unknown_id):
            answer = said(rehearsal.ready, field, [unknown]).send(rehearsal.world)

            body = json.loads(answer.body)
            if field.is_subject or (field.kind is Kind.ISSUE and answer.status == 404):
                assert (answer.status, body["error"]) == (404, "not_found"), (field, body)
            else:
                assert (answer.status, set(body["issues"])) == (400, {field.alias}), (field, body)


@pytest.mark.parametrize("tool", ABOUT_AN_ISSUE, ids=str)
def test_the_issue_of_a_call_is_id_and_issue_id(tool: AnyTool, rehearse: Rehearse) -> None:
    ((other, published),) = synonyms_of(tool.input).items()
    (field,) = (one for one in tool.references if one.alias == published)
    rehearsal = rehearsed_with(tool, field, rehearse)
    ready, world = rehearsal.ready, rehearsal.world
    rest = {name: value for name, value in ready.arguments.items() if name != published}

    twice = ready._replace(arguments={**ready.arguments, other: "iss_999999"}).send(world)
    answer = ready._replace(arguments={**rest, other: ready.arguments[published]}).send(world)

    assert (twice.status, set(json.loads(twice.body)["issues"])) == (400, {other})
    assert answer.status == 200, answer.body


def test_only_the_arguments_themselves_refer_to_something() -> None:
    within = {model for tool in ALL_TOOLS.values() for model in models_within(tool.input) - {tool.input}}

    assert not [field for model in within for field in references_in(model)]


@pytest.mark.parametrize("tool", [one for one in ALL_TOOLS.values() if one.input.elsewhere], ids=str)
def test_who_is_sent_to_another_tool_finds_it(tool: AnyTool) -> None:
    assert set(tool.input.elsewhere.values()) <= {one.name for one in ALL_TOOLS.values()} - {tool.name}
    assert tool.input.elsewhere.keys().isdisjoint(field.alias for field in tool.input.model_fields.values())
