"""What the payload of each kind needs and takes."""

import pytest

from forge.errors import InvalidInput
from forge.work.plans.requests.asking import Payload, action_of
from forge.work.plans.requests.requests import BoundAction, RequestKind

WHOLE = Payload(
    status_id="Done",
    add=["bug"],
    remove=["old"],
    user_ids=["ada"],
    agent_id="worker",
    duplicate_of_issue_id="DEMO-2",
)


@pytest.mark.parametrize(
    ("kind", "taken"),
    [
        (RequestKind.TRANSITION, {"status_id": "Done"}),
        (RequestKind.SET_LABELS, {"add": ["bug"], "remove": ["old"]}),
        (RequestKind.ASSIGN, {"user_ids": ["ada"]}),
        (RequestKind.ASSIGN_AGENT, {"agent_id": "worker"}),
        (RequestKind.ARCHIVE, {}),
        (RequestKind.CLOSE_AS_DUPLICATE, {"duplicate_of_issue_id": "DEMO-2", "status_id": "Done"}),
    ],
)
def test_a_kind_takes_what_it_is_about_and_drops_the_rest(
    kind: RequestKind, taken: dict[str, object]
) -> None:
    assert action_of(kind, WHOLE) == BoundAction.model_validate(taken)


def test_a_question_binds_nothing() -> None:
    assert action_of(RequestKind.FREE_FORM, WHOLE) is None


def test_only_archiving_needs_no_payload() -> None:
    assert action_of(RequestKind.ARCHIVE, None) == BoundAction()

    for kind in set(RequestKind) - {RequestKind.ARCHIVE, RequestKind.FREE_FORM}:
        with pytest.raises(InvalidInput) as refused:
            action_of(kind, None, within="actionRequest.")
        (field,) = list(refused.value.issues or {})
        assert field.startswith("actionRequest.payload.")
