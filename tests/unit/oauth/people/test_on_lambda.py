"""Behind API Gateway, which keeps cookies apart from headers, both ways."""

import json
from typing import Any
from urllib.parse import urlsplit

from forge.wire import cookies
from forge.wire.aws_lambda import edge_handler
from tests.unit.oauth.desk import ORIGIN
from tests.unit.oauth.people.team import SESSION, TOKEN, Team


def asked(team: Team, path: str, *, method: str = "POST", query: str = "", **headers: str) -> dict[str, Any]:
    event = {
        "version": "2.0",
        "rawPath": path,
        "headers": {"host": urlsplit(ORIGIN).netloc, **headers},
        "requestContext": {"http": {"method": method}, "requestId": "r1"},
        "queryStringParameters": dict(pair.split("=") for pair in query.split("&")) if query else {},
        "body": "{}",
    }
    if team.browser.cookies:
        event["cookies"] = [f"{name}={value}" for name, value in team.browser.cookies.items()]
    return edge_handler(team.desk.world.edge)(event, None)


def test_several_cookies_are_given_one_by_one(team: Team) -> None:
    team.invite()
    team.account()
    answer = team.there.authorize(team.depart())

    result = asked(team, "/oauth/oidc/callback", method="GET", query=urlsplit(answer).query)

    assert "set-cookie" not in result["headers"]
    names = [cookie.partition("=")[0] for cookie in result["cookies"]]
    assert {SESSION, TOKEN} < set(names)
    assert len(names) == len(set(names))


def test_a_session_calls_tools_through_the_gateway(team: Team) -> None:
    team.invite()
    team.account()
    team.sign_in()
    sent = {cookies.TOKEN_HEADER: team.browser.cookies[TOKEN], "origin": ORIGIN}

    good = asked(team, "/api/mcp/workspace.get", **sent)

    assert json.loads(good["body"])["slug"] == team.desk.workspace.slug
    assert asked(team, "/api/mcp/workspace.get")["statusCode"] == 403
    assert asked(team, "/api/mcp/rpc", **sent)["statusCode"] == 401
