"""Whom a verified token is about, in our own terms."""

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from functions.oauth.forms import printable
from functions.oauth.people.providers import IdentityProvider
from functions.oauth.people.tenants import domain_of, has_verified_email

_EMAIL = re.compile(r"[^@\s\x00-\x1f\x7f]+@[^@\s\x00-\x1f\x7f]+\.[^@\s\x00-\x1f\x7f]+")
_LONGEST_EMAIL = 254
_LONGEST_NAME = 120
_MOST_GROUPS = 1000


class Identity(NamedTuple):
    """An account at a provider, known by issuer and subject alone: addresses are given to others one day."""

    issuer: str
    subject: str
    email: str | None = None
    """Only where the provider vouches for it."""
    domain: str | None = None
    """Of the organisation whose account it is, where that is vouched for as well."""
    name: str | None = None
    groups: frozenset[str] = frozenset()

    @property
    def account(self) -> str:
        """What it is stored by: nothing in it tells whose it is."""
        return sha256(f"{len(self.issuer)}:{self.issuer}{self.subject}".encode()).hexdigest()

    @property
    def issuer_digest(self) -> str:
        return sha256(self.issuer.encode()).hexdigest()[:32]


def identity_of(claims: Mapping[str, Any], provider: IdentityProvider) -> Identity:
    """Of claims that were verified."""
    issuer, subject = str(claims["iss"]), str(claims["sub"])
    email = _email(claims.get("email"))
    vouched = email if email and has_verified_email(issuer, claims) else None
    return Identity(
        issuer,
        subject,
        vouched,
        domain_of(issuer, vouched, claims) if vouched else None,
        _name(claims.get("name")),
        _groups(claims.get(provider.groups_claim)),
    )


def _email(said: object) -> str | None:
    is_one = isinstance(said, str) and len(said) <= _LONGEST_EMAIL and _EMAIL.fullmatch(said)
    return str(said) if is_one else None


def _name(said: object) -> str | None:
    if not isinstance(said, str):
        return None
    return printable(said)[:_LONGEST_NAME] or None


def _groups(said: object) -> frozenset[str]:
    """One alone is text with some providers; of too many, none: a part of them would be a matter of luck."""
    listed = [said] if isinstance(said, str) else said
    if not isinstance(listed, list) or len(listed) > _MOST_GROUPS:
        return frozenset()
    return frozenset(one for one in listed if isinstance(one, str) and one)
