"""What comes on the queue `waits`: look at this one, or, from Step Functions, a stage is reached."""

from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from forge.jsontext import BadJson, decode
from forge.work.content.destinations.messages import Unreadable
from forge.work.plans.waits.waits import Stage


class HeardStage(NamedTuple):
    """What an execution says: which stage it is in, and the token by which it can be told to end."""

    stage: Stage
    token: str | None


class WaitMessage(BaseModel):
    # What a newer build adds is none of our business.
    model_config = ConfigDict(alias_generator=to_camel, extra="ignore", frozen=True)

    workspace_id: str
    wait_id: str
    stage: Stage | None = None
    task_token: str | None = None

    @property
    def heard(self) -> HeardStage | None:
        return HeardStage(self.stage, self.task_token) if self.stage else None


def read(text: str) -> WaitMessage:
    try:
        return WaitMessage.model_validate(decode(text))
    except (BadJson, ValidationError) as reason:
        raise Unreadable("not a message about something that waits") from reason
