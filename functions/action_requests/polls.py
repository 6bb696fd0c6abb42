"""Polls: how the votes stand, and which option wins."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from forge.errors import InvalidInput
from forge.work.plans.requests.requests import RequestItem, VoteItem, voting_is_over


@dataclass(frozen=True, slots=True)
class VoteTally:
    """An option, how many picked it, and when the first of them voted."""

    option_key: str
    count: int
    first_vote_at: datetime | None


def tallies(option_keys: Sequence[str], votes: Iterable[VoteItem]) -> list[VoteTally]:
    """In the order in which the options were given."""
    cast: dict[str, list[datetime]] = {key: [] for key in option_keys}
    for vote in votes:
        if vote.option_key in cast:
            cast[vote.option_key].append(vote.created_at)
    return [VoteTally(key, len(times), min(times, default=None)) for key, times in cast.items()]


def winner(standing: Sequence[VoteTally]) -> str:
    """The most votes; of as many, the earliest first vote; without any, the option that was given first."""

    def rank(place: int) -> tuple[int, float, int]:
        one = standing[place]
        first = one.first_vote_at.timestamp() if one.first_vote_at else 0.0
        return -one.count, first, place

    return standing[min(range(len(standing)), key=rank)].option_key


def require_poll(request: RequestItem) -> None:
    if not request.is_poll:
        raise InvalidInput(
            "This request has no options to vote on.",
            issues={"id": "Name a poll, or decide it with actionRequests.accept or actionRequests.decline."},
        )


def require_voting(request: RequestItem) -> None:
    if not request.is_voting_open:
        raise voting_is_over()


def require_option(request: RequestItem, option_key: str) -> None:
    if option_key not in request.option_keys:
        known = ", ".join(request.option_keys)
        raise InvalidInput("Unknown option.", issues={"optionKey": f"There are: {known}."})


def voted(
    request: RequestItem, before: VoteItem | None, *, user_id: str, option_key: str, now: datetime
) -> VoteItem:
    """The vote as it becomes."""
    if before is not None:
        return before.changed(option_key=option_key, updated_at=now)
    return VoteItem(
        workspace_id=request.workspace_id,
        request_id=request.id,
        user_id=user_id,
        option_key=option_key,
        created_at=now,
        updated_at=now,
    )
