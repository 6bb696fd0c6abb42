"""What somebody tries with the pages on which people see, end and make what has been let in."""

import pytest

from tests.unit.oauth.desk import ORIGIN, Desk
from tests.unit.oauth.programs import Program, error_of, post, read
from tests.unit.oauth.refused import audited
from tests.unit.oauth.test_workers import form_of
from tests.workshop.browser import Browser, Page

EVIL = {"origin": "https://evil.example"}


def status(desk: Desk, token: str) -> int:
    return desk.world.legacy("tools/list", key=token, path="/mcp").status


def colleague(desk: Desk, *scopes: str) -> Browser:
    """Somebody else of the workspace, signed in in their own browser."""
    second = desk.admin("members.add", email=f"two@{desk.workspace.slug}.example", name="Two")
    key = desk.admin("keys.create", name="two", userId=second["id"], scopes=["READ_ISSUES", *scopes])[
        "rawKey"
    ]
    browser = Browser(ORIGIN, desk.browser._send)
    browser.submit(browser.open("/oauth/sign-in"), {"key": key})
    return browser


def posted(browser: Browser, path: str, **fields: str) -> Page:
    """A form that no page showed."""
    page = Page(ORIGIN, 200, {}, f'<form action="{path}" method="post"></form>')
    return browser.submit(page, dict(fields))


def test_csrf_another_page_ends_nothing_makes_nothing_and_signs_nobody_out(desk: Desk) -> None:
    desk.admin("agents.create", profileKey="builder", name="Builder", provider="CLAUDE")
    tokens = Program(desk).tokens()
    page = desk.browser.open("/oauth/grants")
    sign_out = len(page.forms) - 1

    for form, fields in ((0, {}), (form_of(page), {"name": "evil"}), (sign_out, {})):
        assert desk.browser.submit(page, fields, form=form, headers=EVIL).status == 403

    told = {(tool, code) for tool, code in audited(desk) if code == "another-page"}
    assert {tool for tool, _ in told} == {"oauth.end", "oauth.workers", "oauth.sign-out"}
    assert status(desk, tokens.access) == 200
    assert desk.keys("evil") == []
    assert desk.browser.open("/oauth/grants").url.endswith("/oauth/grants")


def test_nobody_sees_or_ends_what_somebody_else_let_in(desk: Desk) -> None:
    tokens = Program(desk).tokens()
    (grant,) = desk.keys("Claude Code (forge)")
    (browsers,) = desk.keys("Browser")
    other = colleague(desk)

    assert "Claude Code" not in other.open("/oauth/grants").text
    for key_id in (grant["id"], browsers["id"], "key_of_nobody", ""):
        assert posted(other, "/oauth/grants/end", key=key_id).status == 404

    assert status(desk, tokens.access) == 200


def test_a_key_that_is_no_clients_is_not_ended_there(desk: Desk) -> None:
    made = desk.admin("keys.create", name="laptop", scopes=["READ_ISSUES"])
    desk.sign_in()

    assert posted(desk.browser, "/oauth/grants/end", key=made["id"]).status == 404
    assert desk.world.rest("issues.list", {}, key=made["rawKey"]).status == 200


def test_who_signed_in_with_a_key_that_ends_makes_no_client_that_goes_on(desk: Desk) -> None:
    desk.admin("agents.create", profileKey="builder", name="Builder", provider="CLAUDE")
    made = desk.admin("keys.create", name="short", scopes=["READ_ISSUES", "ADMIN"], expiresInDays=2)
    desk.sign_in(made["rawKey"])
    page = desk.browser.open("/oauth/grants")

    refused = desk.browser.submit(page, {"name": "builder"}, form=form_of(page))

    assert refused.status == 403
    assert desk.keys("builder") == []


@pytest.mark.parametrize("which", ["access", "refresh"])
def test_a_client_gives_back_nothing_of_another(desk: Desk, which: str) -> None:
    tokens = Program(desk).tokens()
    other = Program(desk, client_name="Other")
    given: str = getattr(tokens, which)

    answer = post(desk, "/oauth/revoke", {"token": given, "client_id": other.id})

    assert (answer.status, error_of(answer)) == (400, "invalid_grant")
    assert status(desk, tokens.access) == 200


def test_a_client_that_does_not_prove_itself_gives_back_nothing(desk: Desk) -> None:
    redirect = "https://claude.ai/api/mcp/auth_callback"
    program = Program(desk, token_endpoint_auth_method="client_secret_post", redirect_uris=[redirect])
    desk.sign_in()
    code = program.let_in().query["code"]
    tokens = read(program.exchange(code, client_secret=program.registered["client_secret"]))

    for proof in ({}, {"client_secret": "wrong"}):
        answer = post(desk, "/oauth/revoke", {"token": tokens.access, "client_id": program.id, **proof})
        assert (answer.status, error_of(answer)) == (401, "invalid_client")

    assert status(desk, tokens.access) == 200
