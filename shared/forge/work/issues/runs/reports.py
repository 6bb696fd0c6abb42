"""Reports: what an agent says of its run at the end, apart from the run, because lists read that."""

from enum import StrEnum
from typing import Any

from forge.store.items import Item, Part
from forge.store.keys import At
from forge.work.issues.runs.runs import OF_RUN
from forge.work.record.texts import KeptText


class Confidence(StrEnum):
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"


class RunVerdict(StrEnum):
    APPROVE = "APPROVE"
    REQUEST_CHANGES = "REQUEST_CHANGES"


class FollowUp(Part):
    title: str
    body: str | None = None
    kind: str | None = None


class RunTextItem(Item):
    stored = At(OF_RUN, "TEXT")

    workspace_id: str
    run_id: str
    summary: KeptText
    verification_result: list[dict[str, Any]] = []
    follow_ups: list[FollowUp] = []
