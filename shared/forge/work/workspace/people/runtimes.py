"""Runtimes: what agents run on. Name and kind never change, so agents carry copies of them."""

import json
from base64 import b32encode
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any

from forge.auth.sessions import said_session
from forge.context import Caller, Context, KeyKind
from forge.contract.references import Kind
from forge.errors import Conflict, InvalidInput, NotFound
from forge.store.folding import folded
from forge.store.followers import Tally
from forge.store.items import Item
from forge.store.keys import At, Key, Partition, Shared
from forge.store.places import In
from forge.store.ranges import SortRange
from forge.store.table import Table
from forge.store.transactions import Refusal, Transaction
from forge.work.record.log import events, secrecy
from forge.work.workspace.meanings import unknown
from forge.work.workspace.people.agents import AgentItem, AgentProvider, RuntimeKind

SUBJECT = "runtime"
MAX_CONFIG = 20_000
"""Characters of a config as JSON."""
MISSED = timedelta(minutes=10)
"""Two heartbeats, of which there is one in five minutes at least."""
DRAIN = "drain"
"""The setting by which an admin has a runtime take no more work."""
_MOST_NAMED = 1000
_LONGEST_PLACE = 120
"""Characters: folding can make a name several times as long, and a sort key ends at 1,024 bytes."""


RUNTIMES = Partition("WS#{workspace_id}#RUNTIMES")
RUNTIMES_IN_ORDER = Partition("WS#{workspace_id}#RUNTIMES#ORDER")
AGENT_COUNT = Shared(RUNTIMES, "COUNT#{runtime_id}")
"""Apart from the runtime, because agents change it and no edit of the runtime may undo that."""


class RuntimeItem(Item):
    """`heartbeat_at` and what else a heartbeat says change without a version: often, and harmlessly."""

    stored = At(RUNTIMES, "RUNTIME#{id}")
    indexed = (In("subject", RUNTIMES_IN_ORDER, "{kind}#{folded_name}#{id}"),)

    workspace_id: str
    id: str
    name: str
    kind: RuntimeKind
    adapter_key: str | None = None
    endpoint: str | None = None
    secret: str | None = None
    """Those settings that hold something secret, as JSON: `config` has only what may be shown of them."""
    providers_available: list[AgentProvider] = []
    owner_id: str | None = None
    config: str = "{}"
    """As JSON: an item can't be as deep as that may be."""
    connected_at: datetime | None = None
    heartbeat_at: datetime | None = None
    agent_id: str | None = None
    """Whose it is, where an agent has connected it by itself."""
    beats_every: int | None = None
    """Seconds after which the next heartbeat was asked for; None where five minutes go without saying."""
    slots_total: int | None = None
    slots_busy: int | None = None
    run_ids: list[str] = []
    """The runs that it was at, by its last heartbeat."""
    versions: dict[str, str] = {}
    is_draining: bool = False
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None = None

    @property
    def folded_name(self) -> str:
        return folded(self.name)[:_LONGEST_PLACE]

    @property
    def missed_after(self) -> timedelta:
        """The time of two heartbeats."""
        return MISSED if self.beats_every is None else 2 * timedelta(seconds=self.beats_every)

    @property
    def shall_drain(self) -> bool:
        return bool(json.loads(self.config).get(DRAIN))


class AgentCountItem(Item):
    """How many agents run on a runtime, archived ones not counted; agents move it."""

    stored = AGENT_COUNT

    workspace_id: str
    runtime_id: str
    agents: int = 0


def get(table: Table, workspace_id: str, runtime_id: str) -> RuntimeItem:
    """A runtime that is neither unknown nor archived."""
    missing = NotFound(
        f"There is no runtime {runtime_id[:60]!r}.",
        hint="runtimes.list shows them; runtimes.register makes one.",
    )
    runtime = table.get(RuntimeItem, RuntimeItem.at(workspace_id, runtime_id), missing=missing)
    require_in_use(runtime)
    return runtime


def lost_since(runtime: RuntimeItem, now: datetime) -> datetime | None:
    """Since when two heartbeats are missed; None while they come, and where there never was one."""
    if runtime.heartbeat_at is None:
        return None
    moment = runtime.heartbeat_at + runtime.missed_after
    return moment if moment <= now else None


def require_in_use(runtime: RuntimeItem) -> None:
    if runtime.archived_at is not None:
        raise Conflict("This runtime was archived.", hint="Register another with runtimes.register.")


def find_for_agent(table: Table, workspace_id: str, runtime_id: str | None) -> RuntimeItem | None:
    """What an agent shall run on, which must be in use; none where none is named."""
    if runtime_id is None:
        return None
    runtime = table.find(RuntimeItem, RuntimeItem.at(workspace_id, runtime_id))
    if runtime is None:
        raise unknown(Kind.RUNTIME, "runtimeId", runtime_id)
    require_in_use(runtime)
    return runtime


def connected_id(workspace_id: str, agent_id: str, instance_id: str) -> str:
    """Of what an agent connects by itself: the same for the same installation, whoever else connects now."""
    digest = sha256(f"{workspace_id}/{agent_id}/{instance_id}".encode()).digest()
    return f"rt_{b32encode(digest).decode()[:26]}"


class EvidenceKind(StrEnum):
    """Whose word a document or a file is, where a worker has a program do its work."""

    OBSERVED = "OBSERVED"
    """The worker's, which saw it for itself."""
    REPORTED = "REPORTED"
    """The program's, with the key of its run."""


def of_session(caller: Caller) -> list[Key]:
    """Where the runtime is that the session of an agent has connected, if it has."""
    session = said_session(caller)
    if caller.agent_id is None or session is None:
        return []
    return [RuntimeItem.at(caller.workspace_id, connected_id(caller.workspace_id, caller.agent_id, session))]


def evidence_of(ctx: Context) -> EvidenceKind | None:
    """What the caller attaches is: one request for an agent whose session is named, and none for others.

    Of people, and of agents that do their work with their own key, it is nobody's observation.
    """
    caller = ctx.caller
    if caller.run_id is not None:
        return EvidenceKind.REPORTED
    if caller.kind is not KeyKind.AGENT:
        return None
    is_workers = any(ctx.table.find(RuntimeItem, place) for place in of_session(caller))
    return EvidenceKind.OBSERVED if is_workers else None


def list_named(table: Table, workspace_id: str) -> list[RuntimeItem]:
    """Those that are in use, the oldest first; of too many, the newest are left out."""
    partition, among = RUNTIMES(workspace_id), SortRange(prefix=RuntimeItem.stored.prefix())
    rows = table.query_all(partition, most=_MOST_NAMED, sort=among, because="any may have the name")
    return [one for one in rows.first_ones().of(RuntimeItem) if one.archived_at is None]


def add(tx: Transaction, runtime: RuntimeItem, *, refusal: Refusal | None = None) -> None:
    tx.create(runtime, refusal=refusal)
    tx.create(AgentCountItem(workspace_id=runtime.workspace_id, runtime_id=runtime.id))
    events.record_change(tx, SUBJECT, runtime.id, action="register", after=runtime)


def keep_alive(tx: Transaction, runtime: RuntimeItem) -> None:
    """It is frequent and changes nothing else, so no row of the log tells of it."""
    tx.adjust(runtime.key, assign={"heartbeat_at": tx.origin.now})


def configured(runtime: RuntimeItem, given: Mapping[str, Any], *, merge: bool) -> RuntimeItem:
    """With another config; where it is merged into the one that is there, what is not named stays."""
    before = {**json.loads(runtime.config), **json.loads(runtime.secret or "{}")} if merge else {}
    config = {**before, **given}
    if len(_text(config)) > MAX_CONFIG:
        raise InvalidInput(
            "This is too much for a config.", issues={"config": f"At most {MAX_CONFIG} characters of JSON."}
        )
    shown = secrecy.without(config)
    kept_back = {name: value for name, value in config.items() if name not in shown or shown[name] != value}
    return runtime.changed(config=_text(shown), secret=_text(kept_back) if kept_back else None)


def save(
    tx: Transaction, before: RuntimeItem, changed: RuntimeItem, *, action: str = "configure"
) -> RuntimeItem:
    after = changed.changed(updated_at=tx.origin.now)
    tx.replace(after, unchanged={"heartbeat_at": before.heartbeat_at} if before.heartbeat_at else None)
    events.record_change(tx, SUBJECT, before.id, action=action, before=before, after=after)
    return after


def settle(agent: AgentItem, runtime: RuntimeItem | None) -> AgentItem:
    """The agent on this runtime, or on none."""
    return agent.changed(
        runtime_id=runtime.id if runtime else None,
        runtime_name=runtime.name if runtime else None,
        runtime_kind=runtime.kind if runtime else None,
    )


def follows(agent: AgentItem) -> list[Tally]:
    """The count of agents on a runtime, to which an agent adds until it is archived."""
    if agent.runtime_id is None or agent.archived_at is not None:
        return []
    return [Tally(AGENT_COUNT(agent.workspace_id, agent.runtime_id), "agents")]


def _text(config: Mapping[str, Any]) -> str:
    return json.dumps(config, ensure_ascii=False, separators=(",", ":"))


def adapter_of(providers: Sequence[AgentProvider]) -> str | None:
    """The adapter of a runtime: its provider, if it has only one kind."""
    return providers[0].lower() if len(set(providers)) == 1 else None


def require_understood(config: Mapping[str, Any]) -> None:
    """What adapters know must be as they know it; what only the runtime knows is its own affair."""
    wrong = {
        f"config.{name}": f"Must be {_KNOWN[name][0]}."
        for name, value in config.items()
        if name in _KNOWN and value is not None and not _KNOWN[name][1](value)
    }
    if wrong:
        raise InvalidInput("Some settings are not as adapters know them.", issues=wrong)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_path(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_capabilities(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and all(isinstance(one, str) and one for one in value)
    )


_KNOWN: Mapping[str, tuple[str, Callable[[object], bool]]] = {
    DRAIN: ("true or false", _is_flag),
    "localWorkspaceTools": ("true or false", _is_flag),
    "modeToolPolicyEnforced": ("true or false", _is_flag),
    "toolCapabilities": ("a list of names, or an object by name", _is_capabilities),
    "workspaceRoot": ("a path", _is_path),
}
