from datetime import UTC, datetime

from forge.store.store import Store
from forge.testing.instruments import Counter, watched
from forge.work.pipelines.learning.packs import PACK_SIZE, Ended
from functions.pipeline.estimates import estimate, recent, usd_of
from tests.unit.work.pipelines.learning.ended_pipelines import WORKSPACE, a_pipeline, end


def took(tokens: int, *, effort: str = "M", outcome: str = "completed") -> Ended:
    return Ended("p", "login", effort, "standard", outcome, tokens, 60_000, datetime(2026, 4, 1, tzinfo=UTC))


def test_what_others_took_is_told_by_its_middle_and_its_upper_end() -> None:
    past = [took(tokens) for tokens in (40, 10, 30, 20)]

    found = estimate(past, "M")

    assert found is not None
    assert (found.sample_size, found.tokens, found.duration_min) == (4, (20, 40), (1.0, 1.0))
    assert found.cost_usd == (usd_of(20), usd_of(40))
    assert found.confidence == "medium"


def test_other_efforts_and_what_was_given_up_tell_nothing() -> None:
    past = [took(10, effort="S"), took(10, outcome="abandoned")]

    assert estimate(past, "M") is None


def test_the_more_there_were_the_surer_it_is() -> None:
    counts = (1, 2, 3, 9, 10)

    sure = [found.confidence for count in counts if (found := estimate([took(1)] * count, "M"))]

    assert sure == ["low", "low", "medium", "medium", "high"]


def test_only_the_last_one_or_two_hundred_are_looked_at_in_two_requests(store: Store) -> None:
    for number in range(2 * PACK_SIZE + 1):
        end(store, a_pipeline(f"number-{number}"))
    counter = Counter()

    found = recent(watched(store, counter).table, WORKSPACE)

    assert (len(found), found[0].spec_name) == (PACK_SIZE + 1, f"number-{PACK_SIZE}")
    assert counter.reads == 2
