"""Which pipelines a list shows, and which somebody may mean who types only a part of a name."""

import re
from collections.abc import Callable

from forge.context import Caller
from forge.work.pipelines.pipelines import PipelineRowItem, Status
from functions.pipeline.models.starting import ListPipelines, Standing

_DATE = re.compile(r"^\d{8}-")


def wanted_by(request: ListPipelines, caller: Caller) -> Callable[[PipelineRowItem], bool]:
    me = (None, caller.agent_id) if caller.agent_id else (caller.user_id, None)

    def is_wanted(row: PipelineRowItem) -> bool:
        is_mine = (row.created_by_user_id, row.created_by_agent_id) == me
        is_there = request.repository in (None, row.repository)
        return _has(row, request.status) and (is_mine or not request.mine) and is_there

    return is_wanted


def is_like(name: str) -> Callable[[PipelineRowItem], bool]:
    """Of the same name without its date, or of one that begins so."""
    bare = _DATE.sub("", name)
    return lambda row: row.spec_name.startswith(bare)


def _has(row: PipelineRowItem, standing: Standing | None) -> bool:
    match standing:
        case Standing.OPEN:
            return not row.is_over
        case Standing.WAITING:
            return row.status is Status.AWAITING_HUMAN
        case Standing.COMPLETED | Standing.ABANDONED:
            return row.status == standing.value
        case _:
            return True
