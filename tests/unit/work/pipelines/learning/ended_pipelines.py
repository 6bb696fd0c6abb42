"""Pipelines that ended, and learning from them as the tools do: again, when somebody else was faster."""

from collections.abc import Callable
from datetime import timedelta
from typing import NamedTuple, TypeVar

from forge.context import Caller, KeyKind
from forge.store.store import Store
from forge.store.transactions import Origin, Transaction, VersionMoved
from forge.testing.clock import NOON, FakeIds
from forge.work.pipelines.desk import knowledge
from forge.work.pipelines.desk.knowledge import Leavings
from forge.work.pipelines.learning.packs import Ended
from forge.work.pipelines.learning.patterns import FindingSeverity, LearnedFinding

WORKSPACE = "ws_1"
_ATTEMPTS = 20
LearnedT = TypeVar("LearnedT")


class Pipeline(NamedTuple):
    ended: Ended
    leavings: Leavings


def a_pipeline(
    name: str = "fix-login",
    *,
    request: str = "Fix the login timeout",
    outcome: str = "completed",
    improvement: str | None = None,
    summary: str | None = None,
) -> Pipeline:
    ended = Ended(f".specs/20261117-{name}", name, "M", "standard", outcome, 120_000, 3_600_000, NOON)
    return Pipeline(ended, Leavings(request, improvement, summary))


def begin(store: Store, workspace_id: str = WORKSPACE, *, days: int = 0) -> Transaction:
    caller = Caller("key_1", workspace_id, KeyKind.AGENT, frozenset(), "session")
    origin = Origin(caller, "pipeline_next_action", "req_1", NOON + timedelta(days=days), FakeIds())
    return Transaction(store.table.name, origin)


def end(store: Store, pipeline: Pipeline, workspace_id: str = WORKSPACE) -> bool:
    def learn(tx: Transaction) -> bool:
        read = store.table.read(knowledge.what_an_end_needs(workspace_id, pipeline.ended.pipeline_id))
        return knowledge.learn_end(read, tx, pipeline.ended, pipeline.leavings)

    return _repeated(store, workspace_id, learn)


def review(store: Store, *texts: str, agent: str = "design-reviewer", workspace_id: str = WORKSPACE) -> None:
    findings = [LearnedFinding(severity=FindingSeverity.CRITICAL, description=text) for text in texts]

    def learn(tx: Transaction) -> None:
        read = store.table.read(knowledge.what_a_review_needs(workspace_id))
        knowledge.learn_review(read, tx, agent=agent, findings=findings)

    _repeated(store, workspace_id, learn)


def _repeated(store: Store, workspace_id: str, learn: Callable[[Transaction], LearnedT]) -> LearnedT:
    """As the switchboard does, which runs the whole handler again."""
    for _ in range(_ATTEMPTS):
        tx = begin(store, workspace_id)
        learned = learn(tx)
        try:
            store.commit(tx)
        except VersionMoved:
            continue
        return learned
    raise AssertionError("others were always faster")
