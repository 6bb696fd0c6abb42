"""A program that signs in, as real ones do it: it registers, sends a browser, and fetches its tokens."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import urlencode

from forge.wire.http import Response
from tests.unit.oauth.desk import ORIGIN, Desk
from tests.workshop.browser import Page

CALLBACK = "http://127.0.0.1/callback"
HERE = "http://127.0.0.1:41234/callback"
RESOURCE = f"{ORIGIN}/mcp"
VERIFIER = "v" * 64
_FORM = {"content-type": "application/x-www-form-urlencoded"}
Said = Mapping[str, str | None]


class Tokens(NamedTuple):
    access: str
    refresh: str
    whole: dict[str, Any]


class Program:
    def __init__(self, desk: Desk, **metadata: Any) -> None:
        self.desk = desk
        told = {"client_name": "Claude Code (forge)", "redirect_uris": [CALLBACK], "scope": ""} | metadata
        answer = register(desk, told)
        assert answer.status == 201, answer.body
        self.registered: dict[str, Any] = json.loads(answer.body)
        self.id: str = self.registered["client_id"]
        self.redirect_uri = HERE if metadata.get("redirect_uris") is None else metadata["redirect_uris"][0]

    def url(self, **changes: str | None) -> str:
        challenge = urlsafe_b64encode(sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
        asked = {
            "response_type": "code",
            "client_id": self.id,
            "redirect_uri": self.redirect_uri,
            "state": "the state",
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "resource": RESOURCE,
            "scope": "READ_ISSUES WRITE_ISSUES",
        } | changes
        return "/oauth/authorize?" + urlencode({name: one for name, one in asked.items() if one is not None})

    def question(self, **changes: str | None) -> Page:
        """The page that asks, for somebody who is signed in."""
        return self.desk.browser.open(self.url(**changes))

    def let_in(self, choices: Mapping[str, Any] | None = None, **changes: str | None) -> Page:
        page = self.question(**changes)
        assert page.status == 200, page.text
        return self.desk.browser.submit(page, {"answer": "yes", **(choices or {})})

    def exchange(self, given: str, **changes: str | None) -> Response:
        return self.ask_token(
            **{
                "grant_type": "authorization_code",
                "code": given,
                "redirect_uri": self.redirect_uri,
                "code_verifier": VERIFIER,
                "client_id": self.id,
                "resource": RESOURCE,
            }
            | changes
        )

    def refresh(self, token: str, **changes: str | None) -> Response:
        asked = {"grant_type": "refresh_token", "refresh_token": token, "client_id": self.id}
        return self.ask_token(**asked | {"resource": RESOURCE} | changes)

    def ask_token(self, **asked: str | None) -> Response:
        return post(self.desk, "/oauth/token", asked)

    def tokens(self, choices: Mapping[str, Any] | None = None, **changes: str | None) -> Tokens:
        self.desk.sign_in()
        page = self.let_in(choices, **changes)
        return read(self.exchange(page.query["code"]))


def read(answer: Response) -> Tokens:
    body = json.loads(answer.body)
    assert answer.status == 200, body
    return Tokens(body["access_token"], body.get("refresh_token", ""), body)


def register(desk: Desk, told: object) -> Response:
    return desk.world.send(told, path="/oauth/register", headers={"content-type": "application/json"})


def post(desk: Desk, path: str, asked: Said, headers: Mapping[str, str] | None = None) -> Response:
    body = urlencode({name: one for name, one in asked.items() if one is not None})
    return desk.world.send(body, path=path, headers=_FORM | dict(headers or {}))


def error_of(answer: Response) -> str:
    return str(json.loads(answer.body)["error"])
