"""The catalog finds tools by either spelling and lists them in one order, for those who may call them."""

import json

import pytest

from forge.contract.catalog import Catalog, load_catalog
from forge.contract.profiles import Selection
from forge.contract.terms import Effect, Scope, Surface
from forge.errors import ErrorCode, InvalidInput, NotFound
from tests.unit.catalog_entries import an_entry

NO_SCOPES: frozenset[str] = frozenset()
ALL_SCOPES = frozenset(scope.value for scope in Scope)
FULL = Selection(profile="full")


def a_catalog() -> Catalog:
    return Catalog(
        [
            an_entry("workspace.get", scopes=["READ_ISSUES"]),
            an_entry("issues.create", scopes=["WRITE_ISSUES"], effect=Effect.MUTATING),
            an_entry("issues.listWatchers", scopes=["READ_ISSUES"]),
            an_entry("analytics.draft", scopes=["READ_ANALYTICS", "READ_ISSUES"]),
            an_entry("pipeline_init", namespace="pipeline", effect=Effect.MUTATING),
            an_entry("catalog.search"),
            an_entry("members.list", scopes=["ADMIN"], surface=Surface.ADMIN),
        ]
    )


def listed(
    selection: Selection = FULL, scopes: frozenset[str] = ALL_SCOPES, catalog: Catalog | None = None
) -> list[str]:
    return [entry["name"] for entry in json.loads((catalog or a_catalog()).listing(selection, scopes))]


@pytest.mark.parametrize("spelling", ["issues.listWatchers", "issues_listWatchers"])
def test_a_tool_is_found_by_either_spelling(spelling: str) -> None:
    assert a_catalog().get(spelling).name == "issues.listWatchers"


def test_a_bare_name_has_only_one_spelling() -> None:
    catalog = a_catalog()

    assert catalog.get("pipeline_init").portable_name == "pipeline_init"
    with pytest.raises(NotFound):
        catalog.get("pipeline.init")


@pytest.mark.parametrize("name", ["issues.craete", "issue_create"])
def test_an_unknown_name_comes_back_with_the_closest_ones(name: str) -> None:
    with pytest.raises(NotFound) as caught:
        a_catalog().get(name)

    assert caught.value.code is ErrorCode.NOT_FOUND
    assert caught.value.details is not None
    suggestions = caught.value.details["didYouMean"]
    assert isinstance(suggestions, list)
    assert suggestions[0] == "issues.create"


def test_a_name_like_no_other_comes_back_without_a_suggestion() -> None:
    with pytest.raises(NotFound) as caught:
        a_catalog().get("zzzzqqqq")

    assert caught.value.details == {"didYouMean": []}
    assert caught.value.hint


def test_a_long_unknown_name_does_not_blow_up_the_answer() -> None:
    with pytest.raises(NotFound) as caught:
        a_catalog().get("n" * 1_000_000)

    assert len(json.dumps(caught.value.as_object("req_1"))) < 1000


@pytest.mark.parametrize("name", ["", "ISSUES.CREATE", "issues.create ", "issues.create\n", "issues-create"])
def test_a_name_is_found_only_as_it_is_spelt(name: str) -> None:
    with pytest.raises(NotFound):
        a_catalog().get(name)


def test_tools_are_listed_in_the_order_of_their_names_however_they_were_declared() -> None:
    tools = a_catalog().tools

    orders = [listed(catalog=Catalog(tools)), listed(catalog=Catalog(reversed(tools)))]

    assert orders[0] == orders[1]
    assert orders[0] == [
        "analytics_draft",
        "catalog_search",
        "issues_create",
        "issues_listWatchers",
        "pipeline_init",
        "workspace_get",
    ]


def test_canonical_names_are_listed_when_asked_for() -> None:
    names = listed(Selection(profile="full", canonical_names=True))

    assert names == [
        "analytics.draft",
        "catalog.search",
        "issues.create",
        "issues.listWatchers",
        "pipeline_init",
        "workspace.get",
    ]


@pytest.mark.parametrize(
    ("scopes", "names"),
    [
        (NO_SCOPES, ["catalog_search", "pipeline_init"]),
        (
            frozenset({"READ_ISSUES"}),
            ["catalog_search", "issues_listWatchers", "pipeline_init", "workspace_get"],
        ),
        (frozenset({"READ_ANALYTICS"}), ["catalog_search", "pipeline_init"]),
        (frozenset({"ADMIN"}), ["catalog_search", "pipeline_init"]),
        (frozenset({"read_issues"}), ["catalog_search", "pipeline_init"]),
    ],
)
def test_only_tools_whose_every_scope_is_there_are_listed(scopes: frozenset[str], names: list[str]) -> None:
    assert listed(scopes=scopes) == names


def test_a_list_made_for_one_key_is_not_shown_to_another() -> None:
    catalog = a_catalog()

    names = [listed(scopes=scopes, catalog=catalog) for scopes in (ALL_SCOPES, NO_SCOPES, ALL_SCOPES)]

    assert names[0] == names[2]
    assert names[1] == ["catalog_search", "pipeline_init"]


def test_an_entry_has_what_a_client_needs_and_no_more() -> None:
    entry = json.loads(a_catalog().listing(FULL, ALL_SCOPES))[0]

    assert set(entry) == {"name", "description", "inputSchema", "annotations"}


@pytest.mark.parametrize(
    ("canonical_names", "pointer"), [(False, "catalog_describe"), (True, "catalog.describe")]
)
def test_a_short_list_leaves_rare_fields_out_and_says_where_they_are(
    canonical_names: bool, pointer: str
) -> None:
    text = {"type": "string"}
    check = {"type": "object", "properties": {"label": text, "kind": text}, "required": ["label"]}
    schema = {
        "type": "object",
        "properties": {"id": text, "colour": text, "checks": {"type": "array", "items": check}},
    }
    tool = an_entry("issues.get")._replace(input_schema=schema, rare=("checks.kind", "colour"))
    selection = Selection(canonical_names=canonical_names)

    (short,) = json.loads(Catalog([tool]).listing(selection, ALL_SCOPES))
    (full,) = json.loads(Catalog([tool]).listing(FULL, ALL_SCOPES))

    properties = short["inputSchema"]["properties"]
    assert properties.keys() == {"id", "checks"}
    assert properties["checks"]["items"] == {
        "type": "object",
        "properties": {"label": text},
        "required": ["label"],
    }
    assert short["description"] == f"Do something. More fields: {pointer}."
    assert full["inputSchema"] == schema
    assert full["description"] == "Do something."


def test_only_profiles_with_something_of_their_own_are_named() -> None:
    catalog = a_catalog()

    with pytest.raises(InvalidInput) as caught:
        catalog.listing(Selection(profile="nosuch"), ALL_SCOPES)

    assert catalog.profiles() == ["runtime", "worker", "core", "pipeline", "readonly", "full"]
    assert caught.value.details == {"known": catalog.profiles()}
    assert listed(Selection(profile="gateway")) == ["catalog_search"]


def test_a_profile_decides_what_is_listed() -> None:
    assert listed(Selection()) == ["catalog_search", "issues_create", "workspace_get"]
    assert listed(Selection(profile="pipeline")) == ["catalog_search", "pipeline_init"]
    assert "issues_create" not in listed(Selection(profile="readonly"))


@pytest.mark.parametrize("profile", ["runtime", "full", "readonly", "no such profile"])
def test_namespaces_win_over_the_profile(profile: str) -> None:
    selection = Selection(profile=profile, namespaces=frozenset({"issues", "pipeline"}))

    assert listed(selection) == ["issues_create", "issues_listWatchers", "pipeline_init"]


def test_namespaces_are_pruned_to_the_scopes_too() -> None:
    selection = Selection(namespaces=frozenset({"issues"}))

    assert listed(selection, frozenset({"READ_ISSUES"})) == ["issues_listWatchers"]


@pytest.mark.parametrize(
    ("selection", "some_known"),
    [
        (Selection(profile="everything"), {"runtime", "full"}),
        (Selection(profile=""), {"runtime", "full"}),
        (Selection(profile="p" * 100_000), {"runtime", "full"}),
        (Selection(namespaces=frozenset({"issues", "isues"})), {"issues", "pipeline"}),
        (Selection(namespaces=frozenset({"n" * 100_000})), {"issues", "pipeline"}),
    ],
)
def test_an_unknown_profile_or_namespace_is_refused_with_the_known_ones(
    selection: Selection, some_known: set[str]
) -> None:
    with pytest.raises(InvalidInput) as caught:
        a_catalog().listing(selection, ALL_SCOPES)

    assert caught.value.code is ErrorCode.INVALID_INPUT
    assert caught.value.details is not None
    known = caught.value.details["known"]
    assert isinstance(known, list)
    assert some_known <= set(known)
    assert len(json.dumps(caught.value.as_object("req_1"))) < 2000


@pytest.mark.parametrize("profile", ["full", "readonly", "runtime"])
def test_an_admin_tool_is_never_listed(profile: str) -> None:
    assert "members_list" not in listed(Selection(profile=profile))


def test_a_namespace_of_admin_tools_is_unknown_over_mcp() -> None:
    with pytest.raises(InvalidInput) as caught:
        listed(Selection(namespaces=frozenset({"members"})))

    assert "members" not in str(caught.value.details)


def test_an_admin_tool_is_found_only_on_its_own_surface() -> None:
    catalog = a_catalog()

    assert catalog.get("members.list", surface=Surface.ADMIN).name == "members.list"
    for name in ("members.list", "members_list"):
        with pytest.raises(NotFound) as caught:
            catalog.get(name)
        assert "members.list" not in str(caught.value.details)


@pytest.mark.parametrize("name", ["members.list", "members_list"])
def test_whoever_looks_for_an_admin_tool_among_the_agents_is_told_where_it_is(name: str) -> None:
    for catalog in (a_catalog(), a_catalog().for_agents()):
        with pytest.raises(NotFound) as caught:
            catalog.get(name)
        assert "/api/admin/members.list" in caught.value.message


def test_an_admin_tool_has_one_spelling_and_the_other_is_told_of_it() -> None:
    for catalog in (a_catalog(), a_catalog().for_agents()):
        with pytest.raises(NotFound) as caught:
            catalog.get("members_list", surface=Surface.ADMIN)
        assert caught.value.details == {"didYouMean": ["members.list"]}


def test_a_catalog_for_agents_has_their_tools_and_no_other() -> None:
    whole, agents = a_catalog(), a_catalog().for_agents()

    assert agents.tools == tuple(whole.on(Surface.MCP))
    assert agents.listing(FULL, ALL_SCOPES) == whole.listing(FULL, ALL_SCOPES)
    with pytest.raises(NotFound):
        agents.get("members.list", surface=Surface.ADMIN)


def test_an_mcp_tool_is_not_found_on_the_admin_surface() -> None:
    with pytest.raises(NotFound):
        a_catalog().get("issues.create", surface=Surface.ADMIN)


def test_a_surface_knows_its_own_tools() -> None:
    assert [tool.name for tool in a_catalog().on(Surface.ADMIN)] == ["members.list"]


def test_an_empty_list_is_still_a_list() -> None:
    assert Catalog([]).listing(FULL, ALL_SCOPES) == "[]"


def test_the_catalog_that_ships_is_read_once() -> None:
    assert load_catalog() is load_catalog()
    assert load_catalog().get("catalog.search").module == "functions.catalog.tools"
