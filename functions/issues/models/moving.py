"""Moving issues through the board."""

from typing import Annotated

from pydantic import Field

from forge.contract.fields import IssueId, StatusRef
from forge.contract.models import Model
from forge.contract.questions import Confirm
from forge.work.issues.views import Failure


class TransitionIssue(Model):
    id: IssueId
    status_id: Annotated[StatusRef, Field(description="Where to: its name, category or id.")]


class TransitionIssues(Model, rare=["confirm"]):
    ids: Annotated[
        list[IssueId], Field(min_length=1, max_length=200, description="The issues, by id or identifier.")
    ]
    status_id: Annotated[StatusRef, Field(description="Where to: its name, category or id.")]
    confirm: Confirm = False


class Transitioned(Model):
    """`count` of them really moved; those that were there already are not counted."""

    count: int
    status_id: str
    failed: list[Failure]
