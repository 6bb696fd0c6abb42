"""Takes what Forge posts: only from who knows the secret, only what is fresh, and each event once."""

import hmac
import json
import os
from collections.abc import Callable, Mapping
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import time_ns
from typing import Any

TOLERANCE_SECONDS = 300


def why_not(headers: Mapping[str, str], body: bytes, *, secret: str, now: float) -> str | None:
    """What is wrong with a post; None of one that is signed and fresh."""
    moment = headers.get("x-forge-timestamp", "")
    expected = hmac.new(secret.encode(), moment.encode() + b"." + body, sha256).hexdigest()
    signatures = (headers.get("x-forge-signature", ""), headers.get("x-forge-signature-next", ""))
    if not any(hmac.compare_digest(one, expected) for one in signatures):
        return "not signed with this secret"
    late = round(now - int(moment))
    return f"{late} s old, or from a clock that was moved" if abs(late) > TOLERANCE_SECONDS else None


def a_receiver(
    port: int, *, secret: str, act: Callable[[dict[str, Any]], object], clock: Callable[[], float]
) -> ThreadingHTTPServer:
    seen: set[str] = set()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            problem = why_not(self.headers, body, secret=secret, now=clock())
            self.send_response(401 if problem else 204)
            self.end_headers()
            if problem:
                self.log_message("refused a post: %s", problem)
                return
            event = json.loads(body)
            if event["id"] not in seen:
                seen.add(event["id"])
                act(event)

    return ThreadingHTTPServer(("127.0.0.1", port), Receiver)


if __name__ == "__main__":
    secret = os.environ["FORGE_WEBHOOK_SECRET"]
    a_receiver(9000, secret=secret, act=print, clock=lambda: time_ns() / 1e9).serve_forever()
