"""What somebody tries with the page on which people say yes: refused, and kept in the audit."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from forge.errors import Conflict
from forge.testing.world import World
from functions.oauth.consents import settle
from functions.oauth.stored import consents as stored
from functions.oauth.visits import nobody
from tests.unit.oauth.desk import ORIGIN, Desk
from tests.unit.oauth.programs import Program, error_of, read
from tests.unit.oauth.refused import audited, nobody_was_sent
from tests.workshop.browser import Browser, Page


def test_a_consent_in_a_frame_shows_nothing(desk: Desk) -> None:
    desk.sign_in()
    page = Program(desk).question()

    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert page.headers["x-frame-options"] == "DENY"
    assert "<script" not in page.text.lower()


def test_csrf_an_answer_from_another_page_counts_for_nothing(desk: Desk) -> None:
    program = Program(desk)
    desk.sign_in()
    page = program.question()

    for headers in (
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": f"{ORIGIN}:8443"},
        {"origin": "http://forge.example"},
    ):
        refused = desk.browser.submit(page, {"answer": "yes"}, headers=headers)
        assert (refused.status, refused.url.startswith(ORIGIN)) == (403, True)

    assert audited(desk).count(("oauth.consent", "another-page")) == 4
    # The question is open still, and answered by the person alone.
    assert "code" in desk.browser.submit(page, {"answer": "yes"}).query


def test_replay_an_answer_counts_once(desk: Desk) -> None:
    program = Program(desk)
    desk.sign_in()
    page = program.question()
    first = desk.browser.submit(page, {"answer": "yes"})

    for answer in ("yes", "no"):
        assert nobody_was_sent(desk.browser.submit(page, {"answer": answer}))

    assert "code" in first.query
    assert ("oauth.consent", "replayed") in audited(desk)


def test_replay_after_a_no_nobody_says_yes(desk: Desk) -> None:
    program = Program(desk)
    desk.sign_in()
    page = program.question()

    assert desk.browser.submit(page, {"answer": "no"}).query["error"] == "access_denied"

    assert nobody_was_sent(desk.browser.submit(page, {"answer": "yes"}))


def test_who_is_signed_in_no_more_answers_nothing(desk: Desk) -> None:
    desk.sign_in()
    page = Program(desk).question()
    desk.browser.cookies.clear()

    refused = desk.browser.submit(page, {"answer": "yes"})

    assert (refused.status, refused.url.startswith(ORIGIN)) == (403, True)


def test_two_answers_at_once_are_one(desk: Desk) -> None:
    desk.sign_in()
    page = Program(desk).question()

    def answer(_: int) -> Page:
        own = Browser(ORIGIN, desk.browser._send)
        own.cookies.update(desk.browser.cookies)
        return own.submit(page, {"answer": "yes"})

    with ThreadPoolExecutor(4) as pool:
        answered = list(pool.map(answer, range(4)))

    assert sum("code" in one.query for one in answered) == 1
    assert {one.status for one in answered if "code" not in one.query} <= {400, 409}


@pytest.mark.parametrize("consent", ["", "x" * 43, None])
def test_an_answer_to_what_nobody_was_asked_is_refused(desk: Desk, consent: str | None) -> None:
    desk.sign_in()
    page = Program(desk).question()

    assert nobody_was_sent(desk.browser.submit(page, {"answer": "yes", "consent": consent}))
    assert ("oauth.consent", "forged") in audited(desk)


def test_a_question_is_answered_in_the_browser_that_it_was_asked_in(desk: Desk) -> None:
    """Else an attacker has somebody answer what the attacker's own browser was asked."""
    desk.sign_in()
    page = Program(desk).question()
    other = Browser(ORIGIN, desk.browser._send)
    other.submit(other.open("/oauth/sign-in"), {"key": desk.owner_key})

    refused = other.submit(page, {"answer": "yes"})

    assert nobody_was_sent(refused)
    assert ("oauth.consent", "forged") in audited(desk)


def test_a_question_waits_for_some_minutes(desk: Desk) -> None:
    desk.sign_in()
    page = Program(desk).question()
    desk.world.clock.advance(minutes=16)

    assert nobody_was_sent(desk.browser.submit(page, {"answer": "yes"}))


@pytest.mark.parametrize("scope", ["WRITE_PROJECTS", "ADMIN", "ROOT"])
def test_scope_creep_what_was_not_asked_for_is_not_given(desk: Desk, scope: str) -> None:
    desk.sign_in()
    page = Program(desk).question(scope="READ_ISSUES")

    refused = desk.browser.submit(page, {"answer": "yes", "scope": ["READ_ISSUES", scope]})

    assert nobody_was_sent(refused)
    assert ("oauth.consent", "invalid_scope") in audited(desk)


def test_scope_creep_nobody_gives_what_they_do_not_have(desk: Desk) -> None:
    made = desk.admin("keys.create", name="reader", scopes=["READ_ISSUES"])
    program = Program(desk)
    desk.sign_in(made["rawKey"])
    page = program.question(scope="READ_ISSUES WRITE_ISSUES ADMIN")

    assert {one.value for one in page.forms[0].fields if one.name == "scope"} == {"READ_ISSUES"}
    refused = desk.browser.submit(page, {"answer": "yes", "scope": ["READ_ISSUES", "WRITE_ISSUES"]})
    assert nobody_was_sent(refused)


def test_scope_creep_a_refresh_gives_no_more_than_was_said_yes_to(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens({"scope": "READ_ISSUES"})

    answer = program.refresh(tokens.refresh, scope="READ_ISSUES WRITE_ISSUES")

    assert error_of(answer) == "invalid_scope"
    assert ("oauth.token", "invalid_scope") in audited(desk)
    result = desk.world.call("issues_create", {"title": "More"}, key=tokens.access, path="/mcp")
    assert result["structuredContent"]["error"] == "scope_required"


def test_who_signed_in_with_a_key_that_ends_gives_nothing_that_lasts_longer(desk: Desk) -> None:
    made = desk.admin("keys.create", name="short", scopes=["READ_ISSUES"], expiresInDays=2)
    program = Program(desk)
    desk.sign_in(made["rawKey"])
    tokens = read(program.exchange(program.let_in({"days": "90"}, scope="READ_ISSUES").query["code"]))

    desk.world.clock.advance(days=2, seconds=1)

    assert error_of(program.refresh(tokens.refresh)) == "invalid_grant"


def test_a_narrowed_key_gives_its_narrowing_along(desk: Desk) -> None:
    made = [
        json.loads(desk.world.rest("projects.create", {"name": n, "key": n}, key=desk.owner_key).body)
        for n in ("ONE", "TWO")
    ]
    key = desk.admin("keys.create", name="n", scopes=["READ_ISSUES"], projectIds=[made[0]["id"]])["rawKey"]
    program = Program(desk)
    desk.sign_in(key)
    page = program.question(scope="READ_ISSUES")

    refused = desk.browser.submit(page, {"answer": "yes", "project": [made[1]["id"]]})

    assert {one.value for one in page.forms[0].fields if one.name == "project"} == {made[0]["id"]}
    assert nobody_was_sent(refused)
    for project in made:
        body = {"title": f"In {project['name']}", "projectId": project["id"]}
        assert desk.world.rest("issues.create", body, key=desk.owner_key).status == 200
    given = program.let_in({"project": []}, scope="READ_ISSUES").query["code"]
    found = desk.world.call("issues_list", {}, key=read(program.exchange(given)).access, path="/mcp")
    assert [one["title"] for one in found["structuredContent"]["data"]] == ["In ONE"]


@pytest.fixture
def elsewhere(signing_world: World) -> Desk:
    """Another tenant, with somebody else signed in."""
    workspace = signing_world.add_workspace(f"else{signing_world.ids('n')[-6:]}")
    return Desk(signing_world, workspace, Browser(ORIGIN, lambda *a: (500, {}, "")))


def test_confused_deputy_what_is_in_another_workspace_can_not_be_chosen(desk: Desk, elsewhere: Desk) -> None:
    agent = elsewhere.admin("agents.create", profileKey="theirs", name="Theirs", provider="CLAUDE")
    made = elsewhere.world.rest("projects.create", {"name": "X", "key": "XX"}, key=elsewhere.owner_key)
    desk.sign_in()
    program = Program(desk)

    for change in ({"as": agent["id"]}, {"project": [json.loads(made.body)["id"]]}):
        assert nobody_was_sent(desk.browser.submit(program.question(), {"answer": "yes", **change}))
    assert audited(desk).count(("oauth.consent", "invalid_scope")) == 2


def test_confused_deputy_a_token_opens_the_workspace_that_was_shown_and_no_other(
    desk: Desk, elsewhere: Desk
) -> None:
    issue = json.loads(
        elsewhere.world.rest("issues.create", {"title": "Theirs"}, key=elsewhere.owner_key).body
    )
    tokens = Program(desk).tokens()

    result = desk.world.call("issues_get", {"id": issue["id"]}, key=tokens.access, path="/mcp")

    assert result["structuredContent"]["error"] == "not_found"


def test_who_minds_no_agents_lets_nothing_act_as_one(desk: Desk) -> None:
    agent = desk.admin("agents.create", profileKey="a", name="A", provider="CLAUDE")
    key = desk.admin("keys.create", name="no admin", scopes=["READ_ISSUES", "WRITE_ISSUES"])["rawKey"]
    desk.sign_in(key)
    page = Program(desk).question()

    for change in ({"as": agent["id"]}, {"as": "new", "agent_name": "Mine"}):
        assert nobody_was_sent(desk.browser.submit(page, {"answer": "yes", **change}))
    assert agent["id"] not in page.text


def test_an_agent_is_never_let_administer(desk: Desk) -> None:
    agent = desk.admin("agents.create", profileKey="a", name="A", provider="CLAUDE")
    desk.sign_in()
    page = Program(desk).question(scope="READ_ISSUES ADMIN")

    refused = desk.browser.submit(
        page, {"answer": "yes", "as": agent["id"], "scope": ["READ_ISSUES", "ADMIN"]}
    )

    assert nobody_was_sent(refused)


def test_a_question_that_was_settled_meanwhile_is_not_settled_again(desk: Desk) -> None:
    """Of two answers at the same moment both find it open when they look at it first."""
    visit, services = desk.visit("/oauth/consent"), desk.world.services
    asked = {"redirect_uri": "http://127.0.0.1/callback"}
    consent = stored.begun(secret="s", now=services.now(), sign_in="x", asked=asked, client_digest="d")
    tx = visit.begin(nobody(), "test")
    tx.create(consent)
    services.store.commit(tx)

    settle(visit, nobody(), consent)

    with pytest.raises(Conflict):
        settle(visit, nobody(), consent)


def test_a_request_that_is_too_long_is_told_to_the_person_alone(desk: Desk) -> None:
    desk.sign_in()

    assert nobody_was_sent(Program(desk).question(state="x" * 8_000))


@pytest.mark.parametrize(("narrow", "ends"), [(True, False), (False, True)])
def test_who_is_confined_or_not_for_long_makes_no_agent(desk: Desk, narrow: bool, ends: bool) -> None:
    agent = desk.admin("agents.create", profileKey="a", name="A", provider="CLAUDE")
    project = json.loads(
        desk.world.rest("projects.create", {"name": "One", "key": "ONE"}, key=desk.owner_key).body
    )
    how: dict[str, object] = {"projectIds": [project["id"]]} if narrow else {}
    how |= {"expiresInDays": 2} if ends else {}
    made = desk.admin("keys.create", name="k", scopes=["READ_ISSUES", "WRITE_ISSUES", "ADMIN"], **how)
    desk.sign_in(made["rawKey"])
    program = Program(desk)
    offered = program.question().text

    refused = desk.browser.submit(program.question(), {"answer": "yes", "as": "new", "agent_name": "Mine"})

    assert nobody_was_sent(refused)
    assert (agent["id"] in offered) is not narrow
    if narrow:
        assert nobody_was_sent(desk.browser.submit(program.question(), {"answer": "yes", "as": agent["id"]}))


def test_nothing_acts_as_an_agent_that_was_archived(desk: Desk) -> None:
    agent = desk.admin("agents.create", profileKey="a", name="A", provider="CLAUDE")
    desk.admin("agents.archive", id=agent["id"])
    desk.sign_in()
    page = Program(desk).question()

    assert agent["id"] not in page.text
    assert nobody_was_sent(desk.browser.submit(page, {"answer": "yes", "as": agent["id"]}))
