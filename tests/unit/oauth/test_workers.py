"""Programs without a person: a secret or a signature in, a token of an hour out, all of it one agent's."""

import json
import re
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest

from forge.auth.keys import hash_of
from forge.wire.http import Response
from forge.work.workspace.people.authentication import AUTHENTICATION
from tests.unit.oauth.desk import ORIGIN, Desk
from tests.unit.oauth.programs import RESOURCE, error_of, post, read
from tests.workshop.browser import Page
from tests.workshop.office import Office

ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


class Worker(NamedTuple):
    id: str
    secret: str
    agent_id: str


def form_of(page: Page) -> int:
    return next(n for n, form in enumerate(page.forms) if form.action == "/oauth/workers")


def made(desk: Desk, **changes: str) -> Page:
    desk.sign_in()
    page = desk.browser.open("/oauth/grants")
    return desk.browser.submit(page, {"name": "builder", **changes}, form=form_of(page))


@pytest.fixture
def worker(desk: Desk) -> Worker:
    agent = desk.admin("agents.create", profileKey="builder", name="Builder", provider="CLAUDE")
    text = made(desk).text
    found = re.findall(r"<code>((?:fw_)?[\w-]{16,})</code>", text)
    return Worker(found[0], found[1], agent["id"])


def ask(desk: Desk, worker: Worker, secret: str | None = None, **changes: str | None) -> Response:
    proof = b64encode(f"{worker.id}:{secret or worker.secret}".encode()).decode()
    asked = {"grant_type": "client_credentials"} | changes
    return post(desk, "/oauth/token", asked, {"authorization": f"Basic {proof}"})


def test_a_secret_gives_a_token_of_its_agent_for_the_whole_product(desk: Desk, worker: Worker) -> None:
    tokens = read(ask(desk, worker))

    answer = desk.world.rest("issues.create", {"title": "By a worker"}, key=tokens.access)
    (row,) = desk.admin("audit.list", entity="issue")["data"]

    assert answer.status == 200
    assert row["actor"]["agentId"] == worker.agent_id
    assert tokens.refresh == ""
    assert {"READ_ISSUES", "WRITE_ISSUES"} <= {*tokens.whole["scope"].split()}
    rows = desk.admin("audit.list", entity="key")["data"]
    assert (rows[0]["tool"], rows[0]["action"]) == ("oauth.token", "refresh")
    assert desk.world.legacy("tools/list", key=tokens.access).status == 200


def test_a_token_for_the_other_address_is_asked_for_by_name(desk: Desk, worker: Worker) -> None:
    tokens = read(ask(desk, worker, resource=RESOURCE))

    assert desk.world.legacy("tools/list", key=tokens.access, path="/mcp").status == 200
    assert desk.world.rest("issues.list", {}, key=tokens.access).status == 401
    assert error_of(ask(desk, worker, resource="https://evil.example/mcp")) == "invalid_target"


def test_a_wrong_secret_and_another_grant_give_nothing(desk: Desk, worker: Worker) -> None:
    assert error_of(ask(desk, worker, "wrong")) == "invalid_client"
    assert error_of(ask(desk, worker, grant_type="refresh_token", refresh_token="x")) == "unauthorized_client"


def test_many_workers_share_it_and_one_click_ends_them_all(desk: Desk, worker: Worker) -> None:
    tokens = [read(ask(desk, worker)).access for _ in range(5)]
    assert {desk.world.rest("issues.list", {}, key=one).status for one in tokens} == {200}
    (key,) = desk.keys("builder")

    desk.admin("keys.revoke", id=key["id"])

    assert {desk.world.rest("issues.list", {}, key=one).status for one in tokens} == {401}
    assert error_of(ask(desk, worker)) == "unauthorized_client"


def test_a_fleet_that_begins_at_the_same_moment_is_let_in(desk: Desk, worker: Worker) -> None:
    with ThreadPoolExecutor(15) as pool:
        answers = list(pool.map(lambda _: ask(desk, worker), range(15)))

    assert {desk.world.rest("issues.list", {}, key=read(one).access).status for one in answers} == {200}


def test_a_workspace_that_is_being_deleted_gives_no_worker_a_token(desk: Desk, worker: Worker) -> None:
    desk.admin("workspaces.delete", confirm=desk.workspace.slug)

    assert error_of(ask(desk, worker)) == "unauthorized_client"


def test_the_page_ends_it_just_as_well(desk: Desk, worker: Worker) -> None:
    token = read(ask(desk, worker)).access
    page = desk.browser.open("/oauth/grants")

    desk.browser.submit(page)

    assert desk.world.rest("issues.list", {}, key=token).status == 401
    assert error_of(ask(desk, worker)) == "unauthorized_client"


@pytest.mark.parametrize(
    "slip",
    [
        {"name": ""},
        {"name": "x" * 61},
        {"days": "9999"},
        {"days": "x"},
        {"agent": ""},
        {"agent": "agt_of_nobody"},
        {"jwk": "no JSON"},
    ],
)
def test_what_is_no_whole_order_makes_none(desk: Desk, slip: dict[str, str]) -> None:
    desk.admin("agents.create", profileKey="builder", name="Builder", provider="CLAUDE")

    page = made(desk, **slip)

    assert (page.status, desk.keys("builder"), desk.keys("x" * 61)) == (400, [], [])


def test_nobody_is_let_in_by_an_agent_that_was_archived(desk: Desk) -> None:
    agent = desk.admin("agents.create", profileKey="builder", name="Builder", provider="CLAUDE")
    desk.admin("agents.create", profileKey="other", name="Other", provider="CLAUDE")
    desk.admin("agents.archive", id=agent["id"])

    assert made(desk, agent=agent["id"]).status == 400


def test_who_made_a_client_is_in_the_audit(desk: Desk, worker: Worker) -> None:
    (key,) = desk.keys("builder")

    (row,) = desk.admin("audit.list", entity="key", entityId=key["id"])["data"]

    assert (row["tool"], row["action"]) == ("oauth.workers", "create")


def a_runs_key(desk: Desk, token: str) -> str:
    """Of a run that a worker began."""
    issue = json.loads(desk.world.rest("issues.create", {"title": "Work"}, key=token).body)
    run = json.loads(desk.world.rest("issues.claim", {"issueId": issue["id"]}, key=token).body)
    made = desk.world.rest("agents.sessionKey", {"runId": run["runId"]}, key=token)
    return str(json.loads(made.body)["rawKey"])


@pytest.mark.parametrize("how", ["page", "list"])
def test_what_it_made_for_runs_ends_with_it(desk: Desk, worker: Worker, how: str) -> None:
    runs_key, late = (a_runs_key(desk, read(ask(desk, worker)).access) for _ in range(2))
    (key,) = desk.keys("builder")

    if how == "page":
        desk.browser.submit(desk.browser.open("/oauth/grants"))
    else:
        desk.admin("keys.revoke", id=key["id"])

    assert {desk.world.rest("issues.list", {}, key=one).status for one in (runs_key, late)} == {401}
    # One that was just being made is ended soon after.
    office = Office(desk.world, desk.workspace)
    tx = office.begin()
    tx.adjust(AUTHENTICATION(hash_of(late)), assign={"revoked_at": None})
    office.commit(tx)
    for _ in range(3):
        desk.world.clock.advance(minutes=1)
        office.sweep()
    assert desk.world.rest("issues.list", {}, key=late).status == 401


def test_only_an_admin_makes_one(desk: Desk) -> None:
    agent = desk.admin("agents.create", profileKey="b", name="B", provider="CLAUDE")
    key = desk.admin("keys.create", name="no admin", scopes=["READ_ISSUES"])["rawKey"]
    desk.sign_in(key)
    body = {"name": "x", "agent": agent["id"], "days": "30"}
    cookies = "; ".join(f"{n}={v}" for n, v in desk.browser.cookies.items())

    answer = post(desk, "/oauth/workers", body, {"origin": ORIGIN, "cookie": cookies})

    assert answer.status == 403
    assert "/oauth/workers" not in desk.browser.open("/oauth/grants").text


def test_what_it_may_not_is_not_given_and_not_replaced_by_all_that_it_may(desk: Desk, worker: Worker) -> None:
    for scope in ("ADMIN", "READ_ISSUES ADMIN", "whatever"):
        assert error_of(ask(desk, worker, scope=scope)) == "invalid_scope"

    assert read(ask(desk, worker, scope="READ_ISSUES")).whole["scope"] == "READ_ISSUES"
