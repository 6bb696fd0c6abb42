"""Pipelines of one workspace that end and are reviewed at the same moment."""

from forge.store.store import Store
from forge.work.pipelines.desk import knowledge
from forge.work.pipelines.learning.packs import OPEN_PACK, PackItem, unpacked
from tests.integration.races.crowds import at_once
from tests.unit.work.pipelines.learning.ended_pipelines import WORKSPACE, a_pipeline, end, review

CROWD = 6


def test_of_pipelines_that_end_at_once_none_is_lost(store: Store) -> None:
    report = "- Errors are undocumented"

    learned = at_once(CROWD, lambda place: end(store, a_pipeline(f"spec-{place}", improvement=report)))

    pack = store.table.find(PackItem, OPEN_PACK(WORKSPACE))
    assert learned == [True] * CROWD
    assert pack is not None
    assert {one.spec_name for one in unpacked(pack)} == {f"spec-{place}" for place in range(CROWD)}
    known = knowledge.recall(store.table, WORKSPACE, agent="implementer", about="x")
    assert [point.frequency for point in known.friction] == [CROWD]


def test_one_pipeline_that_many_end_at_once_is_learned_from_once(store: Store) -> None:
    learned = at_once(CROWD, lambda place: end(store, a_pipeline()))

    pack = store.table.find(PackItem, OPEN_PACK(WORKSPACE))
    assert sorted(learned) == [False] * (CROWD - 1) + [True]
    assert pack is not None
    assert pack.size == 1


def test_of_findings_that_are_learned_at_once_none_is_lost(store: Store) -> None:
    at_once(CROWD, lambda place: review(store, "The error is ignored"))

    known = knowledge.recall(store.table, WORKSPACE, agent="architect", about="x")
    assert [pattern.frequency for pattern in known.patterns] == [CROWD]
