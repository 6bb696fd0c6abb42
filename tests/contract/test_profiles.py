"""Each profile lists what its name promises, out of whatever is declared."""

import json

import pytest

from forge.contract.profiles import DEFAULT_PROFILE, PROFILES, Selection
from forge.contract.terms import Effect, Surface
from forge.testing.world import World
from infra.generate import REFERENCE
from infra.registry import find_tools
from tests.contract.published import compiled, listing

RUNTIME = [
    "issues.list",
    "issues.get",
    "issues.create",
    "issues.update",
    "issues.transition",
    "issues.claim",
    "issues.assigned",
    "comments.create",
    "comments.list",
    "comments.upsertStatus",
    "agent.inbox",
    "agent.context.bundle",
    "agents.me",
    "agents.heartbeat",
    "runs.list",
    "runs.complete",
    "runs.setWaiting",
    "runs.recordUsage",
    "actionRequests.create",
    "statuses.list",
    "workspace.get",
    "artifacts.create",
    "catalog.search",
    "catalog.describe",
    "catalog.call",
]
WORKER = [
    "issues.claim",
    "issues.assigned",
    "agent.inbox",
    "agent.context.bundle",
    "comments.create",
    "comments.upsertStatus",
    "runs.setWaiting",
    "runs.complete",
    "actionRequests.create",
    "catalog.search",
    "catalog.describe",
    "catalog.call",
]
CORE = [
    "issues",
    "comments",
    "projects",
    "statuses",
    "labels",
    "relations",
    "attachments",
    "agents",
    "notes",
    "events",
]
PLANNING = ["cycles", "initiatives", "goals", "plans", "executionPlans", "reviewGates", "actionRequests"]
AGENTS = ["runs", "agentCrews", "runtimes", "actionRequests", "chat", "artifacts"]

OFFERED = [tool for tool in find_tools() if tool.surface is Surface.MCP]


def listed(profile: str) -> set[str]:
    return {entry["name"] for entry in listing(Selection(profile=profile, canonical_names=True))}


def expected(*, tools: list[str] | None = None, namespaces: list[str] | None = None) -> set[str]:
    return {
        tool.name for tool in OFFERED if tool.name in (tools or []) or tool.namespace in (namespaces or [])
    }


def test_the_profiles_are_those_of_the_contract() -> None:
    assert list(PROFILES) == [
        "runtime",
        "worker",
        "core",
        "planning",
        "agents",
        "pipeline",
        "backlog",
        "gateway",
        "readonly",
        "full",
    ]
    assert DEFAULT_PROFILE == "runtime"


@pytest.mark.parametrize(
    ("profile", "tools", "namespaces"),
    [
        ("runtime", RUNTIME, []),
        ("worker", WORKER, []),
        ("core", RUNTIME, CORE),
        ("planning", RUNTIME, CORE + PLANNING),
        ("agents", RUNTIME, CORE + AGENTS),
        ("pipeline", [], ["pipeline", "catalog"]),
        ("backlog", [], ["backlog", "catalog"]),
        ("gateway", [], ["gateway", "catalog"]),
    ],
)
def test_a_profile_lists_its_tools_and_namespaces(
    profile: str, tools: list[str], namespaces: list[str]
) -> None:
    assert listed(profile) == expected(tools=tools, namespaces=namespaces)


def test_the_runtime_profile_names_the_tools_of_the_contract() -> None:
    assert PROFILES["runtime"].tools == set(RUNTIME)
    assert len(RUNTIME) == 25


def test_readonly_lists_every_tool_that_changes_nothing_and_no_other() -> None:
    assert listed("readonly") == {tool.name for tool in OFFERED if tool.effect is Effect.READ_ONLY}


def test_everything_in_readonly_says_so_to_the_client() -> None:
    entries = listing(Selection(profile="readonly"))

    assert all(entry["annotations"]["readOnlyHint"] is True for entry in entries)


def test_full_lists_everything_that_is_offered() -> None:
    assert listed("full") == {tool.name for tool in OFFERED}


@pytest.mark.parametrize("profile", PROFILES)
def test_the_rest_is_within_reach_of_every_profile(profile: str) -> None:
    wanted = {"catalog.search", "catalog.describe"}
    wanted |= {"catalog.call"} if profile != "readonly" else set()

    assert wanted <= listed(profile)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_never_shows_a_key_what_it_may_not_call(profile: str) -> None:
    names = [entry["name"] for entry in listing(Selection(profile=profile), frozenset())]

    assert [name for name in names if compiled().get(name).scopes] == []


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_that_has_tools_of_its_own_is_on_the_reference_page_and_no_other(profile: str) -> None:
    page = (REFERENCE / "profiles.md").read_text(encoding="utf-8")

    assert PROFILES[profile].summary
    assert (f"| {PROFILES[profile].summary} |" in page) is (profile in compiled().profiles())


def test_a_profile_is_named_when_it_lists_something_that_no_smaller_one_does() -> None:
    named = compiled().profiles()

    bare = listed("runtime") & {"catalog.search", "catalog.describe", "catalog.call"}
    assert {"runtime", "worker", "core", "readonly", "full"} <= set(named)
    assert [profile for profile in named if listed(profile) == bare] == []


@pytest.mark.parametrize("profile", PROFILES)
def test_the_server_lists_a_profile_in_both_spellings(profile: str) -> None:
    world = World(catalog=compiled())
    key = world.a_key()

    portable, canonical = (
        json.loads(world.legacy("tools/list", key=key, query={"profile": profile} | more).body)
        for more in ({}, {"names": "canonical"})
    )

    assert portable["result"]["tools"] == listing(Selection(profile=profile))
    assert {tool["name"] for tool in canonical["result"]["tools"]} == listed(profile)
