"""People of a team, each with an account at the provider, who come to sign in."""

import json
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from forge.testing.openid import OpenIdProvider
from forge.wire import cookies
from forge.wire.http import Response
from tests.unit.oauth.conftest import sender
from tests.unit.oauth.desk import ORIGIN, Desk
from tests.workshop.browser import Browser, Page

SESSION, TOKEN = (cookies.own_name(one, is_secure=True) for one in (cookies.SESSION, cookies.TOKEN))


class Team:
    def __init__(self, desk: Desk, there: OpenIdProvider, domain: str) -> None:
        self.desk = desk
        self.there = there
        self.domain = domain
        self.browser = desk.browser

    def address(self, name: str) -> str:
        return f"{name}@{self.domain}"

    def account(self, name: str = "ada", **claims: Any) -> None:
        """Who is in front of the browser."""
        usual = {"sub": f"{name} of {self.domain}", "email": self.address(name), "email_verified": True}
        self.there.account = {**usual, **claims}

    def invite(self, name: str = "ada", role: str = "MEMBER") -> dict[str, Any]:
        return self.desk.admin("members.add", email=self.address(name), role=role)

    def rule(self, **settings: Any) -> None:
        self.desk.admin("workspaces.update", **settings)

    def another_browser(self) -> Browser:
        self.browser = Browser(ORIGIN, sender(self.desk.world))
        return self.browser

    def depart(self, onward: str = "/console", *, workspace: str | None = None) -> dict[str, str]:
        """Off to the provider; what it is asked."""
        slug = self.desk.workspace.slug if workspace is None else workspace
        query = urlencode({"next": onward, "workspace": slug})
        page = self.browser.open(f"/oauth/oidc/start?{query}")
        assert page.url.startswith(f"{self.there.issuer}/authorize?"), page
        return dict(parse_qsl(urlsplit(page.url).query))

    def come_back(self, asked: dict[str, str], **changes: str) -> Page:
        """The provider says yes; `changes` are what somebody made of its answer."""
        answer = dict(parse_qsl(urlsplit(self.there.authorize(asked)).query))
        return self.browser.open(f"/oauth/oidc/callback?{urlencode(answer | changes)}")

    def sign_in(self, *, workspace: str | None = None) -> Page:
        return self.come_back(self.depart(workspace=workspace))

    @property
    def is_signed_in(self) -> bool:
        return SESSION in self.browser.cookies

    def called(self, tool: str, arguments: object = None, **headers: str) -> Response:
        """By the console: the browser's cookies, and what its script sends along."""
        usual = {
            "cookie": "; ".join(f"{name}={value}" for name, value in self.browser.cookies.items()),
            cookies.TOKEN_HEADER: self.browser.cookies.get(TOKEN, ""),
            "origin": ORIGIN,
            "sec-fetch-site": "same-origin",
        }
        given = {name: value for name, value in {**usual, **headers}.items() if value}
        is_admins = tool.startswith(("keys.", "members.", "webhooks.")) or tool == "agents.create"
        path = f"/api/admin/{tool}" if is_admins else f"/api/mcp/{tool}"
        return self.desk.world.send(arguments or {}, path=path, headers=given)

    def member(self, name: str = "ada") -> dict[str, Any] | None:
        found = self.desk.admin("members.list")["data"]
        return next((one for one in found if one["email"] == self.address(name)), None)

    def audited(self, **wanted: Any) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.desk.admin("audit.list", limit=100)["data"]
        return [row for row in rows if all(row.get(name) == value for name, value in wanted.items())]

    def me(self) -> dict[str, Any]:
        answer = self.called("workspace.get")
        assert answer.status == 200, answer.body
        found: dict[str, Any] = json.loads(answer.body)
        return found
