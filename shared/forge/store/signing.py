"""Signature Version 4, for requests to the root of a service: everything they say is in headers and body."""

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from hmac import digest
from typing import NamedTuple

_ALGORITHM = "AWS4-HMAC-SHA256"
_LAST_PART = "aws4_request"


class Credentials(NamedTuple):
    access_key: str
    secret_key: str
    token: str | None = None
    """Of a session: it has to be sent, and signed, as `x-amz-security-token`."""

    def __repr__(self) -> str:
        return f"Credentials({self.access_key!r})"


class Scope(NamedTuple):
    """Where a signature counts."""

    region: str
    service: str


def authorization(credentials: Credentials, scope: Scope, headers: Mapping[str, str], body: bytes) -> str:
    """The `authorization` header of `POST /` with these headers.

    All of them are signed, and are sent as they are here: names in lower case, values without white space
    around or doubled. `x-amz-date` says when, and `host` where.
    """
    moment = headers["x-amz-date"]
    day = moment[:8]
    names = sorted(headers)
    signed = ";".join(names)
    lines = "".join([f"{name}:{headers[name]}\n" for name in names])
    request = f"POST\n/\n\n{lines}\n{signed}\n{sha256(body).hexdigest()}"
    place = f"{day}/{scope.region}/{scope.service}/{_LAST_PART}"
    text = f"{_ALGORITHM}\n{moment}\n{place}\n{sha256(request.encode()).hexdigest()}"
    key = signing_key(credentials.secret_key, day, scope)
    signature = digest(key, text.encode(), "sha256").hex()
    return (
        f"{_ALGORITHM} Credential={credentials.access_key}/{place}, "
        f"SignedHeaders={signed}, Signature={signature}"
    )


# One is in use at a time; a second where credentials or the day have just changed.
@lru_cache(maxsize=4)
def signing_key(secret_key: str, day: str, scope: Scope) -> bytes:
    key = f"AWS4{secret_key}".encode()
    for part in (day, scope.region, scope.service, _LAST_PART):
        key = digest(key, part.encode(), "sha256")
    return key
