"""Public keys of clients that sign, as they are kept and as they verify."""

from collections.abc import Mapping
from typing import Any

import jwt

ALGORITHMS = ["ES256", "RS256", "PS256", "EdDSA"]
"""Of those that are made with a private key: what is signed with a public one proves nothing."""
_MOST_KEYS = 20


def plain(jwks: object) -> dict[str, Any] | None:
    """Of a client's key set what makes its keys, all of it text; None where none of them can be used."""
    listed = jwks.get("keys") if isinstance(jwks, dict) else None
    told = [one for one in listed[:_MOST_KEYS] if isinstance(one, dict)] if isinstance(listed, list) else []
    kept = [{name: said for name, said in one.items() if isinstance(said, str)} for one in told]
    usable = [one for one in kept if usable_keys({"keys": [one]})]
    return {"keys": usable} if usable else None


def usable_keys(jwks: Mapping[str, Any]) -> list[jwt.PyJWK]:
    """Those that can verify a signature which only a private key makes."""
    keys = (key_in(one) for one in jwks.get("keys", []))
    return [key for key in keys if key and key.algorithm_name in ALGORITHMS]


def key_in(told: Mapping[str, Any], algorithm: str | None = None) -> jwt.PyJWK | None:
    """None where it is no key, for whichever of the library's many reasons."""
    try:
        return jwt.PyJWK(dict(told), algorithm=algorithm)
    except (jwt.PyJWTError, TypeError, AttributeError, ValueError, KeyError, NotImplementedError):
        return None
