"""Wherever a tool refers to something, a name will do; what nothing is called is refused, never ignored."""

import json
from typing import NamedTuple

import pytest

from forge.contract.models import models_within
from forge.contract.references import Kind, ReferenceField, references_in
from forge.contract.synonyms import synonyms_of
from forge.contract.tools import AnyTool
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from tests.contract.calls import samples_of
from tests.contract.dumps import Dump, dump, restore
from tests.contract.stage import ALL_TOOLS, Ready, Stage, prepare

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


class Theatre(NamedTuple):
    stage: Stage
    store: Store
    used: Counter
    start: Dump

    def rewind(self) -> None:
        restore(self.store, self.start, present=dump(self.store))

    def name_of(self, kind: Kind, thing_id: str) -> str:
        """What people call it, in another case."""
        list_tool, name = CALLED[kind]
        rows = self.stage.call(list_tool, {"limit": 100} if kind is Kind.ISSUE else {})["data"]
        called = next(row[name] for row in rows if thing_id in (row["id"], row[name]))
        return str(called or "me").swapcase()


@pytest.fixture(scope="module")
def lasting_theatre(connections: Connections) -> Theatre:
    store, used = provision(connections, "references"), Counter()
    stage = Stage(World(store=watched(store, used)))
    assert stage.acting_agent
    return Theatre(stage, store, used, dump(store))


@pytest.fixture
def theatre(lasting_theatre: Theatre) -> Theatre:
    lasting_theatre.rewind()
    return lasting_theatre


def prepared_with(theatre: Theatre, tool: AnyTool, field: ReferenceField) -> Ready:
    """A sample that gives this argument; there must be one."""
    for sample in samples_of(tool.name):
        theatre.rewind()
        ready = prepare(sample, theatre.stage)
        if ready.arguments.get(field.alias):
            return ready
    raise AssertionError(f"no sample of {tool} gives {field.alias}")


def said(ready: Ready, field: ReferenceField, words: list[str]) -> Ready:
    return ready._replace(arguments={**ready.arguments, field.alias: words if field.is_many else words[0]})


def ids_of(ready: Ready, field: ReferenceField) -> list[str]:
    given = ready.arguments[field.alias]
    return list(given) if field.is_many else [given]


@pytest.mark.parametrize("tool", REFERRING, ids=str)
def test_a_name_in_any_case_stands_for_an_id(tool: AnyTool, theatre: Theatre) -> None:
    for field in named_in(tool):
        ready = prepared_with(theatre, tool, field)
        names = [theatre.name_of(field.kind, one) for one in ids_of(ready, field)]
        theatre.used.reset()

        answer = said(ready, field, names).send(theatre.stage.world)

        assert answer.status == 200, (field, answer.body)
        assert theatre.used.reads <= tool.costs.reads + READS_MORE[field.kind], field


@pytest.mark.parametrize("tool", REFERRING, ids=str)
def test_what_nothing_is_called_is_a_mistake_that_names_its_field(tool: AnyTool, theatre: Theatre) -> None:
    for field in named_in(tool):
        ready = prepared_with(theatre, tool, field)
        (unknown_id, *_) = ids_of(ready, field)
        unknown_id = unknown_id.rpartition("_")[0] + "_999999"

        for unknown in ("No such thing", unknown_id):
            answer = said(ready, field, [unknown]).send(theatre.stage.world)

            body = json.loads(answer.body)
            if field.is_subject or (field.kind is Kind.ISSUE and answer.status == 404):
                assert (answer.status, body["error"]) == (404, "not_found"), (field, body)
            else:
                assert (answer.status, set(body["issues"])) == (400, {field.alias}), (field, body)


@pytest.mark.parametrize("tool", ABOUT_AN_ISSUE, ids=str)
def test_the_issue_of_a_call_is_id_and_issue_id(tool: AnyTool, theatre: Theatre) -> None:
    ((other, published),) = synonyms_of(tool.input).items()
    (field,) = (one for one in tool.references if one.alias == published)
    ready = prepared_with(theatre, tool, field)
    issue_id = ready.arguments[published]
    rest = {name: value for name, value in ready.arguments.items() if name != published}

    twice = ready._replace(arguments={**ready.arguments, other: "iss_999999"}).send(theatre.stage.world)
    answer = ready._replace(arguments={**rest, other: issue_id}).send(theatre.stage.world)

    assert (twice.status, set(json.loads(twice.body)["issues"])) == (400, {other})
    assert answer.status == 200, answer.body


@pytest.mark.parametrize("tool", ALL_TOOLS.values(), ids=str)
def test_only_the_arguments_themselves_refer_to_something(tool: AnyTool) -> None:
    within = models_within(tool.input) - {tool.input}

    assert not [field for model in within for field in references_in(model)]


@pytest.mark.parametrize("tool", ALL_TOOLS.values(), ids=str)
def test_who_is_sent_to_another_tool_finds_it(tool: AnyTool) -> None:
    assert set(tool.input.elsewhere.values()) <= {one.name for one in ALL_TOOLS.values()} - {tool.name}
    assert tool.input.elsewhere.keys().isdisjoint(field.alias for field in tool.input.model_fields.values())
