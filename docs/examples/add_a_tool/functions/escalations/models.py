"""What one says to escalate an issue."""

from typing import Annotated

from pydantic import Field

from forge.contract.fields import IssueId
from forge.contract.models import Model


class Escalate(Model):
    issue_id: IssueId
    to_the_top: Annotated[bool, Field(description="URGENT at once, instead of one step.")] = False
