"""A person signs in by a key of theirs: the browser gets a session, and never the key."""

from collections.abc import Mapping
from datetime import datetime

import pytest

from forge.auth.entrance import KeyCheck
from forge.context import Caller, Door, KeyKind
from forge.errors import Forbidden, Unauthorized
from forge.testing.world import World
from forge.wire.edge import Options
from forge.wire.http import Response
from forge.wire.settings import SIGN_IN, Settings
from functions.oauth.by_key import signed_in_by_key
from tests.unit.oauth.desk import ORIGIN, Desk

COOKIE = "__Host-forge_signin"


def test_a_key_signs_a_person_in_and_the_browser_keeps_something_else(desk: Desk) -> None:
    desk.sign_in()

    assert desk.owner_key not in desk.browser.cookies[COOKIE]
    (made,) = desk.keys("Browser")
    assert (made["kind"], made["revokedAt"]) == (KeyKind.SESSION, None)


def test_the_cookie_is_of_this_host_alone_and_no_script_reads_it(desk: Desk) -> None:
    page = desk.browser.open("/oauth/sign-in")
    form = {"content-type": "application/x-www-form-urlencoded", "origin": ORIGIN}

    answer = desk.world.send(f"key={desk.owner_key}", path="/oauth/sign-in", headers=form)

    said = answer.headers["set-cookie"].lower()
    assert all(word in said for word in ("__host-", "path=/;", "httponly", "secure", "samesite=lax"))
    assert "domain" not in said
    assert "script" not in page.text
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]


def test_a_form_that_another_page_sent_signs_nobody_in(desk: Desk) -> None:
    page = desk.browser.open("/oauth/sign-in")

    for origin in ("https://evil.example", "null", f"{ORIGIN}.evil.example"):
        refused = desk.browser.submit(page, {"key": desk.owner_key}, headers={"origin": origin})
        assert refused.status == 403

    assert desk.browser.cookies == {}


@pytest.mark.parametrize("key", ["", "forge_sk_short", "forge_sk_" + "x" * 43, "<script>"])
def test_what_is_no_key_is_refused_and_not_shown_again(desk: Desk, key: str) -> None:
    page = desk.sign_in(key or "nothing")

    assert page.status == 401
    assert not key or key not in page.text
    assert desk.browser.cookies == {}


@pytest.mark.parametrize("ends", ["the key", "the membership"])
def test_what_ends_while_somebody_signs_in_with_it_signs_nobody_in(desk: Desk, ends: str) -> None:
    second = desk.admin("members.add", email=f"two@{desk.workspace.slug}.example", name="Two")
    made = desk.admin("keys.create", name="two", userId=second["id"], scopes=["READ_ISSUES"])

    class Overtaken(KeyCheck):
        """Somebody else is quicker, once the key was found good."""

        def admit(self, headers: Mapping[str, str], door: Door, now: datetime) -> Caller:
            caller = super().admit(headers, door, now)
            if ends == "the key":
                desk.admin("keys.revoke", id=made["id"])
            else:
                desk.admin("members.remove", userId=second["id"])
            return caller

    visit = desk.visit("/oauth/sign-in")
    visit.gate = Overtaken(visit.ground.keys, visit.services.tokens)

    with pytest.raises((Unauthorized, Forbidden)):
        signed_in_by_key(visit, made["rawKey"])

    assert desk.keys("Browser") == []


def test_a_token_of_minutes_signs_nobody_in_for_hours(desk: Desk) -> None:
    made = desk.admin("keys.create", name="mine", scopes=["READ_ISSUES"])
    token = desk.admin("tokens.create", keyId=made["id"])["token"]
    assert desk.world.rest("issues.list", {}, key=token).status == 200

    assert desk.sign_in(token).status == 401

    assert desk.keys("Browser") == []


def test_an_agents_key_is_no_persons(desk: Desk) -> None:
    agent = desk.admin("agents.create", profileKey="robot", name="Robot", provider="CLAUDE")
    made = desk.admin(
        "keys.create", name="r", kind="AGENT", linkedAgentId=agent["id"], scopes=["READ_ISSUES"]
    )

    assert desk.sign_in(made["rawKey"]).status == 403


@pytest.mark.parametrize(
    "onward",
    [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "/oauth/../x\\y",
        "javascript:alert(1)",
        "/x",
    ],
)
def test_who_signed_in_is_led_to_pages_of_ours_alone(desk: Desk, onward: str) -> None:
    page = desk.sign_in(onward=onward)

    assert page.url == f"{ORIGIN}/oauth/grants"


def test_who_signs_out_has_no_session_left(desk: Desk) -> None:
    desk.sign_in()

    answer = desk.world.send(
        "",
        path="/oauth/sign-out",
        headers={"origin": ORIGIN, "cookie": f"{COOKIE}={desk.browser.cookies[COOKIE]}"},
    )

    assert "max-age=0" in answer.headers["set-cookie"].lower()
    (ended,) = desk.keys("Browser")
    assert ended["revokedAt"] is not None


def test_the_setting_off_is_told_to_a_process(desk: Desk) -> None:
    assert Settings.read({"FORGE_OAUTH": "off"}).oauth == ""
    assert Settings.read({}).oauth == "functions.oauth.routes"


def test_on_ones_own_machine_a_page_is_opened_by_the_name_that_its_forms_come_from() -> None:
    """Who types localhost would fill in forms that are then another server's."""
    at = "http://127.0.0.1:8787"
    world = World(options=Options(oauth=SIGN_IN), public_url=at, own_machine=True)

    def opened(host: str, path: str = "/oauth/sign-in") -> Response:
        query = {"next": "/oauth/grants?x=1&y=2"}
        return world.send("", method="GET", path=path, headers={"host": host}, query=query)

    led = opened("localhost:8787")
    assert (led.status, led.headers["location"]) == (
        303,
        f"{at}/oauth/sign-in?next=%2Foauth%2Fgrants%3Fx%3D1%26y%3D2",
    )
    assert opened("127.0.0.1:8787").status == 200
    assert opened("localhost:8787", "/.well-known/oauth-protected-resource/mcp").status == 200


def test_elsewhere_the_name_that_a_page_is_opened_by_leads_nowhere(desk: Desk) -> None:
    answer = desk.world.send("", method="GET", path="/oauth/sign-in", headers={"host": "evil.example"})

    assert answer.status == 200
