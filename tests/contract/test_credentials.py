"""Whatever makes a key or a token makes none that can do more than the key that asks for it."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from forge.auth.keys import KeyOrder, mint
from forge.context import UNRESTRICTED, KeyKind, Narrowing, Role
from forge.contract.terms import Scope
from forge.errors import ErrorCode
from tests.contract.calls import SAMPLES
from tests.contract.rehearsals import Rehearse
from tests.contract.stage import ALL_SCOPES, ALL_TOOLS, Arguments, Sample, Stage
from tests.contract.test_scopes import refused

CREDENTIALS = {"raw_key", "token"}
MAKING = {name for name, tool in ALL_TOOLS.items() if CREDENTIALS & set(tool.secrets)}

OF_A_RUN = {"agents.sessionKey"}
"""Made by an agent's key alone, and never wider than what that reads: tried beside the tool."""

EVERYTHING: Mapping[str, Callable[[Stage], Arguments]] = {
    "keys.create": lambda stage: {"name": "wide", "scopes": sorted(ALL_SCOPES), "expiresInDays": 365},
    "tokens.create": lambda stage: {"keyId": _a_wide_key(stage)},
    "workspaces.create": lambda stage: {"slug": "wide", "key": "WIDE", "name": "Wide"},
}
"""Each tool, asked for as much as it can make."""

Order = dict[str, Any]
WEAKER: Mapping[str, Callable[[Stage], Order]] = {
    "without a scope": lambda stage: {"scopes": ALL_SCOPES - {Scope.WRITE_ISSUES}},
    "narrowed to a project": lambda stage: {"narrowing": _only(project_ids=stage.a_project())},
    "narrowed to a label": lambda stage: {"narrowing": _only(label_ids=stage.a_label())},
    "narrowed to an initiative": lambda stage: {"narrowing": _only(initiative_ids="ini_1")},
    "an admin's": lambda stage: {"role": Role.ADMIN},
    "of a session": lambda stage: {"kind": KeyKind.SESSION},
}

ATTEMPTS = [(tool, weakness) for tool in EVERYTHING for weakness in WEAKER]
# It ends within minutes, and with the session at the latest.
ATTEMPTS.remove(("tokens.create", "of a session"))


def _only(**ids: str) -> Narrowing:
    return UNRESTRICTED._replace(**{name: frozenset({one}) for name, one in ids.items()})


def _a_wide_key(stage: Stage) -> str:
    order = {"name": "wide", "scopes": sorted(ALL_SCOPES)}
    return str(stage.call("keys.create", order)["id"])


def a_weaker_key(stage: Stage, order: Order) -> str:
    """The owner's key but for one thing."""
    usual = KeyOrder(
        name="weaker",
        kind=KeyKind.PERSONAL,
        workspace_id=stage.workspace.id,
        scopes=ALL_SCOPES,
        user_id=stage.owner_id(),
        role=Role.OWNER,
    )
    minted = mint(usual._replace(**order), key_id=stage.world.ids("key"), now=stage.world.clock())
    stage.world.keeper.add_key(minted)
    return minted.raw


def a_token(stage: Stage) -> str:
    return str(stage.call("tokens.create", {"keyId": _a_wide_key(stage)})["token"])


def _sample_of(tool: str) -> Sample:
    return next(one for one in SAMPLES if one.tool.name == tool)


def test_every_tool_that_shows_a_credential_is_tried() -> None:
    assert {*EVERYTHING, *OF_A_RUN} == MAKING


@pytest.mark.parametrize(("tool", "weakness"), ATTEMPTS)
def test_a_weaker_key_makes_nothing_that_can_do_everything(
    tool: str, weakness: str, rehearse: Rehearse
) -> None:
    rehearsal = rehearse(_sample_of(tool))
    rehearsal.rewind()
    arguments = EVERYTHING[tool](rehearsal.stage)
    key = a_weaker_key(rehearsal.stage, WEAKER[weakness](rehearsal.stage))

    error = refused(rehearsal, key, arguments)

    assert error["error"] == ErrorCode.FORBIDDEN
    assert error["hint"]


@pytest.mark.parametrize("tool", EVERYTHING)
def test_a_token_makes_neither_keys_nor_tokens(tool: str, rehearse: Rehearse) -> None:
    rehearsal = rehearse(_sample_of(tool))
    rehearsal.rewind()
    arguments = EVERYTHING[tool](rehearsal.stage)
    token = a_token(rehearsal.stage)

    assert refused(rehearsal, token, arguments)["error"] == ErrorCode.FORBIDDEN


@pytest.mark.parametrize("tool", EVERYTHING)
def test_an_equal_key_makes_it(tool: str, rehearse: Rehearse) -> None:
    rehearsal = rehearse(_sample_of(tool))
    rehearsal.rewind()
    arguments = EVERYTHING[tool](rehearsal.stage)
    key = a_weaker_key(rehearsal.stage, {})

    made = rehearsal.stage.call(tool, arguments, key=key)

    assert made.keys() & {"rawKey", "token"}
