"""A person signs in with an account elsewhere, in a browser and in a terminal, to a Forge that runs."""

import json
import re
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import Popen
from typing import Any
from urllib.parse import urljoin

import httpx
import pytest

from forge.testing.openid import OpenIdProvider
from forge.wire import cookies
from tests.integration.cli.dev_process import Dev
from tests.integration.cli.processes import PLAIN, forge, started
from tests.workshop.browser import Page

MESSAGE = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


class Browser:
    """Cookies, redirects and forms, over a real connection."""

    def __init__(self, dev: Dev) -> None:
        self.dev = dev
        self.client = httpx.Client(
            base_url=dev.base_url, trust_env=False, verify=PLAIN, follow_redirects=True, timeout=30
        )

    def open(self, address: str) -> Page:
        return self._page(self.client.get(address))

    def say_yes(self, page: Page) -> Page:
        form = page.forms[0]
        values = [*form.values(), ("answer", "yes")]
        fields: dict[str, Any] = {}
        for name, value in values:
            fields.setdefault(name, []).append(value)
        own = {"origin": self.dev.base_url, "sec-fetch-site": "same-origin"}
        return self._page(self.client.post(urljoin(page.url, form.action), data=fields, headers=own))

    def called(self, path: str, body: object = None, **headers: str) -> httpx.Response:
        token = self.client.cookies.get(cookies.TOKEN) or ""
        usual = {cookies.TOKEN_HEADER: token, "origin": self.dev.base_url}
        return self.client.post(path, json=body or {}, headers={**usual, **headers})

    def _page(self, response: httpx.Response) -> Page:
        return Page(str(response.url), response.status_code, dict(response.headers), response.text)


@pytest.fixture(scope="module")
def browser(dev: Dev, provider: OpenIdProvider) -> Iterator[Browser]:
    """Of the owner of the demo, who is signed in."""
    provider.account = {"sub": "owner", "email": "owner@demo.example", "email_verified": True}
    found = Browser(dev)
    with found.client:
        page = found.open("/oauth/oidc/start?next=/console&workspace=demo")
        assert page.url == f"{dev.base_url}/console", page
        yield found


def test_the_console_calls_tools_with_what_no_script_can_read(browser: Browser) -> None:
    assert browser.called("/api/mcp/workspace.get").json()["slug"] == "demo"
    assert browser.called("/api/admin/members.list").status_code == 200


def test_nobody_else_does_with_it(browser: Browser) -> None:
    evil: dict[str, str]
    for evil in ({cookies.TOKEN_HEADER: ""}, {"origin": "https://evil.example"}, {"origin": "null"}):
        assert browser.called("/api/mcp/workspace.get", **evil).status_code == 403
    for path in ("/mcp", "/api/mcp/rpc"):
        assert browser.called(path, MESSAGE).status_code == 401


def test_a_fleet_of_workers_that_begins_at_the_same_moment_is_let_in(dev: Dev, browser: Browser) -> None:
    page = browser.open("/oauth/grants")
    form = next(one for one in page.forms if one.action == "/oauth/workers")
    own = {"origin": dev.base_url, "sec-fetch-site": "same-origin"}
    told = browser.client.post(form.action, data=dict(form.values()) | {"name": "fleet"}, headers=own).text
    client_id, secret = re.findall(r"<code>((?:fw_)?[\w-]{16,})</code>", told)[:2]

    def ask(_: int) -> int:
        proof = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": secret}
        return httpx.post(f"{dev.base_url}/oauth/token", data=proof, trust_env=False).status_code

    with ThreadPoolExecutor(12) as fleet:
        assert [*fleet.map(ask, range(12))] == [200] * 12


def test_a_stranger_is_told_why_they_are_not_let_in(dev: Dev, provider: OpenIdProvider) -> None:
    provider.account = {"sub": "stranger", "email": "eve@elsewhere.example", "email_verified": True}
    with Browser(dev).client as client:
        answer = client.get("/oauth/oidc/start?next=/console&workspace=demo")

    assert answer.status_code == 403
    assert client.cookies.get(cookies.SESSION) is None
    audit = dev.call("audit.list", {"limit": 5}, key=dev.owner_key, surface="admin").json()["data"]
    assert "not-invited" in {row.get("code") for row in audit}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("config") / "forge"


def addressed(command: Popen[str]) -> str:
    """What it says to open."""
    assert command.stdout is not None
    for line in command.stdout:
        if line.startswith("http"):
            return line.strip()
    raise AssertionError("it said no address")


@pytest.fixture(scope="module")
def terminal(dev: Dev, browser: Browser, place: Path) -> dict[str, str]:
    """The environment of one that is signed in, and knows neither keys nor the home of the server."""
    environment = {"FORGE_CONFIG": str(place), "FORGE_HOME": str(place / "none"), "PYTHONUNBUFFERED": "1"}
    with started("login", dev.base_url, "--no-browser", **environment) as command:
        page = browser.say_yes(browser.open(addressed(command)))
        out, err = command.communicate(timeout=30)
    assert command.returncode == 0, (page, out, err)
    return environment


def test_a_command_without_a_key_uses_the_session(terminal: dict[str, str], place: Path) -> None:
    answer = forge("call", "workspace.get", "--json", **terminal)

    assert json.loads(answer.stdout)["slug"] == "demo", answer.stderr
    assert stat.S_IMODE((place / "sessions.json").stat().st_mode) == 0o600


def test_two_commands_at_once_renew_it_once(terminal: dict[str, str], place: Path, dev: Dev) -> None:
    file = place / "sessions.json"
    known = json.loads(file.read_text())
    before = known["sessions"][dev.base_url]["refresh_token"]
    known["sessions"][dev.base_url]["ends_at"] = "2020-01-01T00:00:00+00:00"
    file.write_text(json.dumps(known))

    with ThreadPoolExecutor(2) as both:
        answers = [*both.map(lambda _: forge("call", "workspace.get", "--json", **terminal), range(2))]

    assert [answer.returncode for answer in answers] == [0, 0], answers
    assert json.loads(file.read_text())["sessions"][dev.base_url]["refresh_token"] != before


def test_who_has_signed_out_is_told_to_sign_in(terminal: dict[str, str], dev: Dev) -> None:
    keys = dev.call("keys.list", {"limit": 100}, key=dev.owner_key, surface="admin").json()["data"]
    live = [key for key in keys if "command line" in key["name"] and key["revokedAt"] is None]
    assert len(live) == 1

    assert forge("logout", **terminal).returncode == 0

    refused = forge("call", "workspace.get", **terminal)
    assert refused.returncode == 2
    assert "forge login" in refused.stderr
    keys = dev.call("keys.list", {"limit": 100}, key=dev.owner_key, surface="admin").json()["data"]
    assert next(key for key in keys if key["id"] == live[0]["id"])["revokedAt"] is not None
