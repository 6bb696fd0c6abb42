"""The standup's tools."""

from datetime import timedelta

from forge.auth.actors import identity_of
from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.terms import Scope
from forge.contract.tools import Namespace
from forge.work.issues.pages.sizes import MAX_ANSWER, length_of
from forge.work.workspace import workspaces
from functions.standup import repository, rules
from functions.standup.models import DraftStandup, Standup, StandupCounts, StandupGroups, StandupIssue
from functions.standup.rules import MOST_SHOWN, Group, Groups, grouped

namespace = Namespace(
    "standup", "Say what was done since yesterday.", reads=[Scope.READ_ISSUES, Scope.READ_ANALYTICS]
)

_FEW_SHOWN = 5


@namespace.reads(
    costs=Cost(reads=4).up_to(reads=5, because="a narrowed key looks at the issues"),
    asks=[
        "what did I do yesterday",
        "daily report for the team",
        "my status update for Slack",
        "sum up my last hours",
    ],
)
def draft(request: DraftStandup, ctx: Context) -> Standup:
    """Draft your standup: what you closed and opened, what you are at, and what waits for you.

    `markdown` can be posted in Slack or Discord as it is: titles in it mention nobody and link nowhere. An
    agent's key gets the agent's own work. Blocked is what you have and nobody touched for three days. counts
    are of all, groups show up to 20 of each; `truncated` says that more happened than was looked at.
    Example: {"sinceHours": 72}
    """
    identity_of(ctx.caller)
    now = ctx.now()
    since = now - timedelta(hours=request.since_hours)
    prefix = workspaces.get(ctx.table, ctx.caller.workspace_id).key_prefix
    material = repository.read(ctx, since)

    def drafted(most: int) -> Standup:
        groups = grouped(
            material.recent,
            material.live,
            material.moves,
            ctx.caller,
            since=since,
            now=now,
            most=most,
        )
        return _shown(groups, request, prefix, is_cut=material.is_cut)

    whole = drafted(MOST_SHOWN)
    return whole if length_of(whole) <= MAX_ANSWER else drafted(_FEW_SHOWN)


def _shown(groups: Groups, request: DraftStandup, prefix: str, *, is_cut: bool) -> Standup:
    by_name = {"closed": groups.closed, "opened": groups.opened, "blocked": groups.blocked}
    by_name |= {"in_progress": groups.in_progress}
    return Standup(
        markdown=rules.markdown(groups, prefix=prefix, hours=request.since_hours),
        since_hours=request.since_hours,
        workspace_key=prefix,
        counts=StandupCounts(moved=groups.moved, **{name: one.total for name, one in by_name.items()}),
        groups=StandupGroups(**{name: _rows(one, prefix) for name, one in by_name.items()}),
        truncated=is_cut or None,
    )


def _rows(group: Group, prefix: str) -> list[StandupIssue]:
    return [StandupIssue.of(issue, key=f"{prefix}-{issue.number}") for issue in group.shown]
