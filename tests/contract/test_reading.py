"""True of every resource: it is read by its address, by whoever its tool would show it to."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from forge.context import Call, Caller, Door, KeyKind, Narrowing, Role
from forge.contract.catalog import Catalog, load_catalog
from forge.contract.contents import MAX_CHARACTERS
from forge.contract.offers import load_offers
from forge.contract.terms import Scope
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from forge.wire.edge import Backend, Edge, Options
from forge.wire.http import Response
from forge.wire.invocation import write_invocation
from infra.registry import find_offerings
from tests.contract.calls import samples_of
from tests.contract.samples.runs import a_run, an_issue
from tests.contract.stage import Stage

Address = Callable[[Stage], str]

READERS = {uri: reader for one in find_offerings().values() for uri, reader in one.readers.items()}


def _of(tool: str, *fields: str) -> Callable[[Stage], list[str]]:
    """What a sample of the tool asks for."""
    (first, *_) = samples_of(tool)

    def made(stage: Stage) -> list[str]:
        arguments = first.arguments(stage)
        return [str(arguments[field]).removeprefix(".specs/") for field in fields]

    return made


def _artifact(stage: Stage) -> str:
    (artifact_id,) = _of("artifacts.get", "id")(stage)
    return f"forge://artifact/{stage.call('artifacts.get', {'id': artifact_id})['slug']}"


ADDRESSES: dict[str, Address] = {
    "forge://issue/{identifier}": lambda stage: f"forge://issue/{an_issue(stage)}",
    "forge://run/{id}": lambda stage: f"forge://run/{a_run(stage, an_issue(stage))}",
    "forge://plan/{id}": lambda stage: f"forge://plan/{_of('executionPlans.get', 'id')(stage)[0]}",
    "forge://artifact/{slug}": _artifact,
    "forge://attachments/{id}": lambda stage: (
        f"forge://attachments/{_of('attachments.getInline', 'attachmentId')(stage)[0]}"
    ),
    "forge://pipeline/{name}/{file}": lambda stage: (
        "forge://pipeline/" + "/".join(_of("pipeline_get_artifact", "workspace", "name")(stage))
    ),
    "forge://needs-you": lambda stage: "forge://needs-you",
    "forge://workspace": lambda stage: "forge://workspace",
}
TEMPLATES = [uri for uri in ADDRESSES if "{" in uri]
EVERY = pytest.mark.parametrize("uri", ADDRESSES)


@pytest.fixture(scope="module")
def requests() -> Counter:
    return Counter()


@pytest.fixture(scope="module")
def stage(connections: Connections, requests: Counter) -> Stage:
    return Stage(World(store=watched(provision(connections, "offers"), requests)))


def read(world: World, address: str, key: str) -> dict[str, Any]:
    headers = {"mcp-name": address}
    return dict(json.loads(world.modern("resources/read", {"uri": address}, key=key, headers=headers).body))


def test_every_resource_is_read_here() -> None:
    assert ADDRESSES.keys() == load_offers().resources.keys()


@EVERY
def test_a_resource_is_read_by_its_address_at_the_cost_of_its_tool(
    uri: str, stage: Stage, requests: Counter
) -> None:
    address, key = ADDRESSES[uri](stage), stage.world.owner_key(stage.workspace)
    requests.reset()

    result = read(stage.world, address, key)["result"]

    (contents,) = result["contents"]
    assert contents["uri"] == address
    assert 0 < len(contents.get("text") or contents["blob"]) <= MAX_CHARACTERS
    assert (result["ttlMs"], result["cacheScope"]) == (0, "private")
    asked = [one for one in requests.sent if not one.is_authentication]
    assert len(asked) <= READERS[uri].costs.most.reads + 1


@pytest.mark.parametrize("uri", [uri for uri in ADDRESSES if uri != "forge://needs-you"])
def test_the_namespace_s_function_reads_it_for_the_router(uri: str, stage: Stage) -> None:
    resource, variables = load_offers().resource_at(ADDRESSES[uri](stage), frozenset(Scope))
    caller = Caller(
        key_id="key_1",
        workspace_id=stage.workspace.id,
        kind=KeyKind.PERSONAL,
        scopes=frozenset(resource.scopes),
        session_id="s",
        user_id=stage.owner_id(),
        role=Role.OWNER,
    )
    package = resource.module.rpartition(".")[0]
    own = [tool for tool in load_catalog().tools if tool.module.startswith(f"{package}.")]
    function = Edge(Catalog(own), Backend(stage.world.keys, stage.world.services), Options())
    event = write_invocation(resource.uri, variables, caller, Call("req_1", Door.RPC))

    answer = function.invoke(json.loads(json.dumps(event)))

    assert "text" in answer, answer
    few = Caller(**caller.as_dict() | {"scopes": frozenset()})
    without = write_invocation(resource.uri, variables, few, Call("req_2", Door.RPC))
    assert function.invoke(json.loads(json.dumps(without)))["failure"]["code"] == "scope_required"


@EVERY
def test_a_key_without_its_scopes_sees_no_resource(uri: str, stage: Stage) -> None:
    key = stage.world.a_key(scopes=[Scope.READ_USERS], workspace=stage.workspace)
    listed = json.loads(stage.world.legacy("resources/list", {}, key=key).body)["result"]["resources"]
    templates = json.loads(stage.world.legacy("resources/templates/list", {}, key=key).body)["result"]

    assert (listed, templates["resourceTemplates"]) == ([], [])
    assert read(stage.world, uri, key)["error"]["code"] == -32602


@pytest.mark.parametrize("uri", TEMPLATES)
def test_what_is_another_workspace_s_is_not_there(uri: str, stage: Stage) -> None:
    address = ADDRESSES[uri](stage)
    stranger = stage.world.owner_key(stage.world.add_workspace(f"s{TEMPLATES.index(uri)}"))

    assert read(stage.world, address, stranger)["error"]["code"] == -32602


@pytest.mark.parametrize("uri", ["forge://issue/{identifier}", "forge://run/{id}"])
def test_what_is_beyond_a_key_s_narrowing_is_refused_as_its_tool_refuses_it(uri: str, stage: Stage) -> None:
    address = ADDRESSES[uri](stage)
    narrowing = Narrowing(project_ids=frozenset({stage.a_project()}))
    key = stage.world.a_key(user_id=stage.owner_id(), narrowing=narrowing, workspace=stage.workspace)

    assert read(stage.world, address, key)["error"]["code"] in (-32602, -32002)


def get(stage: Stage, what: str, key: str | None = None, **query: str) -> Response:
    return stage.world.send("", path=f"/api/mcp/{what}", method="GET", key=key, query=query)


def test_templates_are_listed_apart_and_prompts_and_resources_are_told_over_rest(stage: Stage) -> None:
    key = stage.world.owner_key(stage.workspace)
    body = json.loads(get(stage, "resources", key).body)

    listed = {one["uri"] for one in body["resources"] if not one["uri"].startswith("skill:")}
    assert listed == {uri for uri in ADDRESSES if "{" not in uri}
    assert {one["uriTemplate"] for one in body["resourceTemplates"]} == set(TEMPLATES)
    one = get(stage, "resources", key, uri="forge://workspace")
    assert json.loads(one.body)["contents"][0]["mimeType"] == "text/markdown"
    prompts = json.loads(get(stage, "prompts", key).body)["prompts"]
    assert {one["name"] for one in prompts} == set(load_offers().prompts)
    filled = get(stage, "prompts", key, name="start_work", issue="DEMO-7")
    assert "DEMO-7" in json.loads(filled.body)["messages"][0]["content"]["text"]
    assert get(stage, "prompts", key, name="nothing").status == 404
    assert get(stage, "prompts").status == 401
