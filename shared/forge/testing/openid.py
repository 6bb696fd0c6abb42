"""A small OpenID provider of our own, for tests: real signatures, its keys listed, rotated on demand.

`OpenIdProvider.serve()` has it answer on loopback like any other: whoever is sent to it is signed in as
`account` at once, and what it gives is bound to client, redirect and PKCE challenge, once.
"""

import base64
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

_ALGORITHM = "ES256"


@dataclass
class SigningKey:
    id: str
    private: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def listed(self) -> dict[str, Any]:
        public = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(self.private.public_key()))
        return {**public, "kid": self.id, "use": "sig", "alg": _ALGORITHM}


@dataclass
class OpenIdProvider:
    issuer: str = "https://login.example.com"
    client_id: str = "forge"
    client_secret: str = "a secret for tests"
    account: dict[str, Any] = field(
        default_factory=lambda: {"sub": "ada-1", "email": "ada@example.com", "email_verified": True}
    )
    """The claims of whoever is in front of the browser."""
    more: dict[str, Any] = field(default_factory=dict)
    """Claims that replace those of the protocol: for a provider that is not as it should be."""
    keys: list[SigningKey] = field(default_factory=lambda: [SigningKey("first")])
    """The last one signs."""
    asked: list[str] = field(default_factory=list)
    """The paths that were asked for."""
    now: Callable[[], float] = time.time  # noqa: TID251 - a provider elsewhere knows no clock of ours
    granted: dict[str, dict[str, str]] = field(default_factory=dict)
    """Codes that were not redeemed yet, with what they were asked for by."""

    def rotate(self) -> None:
        """A new key, and the old one is gone."""
        self.keys = [SigningKey(f"key-{len(self.asked)}-{token_urlsafe(4)}")]

    def id_token(self, *, nonce: str, now: float | None = None, **claims: Any) -> str:
        made = int(self.now() if now is None else now)
        said = {
            "iss": self.issuer,
            "aud": self.client_id,
            "nonce": nonce,
            "iat": made,
            "exp": made + 300,
            **self.account,
            **self.more,
            **claims,
        }
        key = self.keys[-1]
        return jwt.encode(said, key.private, algorithm=_ALGORITHM, headers={"kid": key.id})

    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [_ALGORITHM],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        }

    def jwks(self) -> dict[str, Any]:
        return {"keys": [key.listed() for key in self.keys]}

    def authorize(self, query: Mapping[str, str]) -> str:
        """Where the browser is sent next."""
        code = token_urlsafe(16)
        self.granted[code] = dict(query)
        answer = urlencode({"code": code, "state": query.get("state", "")})
        return f"{query['redirect_uri']}?{answer}"

    def redeem(self, form: Mapping[str, str], authorization: str) -> dict[str, Any] | None:
        """What a code gives, or nothing for whoever may not have it."""
        asked = self.granted.pop(form.get("code", ""), None)
        if asked is None or not self._is_client(form, authorization):
            return None
        proof = sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(proof).rstrip(b"=").decode()
        is_asker = asked["redirect_uri"] == form.get("redirect_uri")
        if challenge != asked.get("code_challenge") or not is_asker:
            return None
        token = self.id_token(nonce=asked["nonce"])
        return {"access_token": token_urlsafe(8), "token_type": "Bearer", "id_token": token}

    def _is_client(self, form: Mapping[str, str], authorization: str) -> bool:
        given = (form.get("client_id"), form.get("client_secret"))
        if authorization.startswith("Basic "):
            name, _, secret = base64.b64decode(authorization[6:]).decode().partition(":")
            given = (unquote(name), unquote(secret))
        return given == (self.client_id, self.client_secret)

    @contextmanager
    def serve(self) -> Iterator[str]:
        """On a port of this machine; its issuer is that address from then on."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self.issuer = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield self.issuer
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


def _handler_of(provider: OpenIdProvider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            provider.asked.append(parts.path)
            if parts.path == "/.well-known/openid-configuration":
                return self._answer(200, provider.metadata())
            if parts.path == "/keys":
                return self._answer(200, provider.jwks())
            if parts.path == "/authorize":
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                self.send_response(302)
                self.send_header("location", provider.authorize(query))
                self.send_header("content-length", "0")
                return self.end_headers()
            return self._answer(404, {})

        def do_POST(self) -> None:
            provider.asked.append(self.path)
            text = self.rfile.read(int(self.headers["content-length"])).decode()
            form = {name: values[0] for name, values in parse_qs(text).items()}
            found = provider.redeem(form, self.headers.get("authorization", ""))
            self._answer(200 if found else 400, found or {"error": "invalid_grant"})

        def _answer(self, status: int, body: object) -> None:
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *words: object) -> None:
            """Nothing: a test says itself what it saw."""

    return Handler
