"""Who may ask the embedded AWS: whoever signs with this run's keys, from this machine, and is not a web page.

A browser sends any page's request to a port on loopback, and under any name that leads there. So the name has
to be ours, and there must be no Origin: nothing here is for pages. A presigned URL shows the access key to
whoever gets it, so the key alone opens nothing: the signature has to be right.
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs

from ministack.core import sigv4

SERVICES = frozenset({"dynamodb", "s3", "sqs"})
"""What `forge dev` uses. Everything else that the engine could do is off."""

SIGNING = frozenset(
    f"X-Amz-{part}" for part in ("Algorithm", "Credential", "Date", "Expires", "Signature", "SignedHeaders")
)
"""What a presigned URL says of itself, and not of the object."""

CONTAINERS_HOST = "host.docker.internal"
"""What containers call this machine. Nobody can own a name beneath `.internal`, so no page can have it."""
_NAMES = ("127.0.0.1", "localhost", "[::1]", CONTAINERS_HOST)
_ALGORITHM = "AWS4-HMAC-SHA256"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request before anything is done with it."""

    method: str
    path: str
    raw_path: str
    headers: Mapping[str, str]
    query_string: str
    body: bytes = b""

    @property
    def query(self) -> dict[str, list[str]]:
        return parse_qs(self.query_string, keep_blank_values=True)


@dataclass(frozen=True, slots=True)
class Keys:
    """Made for one run, and known to whoever can read the owner's files."""

    access_key: str
    secret_key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Admission:
    keys: Keys
    port: int

    def may_be_read(self, asked: Asked) -> bool:
        """Whether it is worth reading a body for: judged by the headers alone."""
        hosts = {f"{name}:{self.port}" for name in _NAMES}
        if asked.headers.get("host") not in hosts or "origin" in asked.headers:
            return False
        signature = _signature(asked)
        return signature is not None and self._is_ours(signature)

    def service(self, asked: Asked, now: datetime) -> str | None:
        """The service that a request with its body may ask."""
        signature = _signature(asked)
        if signature is None or not self._is_ours(signature) or signature.service not in SERVICES:
            return None
        is_presigned = "authorization" not in asked.headers
        if is_presigned and (signature.service != "s3" or _is_late(asked, signature, now)):
            return None
        failure = sigv4.header_signature_failure(
            signature,
            self.keys.secret_key,
            asked.method,
            asked.raw_path,
            asked.query,
            asked.headers,
            asked.body,
            presigned=is_presigned,
        )
        return str(signature.service) if failure is None else None

    def _is_ours(self, signature: Any) -> bool:
        given, ours = signature.access_key_id.encode(), self.keys.access_key.encode()
        return hmac.compare_digest(given, ours) and signature.region_set is None


def _signature(asked: Asked) -> Any:
    """Of the header, or of a presigned URL; one request has one."""
    authorization = asked.headers.get("authorization")
    if authorization is None:
        found = sigv4.parse_query_signature(asked.query)
    elif authorization.startswith(f"{_ALGORITHM} ") and "X-Amz-Credential" not in asked.query_string:
        found = sigv4.parse_header_signature(asked.headers)
    else:
        return None
    return None if isinstance(found, tuple) else found


def _is_late(asked: Asked, signature: Any, now: datetime) -> bool:
    try:
        lasts = int(asked.query.get("X-Amz-Expires", [""])[0])
        return bool(sigv4.presigned_request_is_expired(signature.amz_date, lasts, now=now))
    except ValueError:
        return True
