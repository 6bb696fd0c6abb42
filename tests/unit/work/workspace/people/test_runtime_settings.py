"""Settings that adapters know must be as they know them."""

import pytest

from forge.errors import InvalidInput
from forge.work.workspace.people.agents import AgentProvider
from forge.work.workspace.people.runtimes import adapter_of, require_understood


def test_settings_that_adapters_know_and_those_that_they_do_not_are_taken() -> None:
    require_understood(
        {
            "localWorkspaceTools": False,
            "modeToolPolicyEnforced": True,
            "toolCapabilities": ["shell", "edit"],
            "workspaceRoot": "/srv/work",
            "sandbox": {"mode": "workspace-write"},
        }
    )
    require_understood({"toolCapabilities": {"shell": True}, "workspaceRoot": None})


def test_each_setting_that_is_not_as_it_must_be_is_named() -> None:
    wrong = {
        "localWorkspaceTools": "yes",
        "modeToolPolicyEnforced": 1,
        "toolCapabilities": [""],
        "workspaceRoot": " ",
    }

    with pytest.raises(InvalidInput) as refused:
        require_understood({**wrong, "other": 1})

    assert set(refused.value.issues or ()) == {f"config.{name}" for name in wrong}


def test_the_adapter_is_known_where_there_is_one_provider() -> None:
    assert adapter_of([AgentProvider.CODEX]) == "codex"
    assert adapter_of([AgentProvider.CODEX, AgentProvider.CLAUDE]) is None
    assert adapter_of([]) is None
