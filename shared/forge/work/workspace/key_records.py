"""A key as authentication reads it off its item, without pydantic."""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from forge.auth.keys import KeyRecord
from forge.context import KeyKind, Narrowing, Role
from forge.store.strangers import is_known, understood

Stored = Mapping[str, Any]


def record_of(stored: Stored) -> KeyRecord:
    kind, role, is_understood = _standing(stored["kind"], stored.get("role"))
    scopes = frozenset(stored.get("scopes", ()))
    return KeyRecord(
        id=stored["id"],
        key_hash=stored["key_hash"],
        kind=kind,
        workspace_id=stored["workspace_id"],
        scopes=scopes if is_understood else _only_reading(scopes),
        user_id=stored.get("user_id"),
        role=role,
        is_member=stored["is_member"],
        linked_agent_id=stored.get("linked_agent_id"),
        is_archived=stored.get("is_archived", False),
        narrowing=Narrowing(
            project_ids=frozenset(stored.get("project_ids", ())),
            label_ids=frozenset(stored.get("label_ids", ())),
            initiative_ids=frozenset(stored.get("initiative_ids", ())),
            issue_ids=frozenset(stored.get("issue_ids", ())),
        ),
        expires_at=time_in(stored, "expires_at"),
        revoked_at=time_in(stored, "revoked_at"),
        last_used_at=time_in(stored, "last_used_at"),
        log_shards=int(stored.get("log_shards", 1)),
        log_spread=int(stored.get("log_spread", 1)),
        run_id=stored.get("run_id"),
        run_issue_id=stored.get("run_issue_id"),
        session_id=stored.get("session_id"),
        resource=stored.get("resource"),
        is_browsers=stored.get("is_browsers", False),
        gives_until=time_in(stored, "gives_until"),
    )


@lru_cache(maxsize=64)
def _standing(kind: str, role: str | None) -> tuple[KeyKind, Role | None, bool]:
    """Kind and role of a key, and whether this build knows both."""
    standing = understood(KeyKind, kind), understood(Role, role) if role else None
    return *standing, all(is_known(one) for one in standing if one)


def _only_reading(scopes: frozenset[str]) -> frozenset[str]:
    """For kinds and roles that only another build knows: what they may change is not known here."""
    return frozenset(scope for scope in scopes if scope.startswith("READ_"))


def time_in(stored: Stored, name: str) -> datetime | None:
    return datetime.fromisoformat(stored[name]) if name in stored else None


def is_live(stored: Stored, now: datetime) -> bool:
    expires_at = time_in(stored, "expires_at")
    return "revoked_at" not in stored and (expires_at is None or expires_at > now)
