"""What pipelines leave, and what those who come after them are told of it."""

import pytest

from forge.store.store import Store
from forge.testing.instruments import Counter, watched
from forge.work.pipelines.desk import knowledge
from forge.work.pipelines.learning import similar
from forge.work.pipelines.learning.friction import FrictionItem
from forge.work.pipelines.learning.packs import OPEN_PACK, PACK_SIZE, PackItem, unpacked
from forge.work.pipelines.learning.patterns import PatternsItem
from forge.work.pipelines.prompts.profiles import Profile
from forge.work.pipelines.prompts.prompts import Knowledge
from tests.unit.work.pipelines.learning.ended_pipelines import WORKSPACE, a_pipeline, begin, end, review
from tests.workshop.interference import COMMIT, Interference, once_before


def told(
    store: Store, agent: str = "architect", name: str = "login-again", *, workspace: str = WORKSPACE
) -> Knowledge:
    return knowledge.recall(store.table, workspace, agent=agent, about=name)


def names(known: Knowledge) -> list[str]:
    return [one.ended.spec_name for one in known.similar]


def fill(store: Store, pipelines: int) -> None:
    for number in range(pipelines):
        end(store, a_pipeline(f"number-{number}", request=f"Change number{number}"))


def test_a_pipeline_that_ended_is_found_by_those_that_are_about_the_same(store: Store) -> None:
    end(store, a_pipeline("fix-login"))
    end(store, a_pipeline("fix-queue", request="Drain the queue"))

    (found,) = told(store).similar

    assert (found.ended.spec_name, found.ended.one_liner) == ("fix-login", "Fix the login timeout")
    assert (found.ended.tokens_total, found.ended.outcome) == (120_000, "completed")
    assert found.similarity > 0


def test_an_abandoned_pipeline_is_learned_from_too(store: Store) -> None:
    end(store, a_pipeline(outcome="abandoned", improvement="- Errors are undocumented"))

    assert [one.ended.outcome for one in told(store).similar] == ["abandoned"]
    assert len(told(store, "implementer").friction) == 1


def test_at_most_three_are_told_the_most_similar_first(store: Store) -> None:
    for number in range(5):
        end(store, a_pipeline(f"spec-{number}", request="login " + "other words here " * number))

    assert names(told(store)) == ["spec-0", "spec-1", "spec-2"]


def test_a_pipeline_is_learned_from_once_however_often_it_ends(store: Store) -> None:
    pipeline = a_pipeline(summary="## Improvement Report\n- Errors are undocumented")

    assert [end(store, pipeline) for _ in range(3)] == [True, False, False]

    pack = store.table.find(PackItem, OPEN_PACK(WORKSPACE))
    friction = store.table.find(FrictionItem, FrictionItem.at(WORKSPACE))
    assert (pack and pack.size, friction and friction.reports) == (1, 1)


def test_a_pipeline_without_a_report_leaves_no_friction(store: Store) -> None:
    end(store, a_pipeline(summary="# Summary\n\nDone, without errors."))

    assert store.table.find(FrictionItem, FrictionItem.at(WORKSPACE)) is None


def test_reviews_are_added_to_one_set_of_patterns(store: Store) -> None:
    review(store, "The error is ignored", "Names are unclear")
    review(store, "The error is ignored", agent="task-reviewer")
    review(store)

    item = store.table.find(PatternsItem, PatternsItem.at(WORKSPACE))
    assert item is not None
    assert [(one.pattern, one.frequency, one.agent) for one in item.patterns] == [
        ("The error is ignored", 2, "design-reviewer"),
        ("Names are unclear", 1, "design-reviewer"),
    ]
    assert item.reviews == 3


@pytest.mark.parametrize(
    ("agent", "requests", "has_similar", "has_friction"),
    [
        ("architect", 1, True, False),
        ("task-decomposer", 1, True, False),
        ("implementer", 1, False, True),
        ("impl-reviewer", 1, False, True),
        ("situation-analyst", 0, False, False),
        ("verifier", 0, False, False),
    ],
)
def test_only_what_an_agent_is_told_is_read(
    store: Store, agent: str, requests: int, has_similar: bool, has_friction: bool
) -> None:
    end(store, a_pipeline(improvement="- Errors are undocumented"))
    review(store, "The error is ignored")
    counter = Counter()

    known = told(watched(store, counter), agent)

    assert (counter.reads, counter.writes) == (requests, 0)
    assert (bool(known.similar), bool(known.friction)) == (has_similar, has_friction)
    assert bool(known.patterns) is (requests == 1)


def test_the_profile_goes_through_as_it_is(store: Store) -> None:
    profile = Profile(test_command="make test")

    for agent in ("architect", "verifier"):
        known = knowledge.recall(store.table, WORKSPACE, agent=agent, about="x", profile=profile)

        assert known.profile is profile


def test_another_workspace_learns_nothing_from_this_one(store: Store) -> None:
    end(store, a_pipeline(improvement="- Errors are undocumented"))
    review(store, "The error is ignored")

    for agent in ("architect", "impl-reviewer"):
        known = told(store, agent, workspace="ws_2")
        assert (*known.similar, *known.patterns, *known.friction) == ()


def test_a_full_pack_is_set_aside_and_nothing_in_it_is_lost(store: Store) -> None:
    fill(store, PACK_SIZE + 1)

    closed = store.table.find(PackItem, PackItem.at(WORKSPACE, 0))
    pack = store.table.find(PackItem, OPEN_PACK(WORKSPACE))
    assert closed is not None
    assert pack is not None
    assert (closed.size, pack.number, pack.size) == (PACK_SIZE, 1, 1)
    assert [one.spec_name for one in unpacked(closed)] == [f"number-{number}" for number in range(PACK_SIZE)]
    assert names(told(store, name=f"number{PACK_SIZE - 1}")) == [f"number-{PACK_SIZE - 1}"]
    assert names(told(store, name=f"number{PACK_SIZE}")) == [f"number-{PACK_SIZE}"]


def test_a_process_reads_only_what_it_has_not_seen(store: Store) -> None:
    fill(store, PACK_SIZE - 1)
    counter = Counter()
    process = watched(store, counter)

    def reads_of(name: str) -> int:
        counter.reset()
        assert names(told(process, name=name)) == [name.replace("number", "number-")]
        return counter.reads

    assert [reads_of("number1"), reads_of("number2")] == [1, 1]
    for number in range(PACK_SIZE - 1, PACK_SIZE + 2):
        end(store, a_pipeline(f"number-{number}", request=f"Change number{number}"))
    # The pack was closed since: its rest is read once.
    assert [reads_of(f"number{PACK_SIZE - 1}"), reads_of(f"number{PACK_SIZE + 1}")] == [2, 1]


def test_a_process_that_comes_late_knows_the_same_as_one_that_was_there(store: Store) -> None:
    early = watched(store, Interference())
    for number in range(PACK_SIZE + 5):
        end(store, a_pipeline(f"spec-{number}", request=f"Change login {number:04}"))
        if number % 7 == 0:
            told(early)

    assert told(early, name="login-0003-0104") == told(watched(store, Interference()), name="login-0003-0104")


def test_a_table_that_was_set_back_is_read_from_the_beginning(store: Store) -> None:
    fill(store, 3)
    told(store)
    pack = store.table.find(PackItem, OPEN_PACK(WORKSPACE))
    assert pack is not None
    tx = begin(store)
    tx.replace(pack.changed(size=0, last_id="", packed=""))
    store.commit(tx)

    # Fewer than were there, as many, and more.
    for fresh in range(5):
        end(store, a_pipeline(f"fresh-{fresh}", request=f"Something fresh{fresh}"))
        assert names(told(store, name="number1")) == []
        assert names(told(store, name=f"fresh{fresh}")) == [f"fresh-{fresh}"]


def test_a_process_keeps_the_past_of_a_few_workspaces(store: Store) -> None:
    workspaces = [f"ws_{number}" for number in range(similar.MOST_WORKSPACES + 2)]

    for workspace in workspaces:
        end(store, a_pipeline(), workspace)
        assert names(told(store, workspace=workspace)) == ["fix-login"]

    assert names(told(store, workspace=workspaces[0])) == ["fix-login"]


def test_who_learns_at_the_same_moment_loses_nothing(store: Store) -> None:
    """The other one commits between the reading and the writing, the first time and a later time."""
    for round in range(2):
        report = f"- Errors of round {round} are undocumented"
        mine, other = f"mine-{round}", f"other-{round}"
        between = once_before(COMMIT, lambda: end(store, a_pipeline(other, improvement=report)))  # noqa: B023
        assert end(watched(store, Interference(between)), a_pipeline(mine, improvement=report))

        between = once_before(COMMIT, lambda: review(store, "The error is ignored"))
        review(watched(store, Interference(between)), "The error is ignored")

    pack = store.table.find(PackItem, OPEN_PACK(WORKSPACE))
    assert pack is not None
    assert [one.spec_name for one in unpacked(pack)] == ["other-0", "mine-0", "other-1", "mine-1"]
    assert [one.frequency for one in told(store, "implementer").friction] == [2, 2]
    assert [one.frequency for one in told(store).patterns] == [4]


def test_the_same_pipeline_ended_twice_at_once_is_learned_from_once(store: Store) -> None:
    pipeline = a_pipeline(improvement="- Errors are undocumented")
    between = once_before(COMMIT, lambda: end(store, pipeline))

    assert end(watched(store, Interference(between)), pipeline) is False

    assert names(told(store)) == ["fix-login"]
    assert [one.frequency for one in told(store, "implementer").friction] == [1]
