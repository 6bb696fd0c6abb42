"""One workspace never sees, changes or even finds anything of another's."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import NamedTuple, TypeVar

import pytest

from forge.contract.schema import portable_schema
from forge.contract.terms import Actor, Effect
from forge.contract.tools import AnyTool
from forge.errors import ErrorCode
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.testing.instruments import WRITES, Counter, watched
from forge.testing.world import World
from forge.wire.http import Response
from infra.registry import find_namespaces
from tests.contract.calls import SAMPLES, samples_of
from tests.contract.dumps import Dump, dump, ids_in, is_outside_transactions, restore
from tests.contract.stage import ALL_TOOLS, Arguments, Ready, Sample, Stage

# Ids of what no namespace makes yet. Once one does, they need a sample like all others.
KINDS_TO_COME: dict[str, str] = {}

OPAQUE = frozenset({"instanceId", "sourceId"})
"""What only its writer understands: nothing is looked up by it."""

MadeT = TypeVar("MadeT")

# What a cursor begins with, which tells its list from all others; its place follows.
_MARK = 10

# A moment, which says nothing of anybody's: any will do.
BY_TIME = frozenset({"comments.list"})

PAGED = [
    sample
    for sample in SAMPLES
    if "cursor" in sample.tool.input.model_fields and sample.tool.name not in BY_TIME
]


def id_fields(tool: AnyTool) -> list[str]:
    """Its fields that take ids."""
    fields = portable_schema(tool.input)["properties"]
    named = [field for field in fields if field == "id" or field.endswith(("Id", "Ids"))]
    return [field for field in named if field not in KINDS_TO_COME.keys() | OPAQUE]


class Tenants(NamedTuple):
    """Two workspaces in one deployment: ours, and one with things that we want."""

    ours: Stage
    theirs: Stage
    requests: Counter
    foreign: set[int]
    """The numbers of all ids that were made for them."""

    known: dict[tuple[str, bool], Arguments]
    store: Store
    start: Dump

    def rewind(self) -> None:
        """Back to two workspaces with hardly anything in them."""
        restore(self.store, self.start, present=dump(self.store))
        self.known.clear()

    def made_by_them(self, make: Callable[[Stage], MadeT]) -> MadeT:
        before = self.ours.world.ids.last
        made = make(self.theirs)
        self.foreign.update(range(before + 1, self.ours.world.ids.last + 1))
        return made

    def arguments(self, sample: Sample, *, are_theirs: bool) -> Arguments:
        """Made once for all that is tried with it: none of that may change anything."""
        place = str(sample), are_theirs
        if place not in self.known:
            made = self.made_by_them(sample.arguments) if are_theirs else sample.arguments(self.ours)
            self.known[place] = made
        return self.known[place]

    def first_page(self, sample: Sample, *, is_theirs: bool) -> "FirstPage":
        arguments = self.arguments(sample, are_theirs=is_theirs)
        return first_page(sample, self.theirs if is_theirs else self.ours, arguments)

    def our_call(self, tool: AnyTool, arguments: Arguments, *, key: str | None = None) -> Response:
        return Ready(tool, arguments, key or self.our_key(tool)).send(self.ours.world)

    def our_key(self, tool: AnyTool) -> str:
        """The owner's, or where the tool is for agents an agent's."""
        if tool.actor is Actor.AGENT:
            return self.ours.agent_key(self.ours.acting_agent)
        return self.ours.world.owner_key(self.ours.workspace)

    def theirs_in(self, answer: Response, *, but: object = None) -> set[str]:
        """What an answer shows of them, besides what it was given."""
        shown = ids_in(json.loads(answer.body)) - ids_in(but)
        return {one for one in shown if int(one.rpartition("_")[2]) in self.foreign}

    def has_changed(self) -> bool:
        """Whether anything was written since the requests were last reset."""
        done = [one for one in self.requests.sent if one.operation in WRITES and one.answer]
        return any(
            not one.is_authentication and not is_outside_transactions(str(one.parameters.get("Key")))
            for one in done
        )


@pytest.fixture(scope="module")
def lasting_tenants(connections: Connections) -> Tenants:
    requests, store = Counter(), provision(connections, "tenants")
    world = World(store=watched(store, requests))
    foreign = set(range(1, world.ids.last + 1))
    theirs, ours = Stage(world), Stage(world, world.add_workspace("ours"))
    furnished = Tenants(ours, theirs, requests, foreign, {}, store, {})
    furnished.made_by_them(_furnish)
    _furnish(ours)
    return furnished._replace(start=dump(store))


def _furnish(stage: Stage) -> None:
    stage.a_member()
    stage.a_label()
    stage.a_status("TODO")
    stage.an_agent_with_history()
    # Asked for once, so that it is there whenever the table is set back.
    assert stage.acting_agent


@pytest.fixture
def tenants(lasting_tenants: Tenants) -> Tenants:
    lasting_tenants.rewind()
    return lasting_tenants


def sample_with(tool: AnyTool, field: str, tenants: Tenants) -> tuple[Sample, Arguments]:
    """A sample of the tool that uses the field, as they would call it."""
    for sample in samples_of(tool.name):
        arguments = tenants.arguments(sample, are_theirs=True)
        if field in arguments:
            return sample, arguments
    raise AssertionError(f"add a call of {tool} with {field} to SAMPLES in tests/contract/calls.py")


def test_a_kind_of_id_is_left_out_only_while_nothing_makes_it() -> None:
    existing = {namespace.name for namespace in find_namespaces().values()}

    assert existing.isdisjoint(KINDS_TO_COME.values())


@pytest.mark.parametrize("tool", ALL_TOOLS.values(), ids=str)
def test_a_tool_finds_shows_and_changes_nothing_of_another_workspace(tool: AnyTool, tenants: Tenants) -> None:
    for field in id_fields(tool):
        assert_a_foreign_id_is_as_unknown_as_any(tool, field, tenants)
    for sample in samples_of(tool.name):
        if tool.effect is Effect.READ_ONLY:
            assert_an_answer_holds_nothing_of_theirs(sample, tenants)
        if sample in PAGED:
            assert_a_foreign_cursor_shows_nothing_of_theirs(sample, tenants)
            assert_a_forged_cursor_shows_nothing_of_theirs(sample, tenants)


def assert_a_foreign_id_is_as_unknown_as_any(tool: AnyTool, field: str, tenants: Tenants) -> None:
    sample, wanted = sample_with(tool, field, tenants)
    arguments = {**tenants.arguments(sample, are_theirs=False), field: wanted[field]}
    key = tenants.our_key(tool)
    tenants.requests.reset()

    answer = tenants.our_call(tool, arguments, key=key)

    body = json.loads(answer.body)
    assert not tenants.has_changed(), field
    assert tenants.theirs_in(answer, but=wanted[field]) == set(), field
    if answer.status == 200:
        # A filter by something that is not there finds nothing.
        assert (tool.effect, body["data"]) == (Effect.READ_ONLY, []), field
    elif answer.status == 400:
        # What a call merely refers to is a mistake in its arguments; what it is about is missing.
        assert (body["error"], field in body["issues"]) == (ErrorCode.INVALID_INPUT, True), field
    else:
        assert (answer.status, body["error"]) == (404, ErrorCode.NOT_FOUND), field


def assert_an_answer_holds_nothing_of_theirs(sample: Sample, tenants: Tenants) -> None:
    arguments = tenants.arguments(sample, are_theirs=False)
    key = tenants.ours.key_for(sample.tool, frozenset(sample.scopes))

    answer = Ready(sample.tool, arguments, key).send(tenants.ours.world)

    assert answer.status == 200, (sample, answer.body)
    assert tenants.theirs_in(answer) == set(), sample


class FirstPage(NamedTuple):
    """The arguments of a list, and where its second page begins; None when there is only one."""

    arguments: Arguments
    cursor: str | None


def first_page(sample: Sample, stage: Stage, arguments: Arguments) -> FirstPage:
    key = stage.key_for(sample.tool, sample.scopes, as_agent=sample.as_agent)
    answer = Ready(sample.tool, arguments, key).send(stage.world)
    return FirstPage(arguments, json.loads(answer.body).get("nextCursor"))


@pytest.fixture(scope="module")
def cursors(lasting_tenants: Tenants) -> dict[str, str]:
    """One of our own for each list."""
    found = {}
    for sample in reversed(PAGED):
        lasting_tenants.rewind()
        if cursor := lasting_tenants.first_page(sample, is_theirs=False).cursor:
            found[sample.tool.name] = cursor
    return found


def test_every_list_has_a_sample_with_a_second_page(cursors: dict[str, str]) -> None:
    assert {sample.tool.name for sample in PAGED} == set(cursors)


def assert_a_foreign_cursor_shows_nothing_of_theirs(sample: Sample, tenants: Tenants) -> None:
    wanted, cursor = tenants.first_page(sample, is_theirs=True)
    own, _ = tenants.first_page(sample, is_theirs=False)
    if cursor is None:
        return

    theirs = tenants.our_call(sample.tool, wanted | {"cursor": cursor})
    ours = tenants.our_call(sample.tool, own | {"cursor": cursor})

    assert tenants.theirs_in(theirs, but=wanted) == set(), sample
    assert theirs.status in (400, 404), sample
    assert (ours.status, set(json.loads(ours.body)["issues"])) == (400, {"cursor"}), sample


def assert_a_forged_cursor_shows_nothing_of_theirs(sample: Sample, tenants: Tenants) -> None:
    _, cursor = tenants.first_page(sample, is_theirs=True)
    arguments, own_cursor = tenants.first_page(sample, is_theirs=False)
    if cursor is None or own_cursor is None:
        return

    # What names the list is ours, and the place in it is theirs.
    forged = _written(_read(own_cursor)[:_MARK] + _read(cursor)[_MARK:])
    answer = tenants.our_call(sample.tool, arguments | {"cursor": forged})

    assert answer.status == 200, sample
    assert tenants.theirs_in(answer) == set(), sample


@pytest.mark.parametrize("sample", PAGED, ids=str)
def test_a_cursor_of_another_list_is_refused(
    sample: Sample, cursors: dict[str, str], tenants: Tenants
) -> None:
    arguments = tenants.arguments(sample, are_theirs=False)

    for tool, cursor in cursors.items():
        if tool != sample.tool.name:
            answer = tenants.our_call(sample.tool, arguments | {"cursor": cursor})

            assert answer.status == 400, (sample, tool)


def _read(cursor: str) -> str:
    return urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()


def _written(text: str) -> str:
    return urlsafe_b64encode(text.encode()).rstrip(b"=").decode()
