"""One workspace never sees, changes or even finds anything of another's."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from forge.contract.schema import portable_schema
from forge.contract.terms import Effect
from forge.contract.tools import AnyTool
from forge.errors import ErrorCode
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.testing.world import World
from forge.wire.http import Response
from infra.registry import find_namespaces
from tests.contract.calls import (
    ALL_TOOLS,
    SAMPLES,
    Arguments,
    Ready,
    Sample,
    Stage,
    every_reading_sample,
    samples_of,
)
from tests.contract.dumps import Dump, content, ids_in, of_workspace

# Ids of what no namespace makes yet. Once one does, they need a sample like all others.
KINDS_TO_COME = {"projectIds": "projects", "initiativeIds": "initiatives", "runtimeId": "runtimes"}

PAGED = [sample for sample in SAMPLES if "cursor" in portable_schema(sample.tool.input)["properties"]]
every_paged_sample = pytest.mark.parametrize("sample", PAGED, ids=str)


def id_fields() -> Iterator[Any]:
    """Each tool with each of its fields that takes ids."""
    for tool in ALL_TOOLS.values():
        for field in portable_schema(tool.input)["properties"]:
            if (field == "id" or field.endswith(("Id", "Ids"))) and field not in KINDS_TO_COME:
                yield pytest.param(tool, field, id=f"{tool}-{field}")


class Tenants(NamedTuple):
    """Two workspaces in one deployment: ours, and one with things that we want."""

    ours: Stage
    theirs: Stage
    store: Store

    def our_call(self, tool: AnyTool, arguments: Arguments) -> Response:
        return Ready(tool, arguments, self.ours.world.owner_key(self.ours.workspace)).send(self.ours.world)

    def only_theirs(self, held: Dump) -> set[str]:
        """Every id that stands in an item of theirs and in none of ours."""
        ours, theirs = (ids_in(of_workspace(held, stage.workspace.id)) for stage in (self.ours, self.theirs))
        return theirs - ours


@pytest.fixture(scope="module")
def lasting_tenants(connections: Connections) -> Tenants:
    """Shared by all tests, because nothing that they try may succeed."""
    store = provision(connections, "tenants")
    world = World(store=store)
    theirs, ours = Stage(world), Stage(world, world.add_workspace("ours"))
    for stage in (theirs, ours):
        stage.a_member()
        stage.a_label()
        stage.a_status("TODO")
        stage.an_agent_with_history()
    return Tenants(ours, theirs, store)


@pytest.fixture
def tenants(lasting_tenants: Tenants) -> Tenants:
    """With a new minute of calls for everybody's keys."""
    lasting_tenants.ours.world.clock.advance(minutes=1)
    return lasting_tenants


def sample_with(tool: AnyTool, field: str, stage: Stage) -> tuple[Sample, Arguments]:
    """A sample of the tool that uses the field."""
    for sample in samples_of(tool.name):
        arguments = sample.arguments(stage)
        if field in arguments:
            return sample, arguments
    raise AssertionError(f"add a call of {tool} with {field} to SAMPLES in tests/contract/calls.py")


def test_a_kind_of_id_is_left_out_only_while_nothing_makes_it() -> None:
    existing = {namespace.name for namespace in find_namespaces().values()}

    assert existing.isdisjoint(KINDS_TO_COME.values())


@pytest.mark.parametrize(("tool", "field"), [*id_fields()])
def test_an_id_of_another_workspace_is_as_unknown_as_any(tool: AnyTool, field: str, tenants: Tenants) -> None:
    sample, wanted = sample_with(tool, field, tenants.theirs)
    arguments = {**sample.arguments(tenants.ours), field: wanted[field]}
    before = content(tenants.store)

    answer = tenants.our_call(tool, arguments)

    body = json.loads(answer.body)
    assert content(tenants.store) == before
    assert ids_in(body).isdisjoint(tenants.only_theirs(before) - ids_in(wanted[field]))
    if field in portable_schema(tool.input).get("required", ()):
        assert (answer.status, body["error"]) == (404, ErrorCode.NOT_FOUND)
    elif tool.effect is Effect.READ_ONLY:
        assert (answer.status, body["data"]) == (200, [])
    else:
        assert (answer.status, body["error"]) == (400, ErrorCode.INVALID_INPUT)
        assert field in body["issues"]


@every_reading_sample
def test_an_answer_holds_nothing_of_another_workspace(sample: Sample, tenants: Tenants) -> None:
    arguments = sample.arguments(tenants.ours)
    key = tenants.ours.key_for(sample.tool, frozenset(sample.scopes))

    answer = Ready(sample.tool, arguments, key).send(tenants.ours.world)

    assert answer.status == 200, answer.body
    assert ids_in(json.loads(answer.body)).isdisjoint(tenants.only_theirs(content(tenants.store)))


def first_page(sample: Sample, stage: Stage) -> tuple[Arguments, str]:
    """The arguments of a list that has more than one page, and where the second begins."""
    arguments = sample.arguments(stage)
    answer = Ready(sample.tool, arguments, stage.world.owner_key(stage.workspace)).send(stage.world)
    return arguments, json.loads(answer.body)["nextCursor"]


def read_cursor(cursor: str) -> dict[str, str]:
    position: dict[str, str] = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    return position


def written_cursor(position: dict[str, str]) -> str:
    return urlsafe_b64encode(json.dumps(position).encode()).rstrip(b"=").decode()


@every_paged_sample
def test_a_cursor_of_another_workspace_is_refused(sample: Sample, tenants: Tenants) -> None:
    wanted, cursor = first_page(sample, tenants.theirs)
    own, _ = first_page(sample, tenants.ours)

    for arguments in (wanted, own):
        answer = tenants.our_call(sample.tool, arguments | {"cursor": cursor})

        assert answer.status == 400
        assert set(json.loads(answer.body)["issues"]) == {"cursor"}


@every_paged_sample
def test_a_forged_cursor_shows_nothing_of_another_workspace(sample: Sample, tenants: Tenants) -> None:
    _, cursor = first_page(sample, tenants.theirs)
    arguments, own_cursor = first_page(sample, tenants.ours)
    foreign = tenants.only_theirs(content(tenants.store))

    for name, value in read_cursor(cursor).items():
        forged = written_cursor(read_cursor(own_cursor) | {name: value})
        answer = tenants.our_call(sample.tool, arguments | {"cursor": forged})

        # A foreign sort key alone points nowhere but into our own list.
        assert answer.status == 400 or name.lower().endswith("sk")
        assert ids_in(json.loads(answer.body)).isdisjoint(foreign)


@every_paged_sample
def test_a_cursor_of_another_list_is_refused(sample: Sample, tenants: Tenants) -> None:
    arguments = sample.arguments(tenants.ours)

    for other in PAGED:
        if other is not sample:
            _, cursor = first_page(other, tenants.ours)
            answer = tenants.our_call(sample.tool, arguments | {"cursor": cursor})

            assert answer.status == 400
