"""What a key makes can do no more than the key itself: the one rule for all that makes credentials.

What would be wider is refused and never cut to size. Only a lifetime that was left out becomes the maker's.
"""

from collections.abc import Mapping, Set
from datetime import datetime
from typing import NamedTuple

from forge.auth.keys import KeyRecord
from forge.context import NOTHING, UNRESTRICTED, Caller, KeyKind, Narrowing, Role
from forge.errors import Forbidden

_ROLES_UPWARDS = (Role.GUEST, Role.MEMBER, Role.ADMIN, Role.OWNER)


class Grant(NamedTuple):
    """What a credential lets its holder do, and until when; None is for ever."""

    scopes: frozenset[str]
    narrowing: Narrowing = UNRESTRICTED
    role: Role | None = None
    expires_at: datetime | None = None


def grant_of(holder: Caller | KeyRecord) -> Grant:
    return Grant(holder.scopes, holder.narrowing, holder.role, holder.expires_at)


def excess(made: Grant, maker: Grant) -> dict[str, str]:
    """Where one credential can do more than another, by the field that says so; empty if nowhere."""
    found = {}
    if more := sorted(made.scopes - maker.scopes):
        found["scopes"] = f"Your key does not have {', '.join(more)} itself."
    found |= _wider_narrowing(made.narrowing, maker.narrowing)
    if rank_of(made.role, unknown=len(_ROLES_UPWARDS)) > rank_of(maker.role):
        found["role"] = f"Your own role is {maker.role or 'none'}, which is below {made.role}."
    if maker.expires_at is not None and (made.expires_at is None or made.expires_at > maker.expires_at):
        found["expiresAt"] = f"Your own key ends at {maker.expires_at.isoformat()}."
    return found


def rank_of(role: Role | None, *, unknown: int = -1) -> int:
    """How high it is; `unknown` for what only another build knows, and nothing by default."""
    if role is None:
        return -1
    return _ROLES_UPWARDS.index(role) if role in _ROLES_UPWARDS else unknown


def require_within(
    made: Grant,
    maker: Caller,
    *,
    names: Mapping[str, str] | None = None,
    sees: Set[str] = frozenset(),
) -> None:
    """Refuse what can do more than the key that makes it; `names` are the caller's for our fields.

    `sees` are issues that the maker was found to see.
    """
    grant = grant_of(maker)
    seen = grant.narrowing._replace(issue_ids=grant.narrowing.issue_ids | sees)
    found = excess(
        made, grant._replace(narrowing=seen) if sees and maker.narrowing != UNRESTRICTED else grant
    )
    if not found:
        return
    issues = {(names or {}).get(field, field): reason for field, reason in found.items()}
    raise Forbidden(
        f"A key makes nothing that can do more than itself; too wide: {', '.join(issues)}.",
        hint="Ask for less, or use a key that can do all of it.",
        issues=issues,
    )


def require_key(caller: Caller) -> None:
    """A token is short-lived for a reason: what it makes would outlive it."""
    if caller.is_token:
        raise Forbidden("A token makes neither keys nor tokens.", hint="Use the key that it stands for.")


def require_may_last(caller: Caller, tool: str, lasting: bool | tuple[str, ...], request: object) -> None:
    """What goes on hearing or acting is made by keys that go on, or by tokens that stand for such."""
    is_lasting = lasting is True or any(getattr(request, field) for field in lasting or ())
    if is_lasting and caller.kind is KeyKind.SESSION:
        raise Forbidden(
            f"What {tool} makes would go on when this SESSION key has ended.",
            hint="Use a key of kind PERSONAL.",
            details={"fields": [*lasting]} if isinstance(lasting, tuple) else None,
        )


def require_founder(caller: Caller) -> None:
    """Who founds a workspace gets a key of its own there, which nothing confines."""
    require_key(caller)
    if caller.role is not Role.OWNER:
        raise Forbidden("Only an OWNER can found a workspace.", hint="Ask an owner to do it.")


def require_may_raise(caller: Caller, role: Role, *, before: Role | None = None) -> None:
    """Nobody gives a role above their own."""
    if rank_of(role) <= rank_of(before):
        return
    if rank_of(role) > rank_of(caller.role):
        raise Forbidden(f"Your own role is below {role}.", hint="Ask an owner.")


def _wider_narrowing(made: Narrowing, maker: Narrowing) -> dict[str, str]:
    """Issues are seen by project or by label, projects by project alone: so no label stands for a project."""
    found = {}
    is_confined = bool(maker.project_ids or maker.label_ids or maker.issue_ids)
    loses_projects = bool(maker.project_ids) and not made.project_ids
    if loses_projects or (is_confined and made.project_ids - maker.project_ids - {NOTHING}):
        found["projectIds"] = _choose_among(maker.project_ids)
    loses_all = not (maker.project_ids or made.project_ids or made.label_ids or made.issue_ids)
    if is_confined and (loses_all or made.label_ids - maker.label_ids):
        found["labelIds"] = _choose_among(maker.label_ids)
    is_wider = made.initiative_ids - {NOTHING} - maker.initiative_ids
    if maker.initiative_ids and (is_wider or not made.initiative_ids):
        found["initiativeIds"] = _choose_among(maker.initiative_ids)
    if is_confined and made.issue_ids - maker.issue_ids:
        found["issueIds"] = _choose_among(maker.issue_ids)
    return found


def _choose_among(ids: frozenset[str]) -> str:
    if not ids:
        return "Leave it out: your own key is not confined by it, but by others."
    return f"Your own key is confined to {', '.join(sorted(ids))}: name some of these."
