"""Profiles: which tools `tools/list` shows. They shape the list, never what may be called.

Names that no namespace declares are ignored, so a profile may be complete before the product is.
"""

from collections.abc import Set
from typing import NamedTuple

from forge.contract.terms import Effect

DEFAULT_PROFILE = "runtime"
FULL_PROFILE = "full"
"""The one that shows of each tool all that it takes."""


class Profile(NamedTuple):
    """`own`: the namespaces without which it has nothing to show that another profile has not."""

    summary: str
    tools: frozenset[str] = frozenset()
    namespaces: frozenset[str] = frozenset()
    effect: Effect | None = None
    everything: bool = False
    own: frozenset[str] = frozenset()

    def includes(self, name: str, namespace: str, effect: str) -> bool:
        return self.everything or name in self.tools or namespace in self.namespaces or effect == self.effect

    def is_worth_naming(self, declared: Set[str]) -> bool:
        return not self.own or not self.own.isdisjoint(declared)


_RUNTIME = frozenset(
    [
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
)
_WORKER = frozenset(
    [
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
)
_CORE = frozenset(
    [
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
)
_PLANNING = frozenset(
    ["cycles", "initiatives", "goals", "plans", "executionPlans", "reviewGates", "actionRequests"]
)
_AGENTS = frozenset(["runs", "agentCrews", "runtimes", "actionRequests", "chat", "artifacts"])


def _one_namespace(name: str, summary: str) -> Profile:
    return Profile(summary, namespaces=frozenset({name, "catalog"}), own=frozenset({name}))


PROFILES: dict[str, Profile] = {
    "runtime": Profile("What a working agent needs, and the catalog for the rest.", tools=_RUNTIME),
    "worker": Profile("The least for an agent that only works through what it is given.", tools=_WORKER),
    "core": Profile("runtime, and all of issue tracking.", tools=_RUNTIME, namespaces=_CORE, own=_CORE),
    "planning": Profile(
        "core, and cycles, goals, plans and gates.",
        tools=_RUNTIME,
        namespaces=_CORE | _PLANNING,
        own=_PLANNING,
    ),
    "agents": Profile(
        "core, and runs, crews, runtimes and chat.", tools=_RUNTIME, namespaces=_CORE | _AGENTS, own=_AGENTS
    ),
    "pipeline": _one_namespace("pipeline", "The spec-driven pipeline, and the catalog."),
    "backlog": _one_namespace("backlog", "The priority backlog, and the catalog."),
    "gateway": _one_namespace("gateway", "The gateway, and the catalog."),
    "readonly": Profile("Every tool that changes nothing.", effect=Effect.READ_ONLY),
    FULL_PROFILE: Profile("Every tool, with every field that it takes.", everything=True),
}


class Selection(NamedTuple):
    """What a client asked `tools/list` for. Namespaces, when given, win over the profile."""

    profile: str = DEFAULT_PROFILE
    namespaces: frozenset[str] = frozenset()
    canonical_names: bool = False
    has_apps: bool = False
    """Whether the host shows apps, so that tools tell theirs."""
