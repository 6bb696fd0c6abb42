"""The OpenID provider of a deployment, as its settings name it; one of them, or none."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from forge.outbound.addresses import NOBODY_ELSE, Exceptions
from forge.wire.hosts import LOOPBACK

ANY_TENANT = "{tenantid}"
"""In the issuer of Entra: whoever signs in there is of some organisation, and the token says of which."""
_ALL_TENANTS = "organizations"
"""What takes its place in addresses."""
_SHOWN = "single sign-on"


class Misconfigured(ValueError):
    """The settings name no provider that people could sign in with; the message says why."""


class IdentityProvider(NamedTuple):
    issuer: str
    client_id: str
    secret_name: str = ""
    """Of the secret that holds the client's; a client without one proves itself by PKCE alone."""
    secret: str = ""
    """On a machine of one's own, the client's secret itself."""
    name: str = _SHOWN
    """What people know it by."""
    groups_claim: str = "groups"
    workspace: str = ""
    """The slug of the one that people enter who have said none."""
    is_local: bool = False
    """Whether it is a program on this machine, where nothing is encrypted."""

    @property
    def allow(self) -> Exceptions:
        return Exceptions(loopback=True) if self.is_local else NOBODY_ELSE

    @property
    def discovery_url(self) -> str:
        issuer = self.issuer.replace(ANY_TENANT, _ALL_TENANTS)
        return f"{issuer.rstrip('/')}/.well-known/openid-configuration"


def read(environment: Mapping[str, str], *, own_machine: bool) -> IdentityProvider | None:
    """What the environment says; Misconfigured where nobody could be let in by it."""
    issuer, client_id = environment.get("FORGE_OIDC_ISSUER", ""), environment.get("FORGE_OIDC_CLIENT_ID", "")
    if not issuer and not client_id:
        return None
    if not issuer or not client_id:
        raise Misconfigured("An OpenID provider needs both its issuer and a client id.")
    is_local = own_machine and environment.get("FORGE_OIDC_LOOPBACK") == "1"
    require_address(issuer, is_local=is_local)
    return IdentityProvider(
        issuer,
        client_id,
        environment.get("FORGE_OIDC_SECRET_NAME", ""),
        environment.get("FORGE_OIDC_SECRET", ""),
        environment.get("FORGE_OIDC_NAME") or _SHOWN,
        environment.get("FORGE_OIDC_GROUPS_CLAIM") or "groups",
        environment.get("FORGE_OIDC_WORKSPACE", ""),
        is_local,
    )


def require_address(url: str, *, is_local: bool) -> None:
    """What a provider says of itself, and what is sent to it, travels encrypted."""
    try:
        parts = urlsplit(url)
        here = parts.hostname in LOOPBACK
    except ValueError:
        raise Misconfigured(f"{url[:100]!r} is no address.") from None
    if parts.query or parts.fragment or not parts.hostname or "@" in parts.netloc:
        raise Misconfigured(f"{url[:100]!r} must be https:// with a host and a path alone.")
    if parts.scheme == "https" and not here:
        return
    if not (is_local and here and parts.scheme in ("http", "https")):
        raise Misconfigured(
            f"{url[:100]!r} must begin with https:// and lead elsewhere; a provider on this machine is for "
            "`forge dev` alone, with FORGE_OIDC_LOOPBACK=1."
        )
