"""How votes are counted, and which option wins."""

from datetime import timedelta

from forge.testing.builders import WORKSPACE_ID
from forge.testing.clock import NOON
from forge.work.plans.requests.requests import VoteItem
from functions.action_requests.polls import tallies, winner

KEYS = ["a", "b", "c"]


def votes(*picks: str) -> list[VoteItem]:
    """One person after the other, a minute apart."""
    return [
        VoteItem(
            workspace_id=WORKSPACE_ID,
            request_id="ar_1",
            user_id=f"usr_{place}",
            option_key=pick,
            created_at=NOON + timedelta(minutes=place),
            updated_at=NOON + timedelta(hours=9),
        )
        for place, pick in enumerate(picks)
    ]


def test_votes_are_counted_in_the_order_of_the_options_with_the_first_of_each() -> None:
    standing = tallies(KEYS, votes("c", "a", "c"))

    assert [(one.option_key, one.count) for one in standing] == [("a", 1), ("b", 0), ("c", 2)]
    assert [one.first_vote_at for one in standing] == [NOON + timedelta(minutes=1), None, NOON]


def test_the_most_votes_win() -> None:
    assert winner(tallies(KEYS, votes("a", "b", "b"))) == "b"


def test_of_as_many_votes_the_earliest_first_one_wins() -> None:
    assert winner(tallies(KEYS, votes("c", "a", "a", "c"))) == "c"


def test_without_a_vote_the_first_option_wins() -> None:
    assert winner(tallies(KEYS, [])) == "a"
