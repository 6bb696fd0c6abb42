"""What is said while a run is worked on, as it is sent and read."""

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from forge.contract.models import Model, Omittable
from forge.work.plans.budgets.allowances import Stop
from functions.runs.models.reporting import RunId

_MOST_BYTES = 200_000


def _few_bytes(text: str) -> str:
    if len(text.encode()) > _MOST_BYTES:
        raise ValueError(f"must be at most {_MOST_BYTES // 1000} KB of UTF-8")
    return text


class AppendLog(Model):
    run_id: RunId
    seq: Annotated[int, Field(ge=0, le=99_999_999, description="Its place: 0, then one more each time.")]
    chunk: Annotated[
        str,
        Field(min_length=1, max_length=_MOST_BYTES, description="Text, without keys: at most 200 KB."),
        AfterValidator(_few_bytes),
    ]


class AppendedLog(Model):
    """`cut`: the beginning is not kept any more. `stop`: the run has passed a limit."""

    run_id: str
    next_seq: int
    bytes: int
    cut: Omittable[bool] = None
    stop: Omittable[Stop] = None


class ReadLog(Model):
    run_id: RunId
    after: Annotated[
        str,
        BeforeValidator(lambda given: str(given) if isinstance(given, int) else given),
        Field(pattern=r"^\d{1,8}(:\d{1,6})?$", description="`next` of the answer before; 0 begins."),
    ] = "0"
    wait: Annotated[int, Field(ge=0, le=20, description="Seconds to wait for more.")] = 0


class LogChunk(Model):
    seq: int
    text: str


class RunLog(Model):
    """`ended`: the run is over, and there is no more. `cut`: what came before is not kept any more."""

    chunks: list[LogChunk]
    next: str
    ended: bool
    cut: Omittable[bool] = None
