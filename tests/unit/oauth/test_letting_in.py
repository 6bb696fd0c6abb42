"""From a program's question to its first call, and what stays of it in the list of keys."""

import json
from base64 import b64encode

import pytest

from forge.testing.world import World
from tests.unit.oauth.desk import ORIGIN, Desk
from tests.unit.oauth.programs import HERE, RESOURCE, VERIFIER, Program, error_of, post, read


def calls(desk: Desk, token: str, *, path: str = "/mcp") -> int:
    return desk.world.legacy("tools/list", key=token, path=path).status


def test_a_program_asks_a_person_says_yes_and_it_calls(desk: Desk) -> None:
    program = Program(desk)
    page = desk.browser.open(program.url())
    page = desk.browser.submit(page, {"key": desk.owner_key})

    page = desk.browser.submit(page, {"answer": "yes"})

    assert page.url.startswith(f"{HERE}?")
    # With GET, whatever the form was sent with.
    assert "POST /oauth/consent 303" in desk.browser.steps
    assert page.query["state"] == "the state"
    assert page.query["iss"] == f"{ORIGIN}/oauth"
    tokens = read(program.exchange(page.query["code"]))
    assert tokens.whole["scope"] == "READ_ISSUES WRITE_ISSUES"
    assert 900 <= tokens.whole["expires_in"] <= 3600
    result = desk.world.call("issues_create", {"title": "From a program"}, key=tokens.access, path="/mcp")
    assert result["isError"] is False


def test_the_key_is_listed_with_the_programs_name_and_one_click_ends_it(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens()
    (key,) = desk.keys("Claude Code (forge)")

    desk.admin("keys.revoke", id=key["id"])

    assert key["kind"] == "SESSION"
    assert calls(desk, tokens.access) == 401
    assert error_of(program.refresh(tokens.refresh)) == "invalid_grant"


def test_a_token_is_good_for_its_address_alone(desk: Desk) -> None:
    tokens = Program(desk).tokens()

    assert calls(desk, tokens.access) == 200
    assert calls(desk, tokens.access, path="/api/mcp/rpc") == 401
    # Nor for who polls, which is admitted by itself.
    waits = {"taskId": f"run_1.0.{desk.workspace.id}"}
    assert desk.world.modern("tasks/get", waits, key=tokens.access).status == 401
    assert desk.world.modern("tasks/get", waits, key=tokens.access, path="/mcp").status != 401
    assert desk.world.rest("issues.list", {}, key=tokens.access).status == 401
    assert desk.world.admin("keys.list", {}, key=tokens.access).status == 401


def test_a_token_for_another_address_undoes_no_deletion(desk: Desk) -> None:
    """An owner's key does, although it was stopped with its workspace."""
    tokens = Program(desk).tokens({"scope": ["READ_ISSUES", "ADMIN"]}, scope="READ_ISSUES ADMIN")
    desk.admin("workspaces.delete", confirm=desk.workspace.slug)

    assert desk.world.admin("workspaces.restore", {}, key=tokens.access).status == 401

    assert desk.world.admin("workspaces.restore", {}, key=desk.owner_key).status == 200


def test_who_says_no_lets_nobody_in_and_the_program_hears_it(desk: Desk) -> None:
    program = Program(desk)
    desk.sign_in()

    page = desk.browser.submit(program.question(), {"answer": "no"})

    assert page.url.startswith(f"{HERE}?")
    assert (page.query["error"], page.query["state"]) == ("access_denied", "the state")
    assert page.query["iss"] == f"{ORIGIN}/oauth"


def test_nothing_is_ticked_beyond_reading_and_work(desk: Desk) -> None:
    program = Program(desk)
    desk.sign_in()

    page = program.question(
        scope="READ_ISSUES WRITE_ISSUES WRITE_PROJECTS INVOKE_SKILLS ADMIN offline_access"
    )

    boxes = {one.value: one.is_chosen for one in page.forms[0].fields if one.name == "scope"}
    assert boxes == {
        "READ_ISSUES": True,
        "WRITE_ISSUES": True,
        "WRITE_PROJECTS": False,
        "INVOKE_SKILLS": False,
        "ADMIN": False,
    }


def test_who_asks_for_nothing_is_offered_reading_and_work(desk: Desk) -> None:
    program = Program(desk)
    desk.sign_in()

    page = program.question(scope=None)

    assert {"READ_ISSUES", "WRITE_COMMENTS"} <= {one.value for one in page.forms[0].fields}
    assert "ADMIN" not in {one.value for one in page.forms[0].fields}


def test_it_may_act_as_an_agent_and_stands_in_the_log_as_that(desk: Desk) -> None:
    agent = desk.admin("agents.create", profileKey="helper", name="Helper", provider="CLAUDE")
    tokens = Program(desk).tokens({"as": agent["id"]})

    result = desk.world.call("issues_create", {"title": "By an agent"}, key=tokens.access, path="/mcp")

    (row,) = desk.admin("audit.list", entity="issue")["data"]
    assert result["isError"] is False
    assert row["actor"]["agentId"] == agent["id"]


@pytest.mark.parametrize(("name", "key"), [("My Helper", "my-helper"), ("Ünö", "n"), ("é", "agent")])
def test_an_agent_is_made_on_the_spot_with_a_name_that_nobody_has(desk: Desk, name: str, key: str) -> None:
    desk.admin("agents.create", profileKey=key, name="Other", provider="CLAUDE")
    tokens = Program(desk).tokens({"as": "new", "agent_name": name})

    desk.world.call("issues_create", {"title": "By an agent"}, key=tokens.access, path="/mcp")

    listed = json.loads(desk.world.rest("agents.list", {}, key=desk.owner_key).body)["data"]
    assert {one["profileKey"] for one in listed} == {key, f"{key}-2"}
    (told,) = [
        row for row in desk.admin("audit.list", entity="agent")["data"] if row["tool"] != "agents.create"
    ]
    assert (told["tool"], told["action"]) == ("oauth.consent", "create")
    (row,) = desk.admin("audit.list", entity="issue")["data"]
    assert row["actor"]["agentId"] in {one["id"] for one in listed if one["profileKey"] == f"{key}-2"}


def test_it_sees_the_projects_that_were_ticked_and_no_other(desk: Desk) -> None:
    made = [
        json.loads(desk.world.rest("projects.create", {"name": n, "key": n}, key=desk.owner_key).body)
        for n in ("ONE", "TWO")
    ]
    for project in made:
        body = {"title": f"In {project['name']}", "projectId": project["id"]}
        assert desk.world.rest("issues.create", body, key=desk.owner_key).status == 200
    tokens = Program(desk).tokens({"project": [made[0]["id"]]})

    found = desk.world.call("issues_list", {}, key=tokens.access, path="/mcp")

    assert [one["title"] for one in found["structuredContent"]["data"]] == ["In ONE"]


def test_each_token_that_is_given_is_in_the_audit(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens()
    (key,) = desk.keys("Claude Code (forge)")

    read(program.refresh(tokens.refresh))

    rows = desk.admin("audit.list", entity="key", entityId=key["id"])["data"]
    told = [(row["tool"], row["action"]) for row in rows]
    assert told == [("oauth.token", "refresh"), ("oauth.token", "create"), ("oauth.consent", "consent")]


def test_a_program_that_wants_no_refresh_token_gets_none(desk: Desk) -> None:
    program = Program(desk, grant_types=["authorization_code"])

    assert "refresh_token" not in program.tokens().whole


def test_what_was_let_in_is_shown_and_ended_on_a_page(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens()
    page = desk.browser.open("/oauth/grants")
    assert "Claude Code (forge)" in page.text

    page = desk.browser.submit(page)

    assert "Claude Code (forge)" not in page.text
    assert calls(desk, tokens.access) == 401
    last = desk.admin("audit.list", entity="key", limit=1)["data"][0]
    assert (last["tool"], last["action"]) == ("oauth.grants", "revoke")
    assert last["actor"]["keyId"] == desk.keys("Browser")[0]["id"], last


def test_a_program_that_gives_a_token_back_has_none_left(desk: Desk) -> None:
    for which in ("access", "refresh"):
        program = Program(desk)
        tokens = program.tokens()

        given: str = getattr(tokens, which)
        answer = post(desk, "/oauth/revoke", {"token": given, "client_id": program.id})

        assert answer.status == 200
        assert calls(desk, tokens.access) == 401
        assert error_of(program.refresh(tokens.refresh)) == "invalid_grant"


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_a_client_with_a_secret_needs_it_for_every_token(desk: Desk, method: str) -> None:
    program = Program(
        desk, token_endpoint_auth_method=method, redirect_uris=["https://claude.ai/api/mcp/auth_callback"]
    )
    secret = program.registered["client_secret"]
    desk.sign_in()
    code = program.let_in().query["code"]
    asked = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": program.redirect_uri,
        "code_verifier": VERIFIER,
        "client_id": program.id,
    }
    basic = {"authorization": f"Basic {b64encode(f'{program.id}:{secret}'.encode()).decode()}"}

    for wrong in ({}, {"client_secret": "wrong"}):
        refused = post(desk, "/oauth/token", asked | wrong)
        assert (refused.status, error_of(refused)) == (401, "invalid_client")
    if method == "client_secret_basic":
        tokens = read(post(desk, "/oauth/token", asked, basic))
    else:
        tokens = read(post(desk, "/oauth/token", asked | {"client_secret": secret}))

    assert calls(desk, tokens.access) == 200
    assert error_of(program.refresh(tokens.refresh)) == "invalid_client"
    assert read(program.refresh(tokens.refresh, client_secret=secret)).access


def test_giving_back_what_is_no_token_says_nothing(desk: Desk) -> None:
    program = Program(desk)

    for token in ("", "x", desk.owner_key, "forge_rt_x"):
        asked = {"token": token, "client_id": program.id, "token_type_hint": "whatever"}
        assert post(desk, "/oauth/revoke", asked).status == 200

    assert calls(desk, desk.owner_key) == 200


def test_the_documents_say_what_is_there_and_whose(desk: Desk) -> None:
    resource = desk.world.send("", method="GET", path="/.well-known/oauth-protected-resource/mcp")
    server = desk.world.send("", method="GET", path="/.well-known/oauth-authorization-server/oauth")

    told, of_server = json.loads(resource.body), json.loads(server.body)
    assert told["resource"] == RESOURCE
    assert told["authorization_servers"] == [of_server["issuer"]] == [f"{ORIGIN}/oauth"]
    assert of_server["code_challenge_methods_supported"] == ["S256"]
    assert of_server["authorization_response_iss_parameter_supported"] is True
    assert of_server["client_id_metadata_document_supported"] is True
    assert "none" in of_server["token_endpoint_auth_methods_supported"]
    assert "offline_access" not in of_server["scopes_supported"]
    for name in ("authorization", "token", "registration", "revocation"):
        assert of_server[f"{name}_endpoint"].startswith(f"{ORIGIN}/oauth/")
    assert resource.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("host", ["evil.example", "forge.example.evil.example"])
def test_the_host_header_changes_none_of_it(signing_world: World, host: str) -> None:
    for path in (
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server/oauth",
    ):
        answer = signing_world.send("", method="GET", path=path, headers={"host": host})
        assert host not in answer.body
