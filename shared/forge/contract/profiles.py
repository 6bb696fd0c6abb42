"""Profiles: which tools `tools/list` shows. They shape the list, never what may be called.

Names that no namespace declares are ignored, so a profile may be complete before the product is.
"""

from typing import NamedTuple

from forge.contract.terms import Effect
from forge.errors import InvalidInput

DEFAULT_PROFILE = "runtime"


class Profile(NamedTuple):
    summary: str
    tools: frozenset[str] = frozenset()
    namespaces: frozenset[str] = frozenset()
    effect: Effect | None = None
    everything: bool = False

    def includes(self, name: str, namespace: str, effect: str) -> bool:
        return self.everything or name in self.tools or namespace in self.namespaces or effect == self.effect


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

PROFILES: dict[str, Profile] = {
    "runtime": Profile("What a working agent needs, and the catalog for the rest.", tools=_RUNTIME),
    "core": Profile("runtime, and all of issue tracking.", tools=_RUNTIME, namespaces=_CORE),
    "planning": Profile(
        "core, and cycles, goals, plans and gates.", tools=_RUNTIME, namespaces=_CORE | _PLANNING
    ),
    "agents": Profile(
        "core, and runs, crews, runtimes and chat.", tools=_RUNTIME, namespaces=_CORE | _AGENTS
    ),
    "pipeline": Profile(
        "The spec-driven pipeline, and the catalog.", namespaces=frozenset({"pipeline", "catalog"})
    ),
    "backlog": Profile(
        "The priority backlog, and the catalog.", namespaces=frozenset({"backlog", "catalog"})
    ),
    "gateway": Profile("The gateway, and the catalog.", namespaces=frozenset({"gateway", "catalog"})),
    "readonly": Profile("Every tool that changes nothing.", effect=Effect.READ_ONLY),
    "full": Profile("Every tool.", everything=True),
}


class Selection(NamedTuple):
    """What a client asked `tools/list` for. Namespaces, when given, win over the profile."""

    profile: str = DEFAULT_PROFILE
    namespaces: frozenset[str] = frozenset()
    canonical_names: bool = False


def find_profile(name: str) -> Profile:
    if name not in PROFILES:
        raise InvalidInput(
            f"Unknown profile {name[:60]!r}. Known profiles: {', '.join(PROFILES)}.",
            details={"known": list(PROFILES)},
        )
    return PROFILES[name]
