"""In a browser somebody does what they could do with what they showed there, and no more."""

import json
from datetime import datetime, timedelta

import pytest

from tests.unit.oauth.desk import ORIGIN
from tests.unit.oauth.people.team import Team

AGENT = {"profileKey": "helper", "name": "Helper", "provider": "CLAUDE"}
LASTING = {"name": "lasting", "scopes": ["READ_ISSUES"], "expiresInDays": 90}
WEBHOOK = {"url": "https://hooks.example/forge", "events": ["ISSUE_CREATED"]}


def paste(team: Team, key: str) -> None:
    headers = {"authorization": f"Bearer {key}", "origin": ORIGIN}
    answer = team.desk.world.send("", path="/oauth/session", headers=headers)
    assert answer.status == 200, answer.body
    for line in answer.headers["set-cookie"].splitlines():
        name, _, value = line.partition(";")[0].partition("=")
        team.browser.cookies[name] = value


def a_key(team: Team, **how: object) -> str:
    made = {"name": "mine", "scopes": ["READ_ISSUES", "READ_USERS", "ADMIN"]}
    return str(team.desk.admin("keys.create", **made | how)["rawKey"])


@pytest.mark.parametrize("way", ["account", "key"])
def test_an_admin_administers_in_the_console(team: Team, way: str) -> None:
    if way == "account":
        team.invite(role="ADMIN")
        team.account()
        team.sign_in()
    else:
        paste(team, a_key(team))

    for tool, arguments in (("agents.create", AGENT), ("keys.create", LASTING), ("webhooks.create", WEBHOOK)):
        answer = team.called(tool, arguments)
        assert answer.status == 200, answer.body

    (key,) = team.desk.keys("lasting")
    assert datetime.fromisoformat(key["expiresAt"]) > team.desk.world.clock() + timedelta(days=89)


def test_what_is_made_there_ends_with_the_key_that_was_shown(team: Team) -> None:
    paste(team, a_key(team, expiresInDays=2))

    assert team.called("keys.create", LASTING).status == 403
    made = json.loads(team.called("keys.create", {**LASTING, "expiresInDays": None}).body)

    ends_at = datetime.fromisoformat(made["expiresAt"])
    assert ends_at <= team.desk.world.clock() + timedelta(days=2)


def test_who_shows_a_key_of_a_session_makes_nothing_that_lasts(team: Team) -> None:
    paste(team, a_key(team, kind="SESSION", ttlHours=3))

    assert team.called("agents.create", AGENT).status == 403
    assert team.called("webhooks.create", WEBHOOK).status == 403
    assert team.called("keys.create", {**LASTING, "expiresInDays": 1}).status == 403


def test_the_session_itself_ends_as_before(team: Team) -> None:
    team.invite(role="ADMIN")
    team.account()
    team.sign_in()
    (key,) = team.desk.keys("Browser")
    assert key["kind"] == "SESSION"

    team.desk.world.clock.advance(hours=12, seconds=1)

    assert team.called("workspace.get").status == 401
