"""What a receiver knows us by: headers, with two signatures of the very bytes that are sent. Pure."""

import hmac
from datetime import datetime
from hashlib import sha256

USER_AGENT = "forge-webhook/1"


def headers(body: bytes, *, secret: str | None, now: datetime) -> dict[str, str]:
    """Without a secret there is nothing to sign with, and a signature that anybody could make is none."""
    moment = str(int(now.timestamp()))
    plain = {"content-type": "application/json", "user-agent": USER_AGENT, "x-forge-timestamp": moment}
    if not secret:
        return plain
    signatures = {
        "x-forge-signature": _signed(secret, moment.encode() + b"." + body),
        "x-webhook-signature": _signed(secret, body),
    }
    return plain | signatures


def _signed(secret: str, message: bytes) -> str:
    return hmac.new(secret.encode(), message, sha256).hexdigest()
