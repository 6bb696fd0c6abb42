"""Completion: the words of the workspace that fit what somebody is typing."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from forge.contract.terms import Scope
from forge.testing.world import World
from forge.wire.http import Response
from tests.workshop.office import Office

Era = Callable[[World], Callable[..., Response]]
ERAS = pytest.mark.parametrize("era", [lambda world: world.modern, lambda world: world.legacy])
START = {"type": "ref/prompt", "name": "start_work"}


def answer(response: Response) -> dict[str, Any]:
    return dict(json.loads(response.body))


def typed(value: str, name: str = "issue") -> dict[str, str]:
    return {"name": name, "value": value}


def values(office: Office, ref: dict[str, str], argument: dict[str, str], key: str = "") -> list[str]:
    asked = {"ref": ref, "argument": argument}
    told = office.world.legacy("completion/complete", asked, key=key or office.owner_key)
    return list(answer(told)["result"]["completion"]["values"])


def an_issue(office: Office, title: str) -> str:
    return str(office.call("issues.create", {"title": title})["identifier"])


@ERAS
def test_an_issue_is_completed_by_its_identifier_and_by_its_words(office: Office, era: Era) -> None:
    login, other = an_issue(office, "Fix the login"), an_issue(office, "Ship it")
    complete = era(office.world)

    def told(value: str) -> dict[str, Any]:
        asked = {"ref": START, "argument": typed(value)}
        return dict(
            answer(complete("completion/complete", asked, key=office.owner_key))["result"]["completion"]
        )

    assert told("login") == {"values": [login], "hasMore": False}
    assert told(other.lower())["values"] == [other]
    assert set(told("")["values"]) == {login, other}
    assert told("nothing like it")["values"] == []


def test_words_are_only_those_that_the_key_may_see(office: Office, other_office: Office) -> None:
    an_issue(other_office, "Fix their login")
    few = [Scope.READ_ISSUES, Scope.WRITE_ISSUES, Scope.WRITE_COMMENTS]
    hidden = office.world.a_key(scopes=few, workspace=office.workspace)
    office.call("projects.create", {"key": "APP", "name": "The app"})
    triage = {"type": "ref/prompt", "name": "triage"}

    assert values(office, START, typed("login")) == []
    assert values(office, triage, typed("ap", "project")) == ["APP"]
    assert values(office, triage, typed("ap", "project"), hidden) == []


@ERAS
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"ref": START},
        {"ref": {"type": "ref/other"}, "argument": typed("")},
        {"ref": {"type": "ref/prompt", "name": "nothing"}, "argument": typed("")},
        {"ref": {"type": "ref/resource", "uri": "forge://nothing/{id}"}, "argument": typed("")},
        {"ref": START, "argument": typed("", "nothing")},
    ],
)
def test_what_can_not_be_completed_is_refused(
    world: World, era: Era, key: str, asked: dict[str, Any]
) -> None:
    assert answer(era(world)("completion/complete", asked, key=key))["error"]["code"] == -32602
