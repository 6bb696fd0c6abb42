"""Whom a key stands for, and what only somebody may do."""

import pytest

from forge.auth.actors import identity_of, is_same, require_may_change
from forge.errors import Forbidden
from forge.testing.builders import USER_ID, a_caller

NOBODY = a_caller(user_id=None, role=None)


def test_a_key_stands_for_its_agent_or_its_user() -> None:
    assert identity_of(a_caller()) == USER_ID
    assert identity_of(a_caller(agent_id="agt_1")) == "agt_1"


def test_what_another_key_of_an_agent_began_is_none_of_a_runs() -> None:
    agent, run = a_caller(agent_id="agt_1"), a_caller(agent_id="agt_1", run_id="run_1")

    assert is_same(agent, "key_other", user_id=None, agent_id="agt_1")
    assert not is_same(run, "key_other", user_id=None, agent_id="agt_1")
    assert is_same(run, run.key_id, user_id=None, agent_id="agt_1")


def test_a_key_of_nobody_has_no_identity_and_changes_nothing() -> None:
    with pytest.raises(Forbidden):
        identity_of(NOBODY)
    with pytest.raises(Forbidden):
        require_may_change(NOBODY, "issues.create")


def test_an_archived_agent_changes_nothing() -> None:
    require_may_change(a_caller(agent_id="agt_1"), "issues.create")
    with pytest.raises(Forbidden):
        require_may_change(a_caller(agent_id="agt_1", is_archived=True), "issues.create")
