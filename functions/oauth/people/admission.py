"""Who gets in, and as what: decided on what the provider vouches for and on what is stored.

An account that is known is its user. One that is not becomes a user by an address that the provider vouches
for: of somebody who was added as a member, or at a domain that the workspace lets in. Groups raise a role
above the one that was given by hand, and take back what they gave; an owner's is for owners to change.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from forge.auth.bounds import rank_of
from forge.context import Role
from functions.oauth.people.identities import Identity

BY_GROUPS = frozenset({Role.GUEST, Role.MEMBER, Role.ADMIN})
"""What a group can make of somebody: owners are made by owners."""


class NotAdmitted(StrEnum):
    """Why not, as the audit knows it."""

    UNVERIFIED = "unverified-address"
    NOT_INVITED = "not-invited"
    REMOVED = "removed"
    ANOTHER_ACCOUNT = "another-account"
    BEING_ERASED = "being-erased"
    FULL = "workspace-full"


class Rules(NamedTuple):
    """Of a workspace."""

    domains: frozenset[str] = frozenset()
    role: Role = Role.MEMBER
    """Of those whom their domain lets in."""
    groups: Mapping[str, Role] = {}


class Membership(NamedTuple):
    role: Role
    given_role: Role | None = None
    """By hand, where groups have raised it since."""


class OnRecord(NamedTuple):
    """What is stored of who comes."""

    is_bound: bool = False
    """Whether the account is a user's."""
    is_taken: bool = False
    """Whether the user of the address comes with another account of this provider."""
    is_former: bool = False
    is_erased: bool = False
    """Whether there is no such user any more, though the account was one's."""
    is_being_erased: bool = False
    membership: Membership | None = None


class Admission(NamedTuple):
    refusal: NotAdmitted | None = None
    joins: bool = False
    binds: bool = False
    """Whether the account is to be the user's from now on."""
    role: Role = Role.GUEST
    given_role: Role | None = None


def decide(identity: Identity, known: OnRecord, rules: Rules) -> Admission:
    refusal = _refusal(identity, known, rules)
    if refusal is not None:
        return Admission(refusal)
    membership = known.membership or Membership(_lowest_of(rules.role))
    role, given = _role(membership, identity.groups, rules)
    return Admission(None, known.membership is None, not known.is_bound, role, given)


def _refusal(identity: Identity, known: OnRecord, rules: Rules) -> NotAdmitted | None:
    if known.is_being_erased:
        return NotAdmitted.BEING_ERASED
    if known.is_bound and known.membership is not None:
        return None
    if identity.email is None:
        return NotAdmitted.UNVERIFIED
    if not known.is_bound and known.is_taken:
        return NotAdmitted.ANOTHER_ACCOUNT
    if known.membership is not None:
        return None
    if known.is_former or known.is_erased:
        return NotAdmitted.REMOVED
    if identity.domain is None or identity.domain not in rules.domains:
        return NotAdmitted.NOT_INVITED
    return None


def _lowest_of(role: Role) -> Role:
    """What a rule may make of a stranger, whatever it says."""
    return role if role in BY_GROUPS else Role.GUEST


def _role(membership: Membership, groups: frozenset[str], rules: Rules) -> tuple[Role, Role | None]:
    """The role from now on, and the one that was given by hand where that is another."""
    given = membership.given_role or membership.role
    if membership.role not in BY_GROUPS or given not in BY_GROUPS:
        return membership.role, membership.given_role
    mapped = [role for group, role in rules.groups.items() if group in groups and role in BY_GROUPS]
    role = max([given, *mapped], key=rank_of)
    return role, given if role is not given else None
