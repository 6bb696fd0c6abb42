"""What is particular to providers that serve many organisations under one address: Entra, and Google."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from functions.oauth.people.providers import ANY_TENANT

_TENANT = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ENTRA = frozenset(
    {"login.microsoftonline.com", "login.microsoftonline.us", "login.partner.microsoftonline.cn"}
)
_GOOGLE = "https://accounts.google.com"
_YES = frozenset({"true", "1"})


def issuer_of(issuer: str, claims: Mapping[str, Any]) -> str | None:
    """Who must have made a token: where any organisation may, the one that it says it is of."""
    if ANY_TENANT not in issuer:
        return issuer
    tenant = claims.get("tid")
    is_tenant = isinstance(tenant, str) and _TENANT.fullmatch(tenant)
    return issuer.replace(ANY_TENANT, str(tenant)) if is_tenant else None


def is_key_of(key: Mapping[str, Any], claims: Mapping[str, Any]) -> bool:
    """Entra lists the keys of all clouds together, and says of some for whom alone they sign."""
    whose = key.get("issuer")
    return whose is None or (isinstance(whose, str) and issuer_of(whose, claims) == claims.get("iss"))


def has_verified_email(issuer: str, claims: Mapping[str, Any]) -> bool:
    """Whether the provider vouches that the address is theirs.

    Entra lets any organisation write any address into its accounts, and says by a claim of its own whether
    the domain is proven; of nobody else is that claim worth anything, and of Entra no other. Some send their
    booleans as text.
    """
    if urlsplit(issuer).hostname in _ENTRA:
        return str(claims.get("xms_edov")).lower() in _YES
    said = claims.get("email_verified")
    return said is True or said == "true"


def domain_of(issuer: str, email: str, claims: Mapping[str, Any]) -> str | None:
    """Whose account it is. With Google that is `hd`: private accounts may have any address of others."""
    domain = email.rpartition("@")[2].lower()
    if not email.isascii():
        # Letters that only look alike, some of which become others in lower case: rules are in plain ones.
        return None
    if issuer == _GOOGLE:
        hosted = claims.get("hd")
        return domain if isinstance(hosted, str) and hosted.lower() == domain else None
    return domain or None
