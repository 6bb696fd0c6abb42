"""Polls: votes, how they stand, and what won."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.guards import Decider, Guarded, decided_by
from forge.contract.terms import Actor
from forge.work.plans.requests import deciding, requests
from forge.work.plans.requests.announcements import VOTE_CAST, VOTING_CLOSED, VoteCast
from forge.work.plans.requests.announcements import VotingClosed as VotingClosedTold
from forge.work.record.log.events import record
from functions.action_requests import polls, repository
from functions.action_requests.models import (
    ClosedVote,
    CloseVoting,
    GetResults,
    Results,
    Standing,
    Vote,
    Voted,
)
from functions.action_requests.tools import namespace


@namespace.writes(
    actor=Actor.USER,
    idempotent=True,
    costs=Cost(reads=2, writes=1, items=5),
    emits=[VOTE_CAST],
    guards=(decided_by(Decider.VOTER, Guarded.REQUEST),),
    asks=["pick an option of a poll", "cast my vote", "change my vote"],
)
def vote(request: Vote, ctx: Context) -> Voted:
    """Vote for an option of a poll, or change your vote; one per person, until voting is closed.

    Example: {"id": "ar_01J…", "optionKey": "isolate"}
    """
    opened, before = repository.open_ballot(ctx, request.id)
    asked, picked = opened.request, request.option_key
    polls.require_poll(asked)
    polls.require_voting(asked)
    polls.require_option(asked, picked)
    previous = before.option_key if before else None
    is_changed = previous not in (None, picked)
    if previous != picked:
        tx, user_id = ctx.plan(), str(ctx.caller.user_id)
        cast = polls.voted(asked, before, user_id=user_id, option_key=picked, now=ctx.now())
        requests.cast(tx, asked, before, cast)
        told = VoteCast(option_key=picked, previous_option_key=previous, changed=is_changed)
        record(
            tx,
            VOTE_CAST,
            told,
            subject_id=asked.id,
            action="vote",
            before=before,
            after=cast,
            issue_id=asked.issue_id,
        )
    return Voted(id=asked.id, option_key=picked, changed=is_changed)


@namespace.reads(
    costs=Cost(reads=3),
    asks=["how did people vote", "which option leads", "count how many voted"],
)
def results(request: GetResults, ctx: Context) -> Results:
    """Show how the votes on a poll stand, in the order of its options, and your own.

    Example: {"id": "ar_01J…"}
    """
    opened, votes = repository.open_poll(ctx, request.id)
    asked = opened.request
    polls.require_poll(asked)
    standing = polls.tallies(asked.option_keys, votes)
    mine = next((one.option_key for one in votes if one.user_id == ctx.caller.user_id), None)
    shown = [
        Standing.of(tally, label=option.label, description=option.description)
        for tally, option in zip(standing, opened.texts.options, strict=True)
    ]
    return Results(
        options=shown,
        total=sum(tally.count for tally in standing),
        my_vote=mine,
        winning_option_key=None if asked.is_voting_open else polls.winner(standing),
        voting_closed_at=asked.voting_closed_at,
    )


@namespace.writes(
    name="closeVoting",
    costs=Cost(reads=3, writes=1, items=4),
    emits=[VOTING_CLOSED],
    guards=(decided_by(Decider.ASKER, Guarded.REQUEST),),
    asks=["end a poll", "which option won", "stop the vote"],
)
def close_voting(request: CloseVoting, ctx: Context) -> ClosedVote:
    """Close the vote on your own poll and get the option that won; the request itself stays open.

    The most votes win, then the earliest first vote, then the order of the options.
    Example: {"id": "ar_01J…"}
    """
    opened, votes = repository.open_poll(ctx, request.id)
    before, now = opened.request, ctx.now()
    deciding.require_requester(ctx.caller, before)
    polls.require_poll(before)
    polls.require_voting(before)
    won = polls.winner(polls.tallies(before.option_keys, votes))
    after = before.changed(is_voting_open=False, voting_closed_at=now)
    tx = ctx.plan()
    tx.replace(after)
    record(
        tx,
        VOTING_CLOSED,
        VotingClosedTold(winning_option_key=won, voting_closed_at=now),
        subject_id=before.id,
        action="close-voting",
        before=before,
        after=after,
        issue_id=before.issue_id,
    )
    return ClosedVote(id=before.id, winning_option_key=won)
