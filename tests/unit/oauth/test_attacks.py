"""What somebody tries with addresses and codes: refused, nothing given away, and kept in the audit."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from authlib.oauth2.rfc6749 import InvalidGrantError

from forge.auth.keys import hash_of
from functions.oauth import clients
from functions.oauth.server import AskedRequest, Server
from functions.oauth.stored.codes import CodeItem
from functions.oauth.tokens import CodeGrant
from tests.unit.oauth.desk import ORIGIN, Desk
from tests.unit.oauth.programs import HERE, RESOURCE, VERIFIER, Program, error_of, read
from tests.unit.oauth.refused import EVIL, audited, logged, nobody_was_sent


@pytest.mark.parametrize(
    "redirect_uri",
    [
        EVIL,
        "",
        None,
        "http://127.0.0.1:41234/callback/../evil",
        "http://127.0.0.1:41234/callback?x=1",
        "http://127.0.0.1.evil.example/callback",
        "http://127.0.0.1@evil.example/callback",
        "http://evil.example#@127.0.0.1/callback",
        "http://localhost:41234/callback",
        "https://127.0.0.1:41234/callback",
        "javascript:alert(1)",
        "http://127.0.0.1\\@evil.example/callback",
        'http://127.0.0.1:1/callback"é',
    ],
)
def test_open_redirect_nobody_is_sent_where_the_client_never_said(
    desk: Desk, redirect_uri: str | None
) -> None:
    desk.sign_in()

    page = Program(desk).question(redirect_uri=redirect_uri)

    assert nobody_was_sent(page)
    assert logged(desk.world)[-1] == "invalid_request"
    assert ("oauth.authorize", "invalid_request") in audited(desk)


@pytest.mark.parametrize(
    "registered", ["https://localhost/cb", "https://app.example/cb", "cursor://localhost/cb"]
)
def test_only_a_program_that_is_asked_by_plain_http_chooses_its_port(desk: Desk, registered: str) -> None:
    desk.sign_in()
    program = Program(desk, redirect_uris=[registered])

    assert program.question().status == 200
    for port in (":80", ":443", ":8443"):
        moved = registered.replace("/cb", f"{port}/cb")
        assert nobody_was_sent(program.question(redirect_uri=moved))


@pytest.mark.parametrize("client_id", ["nobody", "", None, "fc_" + "x" * 24, "https://", "<script>", "é"])
def test_an_unknown_client_is_told_to_the_person_alone(desk: Desk, client_id: str | None) -> None:
    page = Program(desk).question(client_id=client_id)

    assert nobody_was_sent(page)
    assert "<script>" not in page.text


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": 'code"é'}, "unsupported_response_type"),
        ({"response_type": None}, "unsupported_response_type"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge": "x" * 44}, "invalid_request"),
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"resource": None}, "invalid_target"),
        ({"resource": "https://evil.example/mcp"}, "invalid_target"),
        ({"resource": f"{ORIGIN}/api"}, "invalid_target"),
        ({"resource": f"{RESOURCE}/"}, "invalid_target"),
        ({"scope": "root everything"}, "invalid_scope"),
    ],
)
def test_downgrades_and_foreign_resources_go_back_to_the_client_before_anybody_is_asked(
    desk: Desk, change: dict[str, str | None], error: str
) -> None:
    page = Program(desk).question(**change)

    assert page.url.startswith(f"{HERE}?")
    assert (page.query["error"], page.query["state"]) == (error, "the state")
    # Whoever knows several servers sees whose answer it is.
    assert page.query["iss"] == f"{ORIGIN}/oauth"
    assert ("oauth.authorize", error) not in audited(desk)
    desk.sign_in()
    Program(desk).question(**change)
    assert ("oauth.authorize", error) in audited(desk)


def test_a_parameter_that_is_there_twice_is_none(desk: Desk) -> None:
    program = Program(desk)
    desk.sign_in()
    twice = desk.world.send(
        "grant_type=authorization_code&code=a&code=b", path="/oauth/token", headers={"content-type": "x"}
    )

    for name in ("client_id", "redirect_uri"):
        # As API Gateway and ASGI hand over what is there twice.
        assert nobody_was_sent(program.question(**{name: f"{program.id},{program.id}"}))
    assert error_of(twice) == "invalid_request"


@pytest.mark.parametrize("verifier", [VERIFIER, "w" * 64, "short"])
def test_code_replay_ends_what_the_code_gave(desk: Desk, verifier: str) -> None:
    program = Program(desk)
    desk.sign_in()
    code = program.let_in().query["code"]
    tokens = read(program.exchange(code))

    again = program.exchange(code, code_verifier=verifier)

    assert error_of(again) == "invalid_grant"
    assert desk.world.legacy("tools/list", key=tokens.access, path="/mcp").status == 401
    assert error_of(program.refresh(tokens.refresh)) == "invalid_grant"
    assert ("oauth.codeReplayed", None) in audited(desk)


def test_a_code_that_two_bring_at_once_gives_nothing_that_lasts(desk: Desk) -> None:
    program = Program(desk)
    desk.sign_in()
    code = program.let_in().query["code"]

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: program.exchange(code), range(4)))

    given = [read(one) for one in answers if one.status == 200]
    assert len(given) == 1
    assert {error_of(one) for one in answers if one.status != 200} == {"invalid_grant"}
    assert desk.world.legacy("tools/list", key=given[0].access, path="/mcp").status == 401


def test_a_code_that_was_used_since_it_was_looked_at_ends_what_it_gave(desk: Desk) -> None:
    """Of two at the same moment, both find it unused first."""
    program = Program(desk)
    desk.sign_in()
    code = program.let_in().query["code"]
    visit = desk.visit("/oauth/token")
    seen = visit.table.find(CodeItem, CodeItem.at(hash_of(code)))
    tokens = read(program.exchange(code))
    request = AskedRequest(visit, {})
    request.client, request.authorization_code = clients.find(visit, program.id), seen

    with pytest.raises(InvalidGrantError):
        CodeGrant(request, Server(visit)).create_token_response()

    assert desk.world.legacy("tools/list", key=tokens.access, path="/mcp").status == 401


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"code_verifier": "w" * 64}, "invalid_grant"),
        ({"code_verifier": None}, "invalid_request"),
        ({"code_verifier": "short"}, "invalid_request"),
        ({"redirect_uri": EVIL}, "invalid_grant"),
        ({"redirect_uri": "http://127.0.0.1:1/callback"}, "invalid_grant"),
        ({"redirect_uri": None}, "invalid_grant"),
        ({"resource": "https://evil.example/mcp"}, "invalid_target"),
        ({"code": "x"}, "invalid_grant"),
        ({"client_id": "nobody"}, "invalid_client"),
        ({"client_id": None}, "invalid_client"),
        ({"grant_type": 'password"é'}, "unsupported_grant_type"),
    ],
)
def test_a_code_is_bound_to_all_that_it_was_asked_with(
    desk: Desk, change: dict[str, str | None], error: str
) -> None:
    program = Program(desk)
    desk.sign_in()
    code = program.let_in().query["code"]

    answer = program.exchange(code, **change)

    assert error_of(answer) == error
    # By the status, too, clients know that they have to register anew.
    assert answer.status == (401 if error == "invalid_client" else 400)
    assert "access_token" not in answer.body
    if error in ("invalid_grant", "invalid_target") and "code" not in change:
        assert ("oauth.token", error) in audited(desk)
    # It was not spent by that.
    assert program.exchange(code).status == 200


def test_a_code_that_another_client_brings_gives_nothing(desk: Desk) -> None:
    program, thief = Program(desk), Program(desk, client_name="Thief")
    desk.sign_in()
    code = program.let_in().query["code"]

    assert error_of(program.exchange(code, client_id=thief.id)) == "invalid_grant"
    assert ("oauth.token", "invalid_grant") in audited(desk)


def test_a_code_that_is_brought_late_gives_nothing(desk: Desk) -> None:
    program = Program(desk)
    desk.sign_in()
    code = program.let_in().query["code"]
    desk.world.clock.advance(seconds=61)

    assert error_of(program.exchange(code)) == "invalid_grant"


def test_a_workspace_that_is_being_deleted_lets_nobody_in(desk: Desk) -> None:
    program = Program(desk)
    desk.sign_in()
    code = program.let_in().query["code"]

    desk.admin("workspaces.delete", confirm=desk.workspace.slug)

    assert error_of(program.exchange(code)) == "invalid_grant"
    assert program.question().query.get("next", "").startswith("/oauth/authorize")
