"""Where there is no provider, or a wrong one, keys sign people in as ever."""

import json
from collections.abc import Mapping

import pytest

from forge.testing.world import World
from forge.wire.edge import Options
from forge.wire.settings import SIGN_IN, Settings
from tests.unit.oauth.desk import ORIGIN
from tests.unit.oauth.people.team import Team


def a_world(settings: Mapping[str, str]) -> World:
    return World(options=Options(oauth=SIGN_IN, oidc=settings), public_url=ORIGIN)


def test_without_a_provider_there_is_no_button_and_the_console_keeps_its_key() -> None:
    world = a_world({})

    assert "oidc" not in world.send("", method="GET", path="/oauth/sign-in").body
    told = json.loads(world.send("", method="GET", path="/oauth/session").body)
    assert told == {"singleSignOn": None}
    for path in ("/oauth/oidc/start", "/oauth/oidc/callback"):
        assert world.send("", method="GET", path=path).status == 404
    exchange = {"authorization": f"Bearer {world.a_key()}", "origin": ORIGIN}
    assert world.send("", path="/oauth/session", headers=exchange).status == 404


@pytest.mark.parametrize("issuer", ["http://idp.example.com", "http://127.0.0.1:1", ""])
def test_a_provider_that_can_not_be_is_told_on_the_page(issuer: str) -> None:
    world = a_world({"FORGE_OIDC_ISSUER": issuer, "FORGE_OIDC_CLIENT_ID": "forge"})

    page = world.send("", method="GET", path="/oauth/sign-in")

    assert page.status == 200
    assert "Single sign-on does not work" in page.body


def test_a_provider_that_can_not_be_asked_is_unavailable() -> None:
    world = a_world({"FORGE_OIDC_ISSUER": "https://idp.example.com", "FORGE_OIDC_CLIENT_ID": "forge"})

    assert world.send("", method="GET", path="/oauth/oidc/start").status == 503


def test_the_environment_names_it() -> None:
    read = Settings.read({"FORGE_OIDC_ISSUER": "https://idp.example.com", "FORGE_TABLE": "x"})

    assert read.options().oidc == {"FORGE_OIDC_ISSUER": "https://idp.example.com"}


def test_the_page_may_lead_wherever_a_provider_leads_on_to(team: Team) -> None:
    policy = team.browser.open("/oauth/sign-in").headers["content-security-policy"]

    # Here one answers on this machine.
    assert "form-action 'self' https: http:;" in policy
