"""Clients whose id is the address of a document: fetched by the one way out, and held to what it said."""

import json
from typing import Any

import pytest

from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.world import World
from forge.wire.edge import Options
from forge.wire.settings import SIGN_IN
from tests.unit.oauth.desk import ORIGIN
from tests.unit.oauth.programs import HERE, error_of, read
from tests.unit.oauth.refused import audited
from tests.unit.oauth.site import PRIVATE, PUBLIC, URL, Site
from tests.unit.store.local_server import http
from tests.workshop.browser import Page

KEY = {
    "kty": "OKP",
    "crv": "Ed25519",
    "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    "alg": "EdDSA",
}
A_DOCUMENT = {"client_id": URL, "redirect_uris": ["http://localhost/callback"]}


def refused(page: Page) -> bool:
    return page.url.startswith(ORIGIN) and page.status == 400


def test_a_client_is_known_by_its_document_and_by_its_host(site: Site) -> None:
    site.desk.sign_in()
    program = site.program()

    page = program.question()

    assert "client.example" in page.text
    assert "vouches for it" in page.text
    tokens = read(program.exchange(site.desk.browser.submit(page, {"answer": "yes"}).query["code"]))
    assert read(program.refresh(tokens.refresh)).access
    # Once for all of it.
    assert len(site.asked) == 1
    (key,) = site.desk.keys("Claude Code")
    assert key["revokedAt"] is None


def test_it_is_fetched_again_when_it_is_old(site: Site) -> None:
    site.desk.sign_in()
    program = site.program()
    program.question()
    site.desk.world.clock.advance(minutes=59)
    program.question()
    assert len(site.asked) == 1

    site.desk.world.clock.advance(minutes=2)
    program.question()

    assert len(site.asked) == 2


@pytest.mark.parametrize(
    "document",
    [
        http(b"", status=404),
        http(json.dumps(A_DOCUMENT).encode(), status=404, content_type="application/json"),
        http(b"", status=302, location="https://client.example/other.json"),
        http(b"{", content_type="application/json"),
        http(b"[]", content_type="application/json"),
        http(b"\xff", content_type="application/json"),
        http(json.dumps({"client_id": URL, "redirect_uris": [HERE]}).encode(), content_type="text/html"),
        http(b" " * 11_000, content_type="application/json"),
        http(
            json.dumps(A_DOCUMENT).encode() + b" " * 11_000,
            content_type="application/json",
        ),
    ],
)
def test_what_is_no_document_makes_nobody_known_and_tells_nothing(site: Site, document: bytes) -> None:
    site.says["/oauth/client.json"] = document
    site.desk.sign_in()

    page = site.program().question()

    assert refused(page)
    assert "client.json" not in page.text
    site.program().question()
    # That it failed is kept for a moment, too: nobody has us ask without end.
    assert len(site.asked) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": "https://other.example/client.json"},
        {"client_id": None},
        {"redirect_uris": []},
        {"redirect_uris": ["http://localhost/callback", "http://evil.example/cb"]},
        {"redirect_uris": ["http://localhost/callback"] * 21},
        {"redirect_uris": "https://client.example/cb"},
        {"redirect_uris": {"http://localhost/callback": 1}},
        {"redirect_uris": ["http://localhost/callback", 7]},
        {"client_secret": "shared"},
        {"token_endpoint_auth_method": "client_secret_post", "jwks": {"keys": [KEY]}},
        {"token_endpoint_auth_method": ["none"]},
        {"token_endpoint_auth_method": "private_key_jwt"},
        {"token_endpoint_auth_method": "private_key_jwt", "jwks_uri": "https://other.example/jwks"},
    ],
)
def test_a_document_that_says_what_can_not_be_is_none(site: Site, changes: dict[str, Any]) -> None:
    site.tells(**changes)
    site.desk.sign_in()

    assert refused(site.program().question())
    assert audited(site.desk)[0] == ("oauth.authorize", "invalid_client")


def test_a_document_on_a_private_address_is_not_asked_for(site: Site) -> None:
    site.names["client.example"] = [PRIVATE]
    site.desk.sign_in()

    assert refused(site.program().question())
    assert site.asked == []
    assert ("oauth.authorize", "invalid_client") in audited(site.desk)


def test_a_name_that_leads_elsewhere_the_second_time_is_looked_up_once(site: Site) -> None:
    """Who answers with a public address first, and with a private one to who connects."""
    site.names["client.example"] = [PUBLIC, PRIVATE]
    site.desk.sign_in()

    assert site.program().question().status == 200
    assert len(site.asked) == 1


@pytest.mark.parametrize(
    "client_id",
    [
        "https://127.0.0.1/client.json",
        "https://localhost/client.json",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/client.json",
        "https://client.example",
        "https://client.example/",
        "https://user@client.example/oauth/client.json",
        "https://client.example/oauth/../oauth/client.json",
        "https://client.example/oauth/client.json#x",
        "http://client.example/oauth/client.json",
        "https://client.example/" + "x" * 600,
        "https://client.example/é",
    ],
)
def test_an_address_that_can_be_read_in_two_ways_is_no_client(site: Site, client_id: str) -> None:
    site.desk.sign_in()

    assert refused(site.program().question(client_id=client_id))
    assert site.asked == []


def test_a_document_that_changes_after_it_was_shown_is_asked_about_anew(site: Site) -> None:
    site.desk.sign_in()
    program = site.program()
    page = program.question()
    site.tells(redirect_uris=["http://localhost/callback", "https://evil.example/cb"], client_name="Forge")
    site.desk.world.clock.advance(minutes=61)
    # Somebody else's question has it fetched again while the page is open.
    site.desk.sign_in()
    second = program.question()
    assert "Forge" in second.text

    assert refused(site.desk.browser.submit(page, {"answer": "yes"}))


def test_a_document_that_changes_between_fetches_while_the_page_is_open(site: Site) -> None:
    site.tells()
    site.says["/oauth/client.json"] = site.says["/oauth/client.json"].replace(
        b"content-type", b"cache-control: max-age=1\r\ncontent-type"
    )
    site.desk.sign_in()
    program = site.program()
    page = program.question()
    site.tells(client_name="Somebody else")
    # Kept for some minutes at least, whatever its server says.
    site.desk.world.clock.advance(minutes=6)

    answered = site.desk.browser.submit(page, {"answer": "yes"})

    assert refused(answered)
    rows = site.desk.admin("audit.list", entity="key", limit=50)["data"]
    assert ("oauth.consent", "changed") in [(row["tool"], row.get("code")) for row in rows]


def test_a_server_without_a_way_out_says_so_and_asks_nobody(connections: Connections) -> None:
    world = World(
        store=provision(connections, "forge-no-way-out"),
        options=Options(oauth=SIGN_IN),
        public_url=ORIGIN,
        own_machine=True,
    )

    told = world.send("", method="GET", path="/.well-known/oauth-authorization-server/oauth")
    asked = "grant_type=authorization_code&code=x&client_id=https%3A%2F%2Fclient.example%2F"
    answers = [world.send(f"{asked}{number}", path="/oauth/token") for number in range(61)]

    assert json.loads(told.body)["client_id_metadata_document_supported"] is False
    # Of those who ask for addresses, there would have been too many.
    assert {error_of(one) for one in answers} == {"invalid_client"}
