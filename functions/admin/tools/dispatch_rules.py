"""Dispatch rules: which agent auto-dispatch gives what, before the workspace's mode is asked."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.models import Deleted, NoArguments
from forge.store.transactions import Transaction
from forge.work.content.references.resolving import places_of, require_there
from forge.work.issues.assignments import require_available
from forge.work.issues.auto_dispatch import dispatch_rules, handovers
from forge.work.issues.auto_dispatch.choices import Candidate
from forge.work.issues.auto_dispatch.dispatch_rules import DispatchRuleItem
from forge.work.issues.desks import open_issue
from forge.work.record.log import events
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.names import keys_of
from functions.admin.models.dispatch_rules import (
    CreateDispatchRule,
    DeleteDispatchRule,
    DispatchRules,
    DispatchRuleView,
    TriedAgent,
    TriedDispatch,
    TryDispatch,
    UpdateDispatchRule,
)
from functions.admin.tools import namespace

_SUBJECT = "dispatch-rule"
_MOST_TRIED = 50


@namespace.writes(name="dispatchRules.create", costs=Cost(reads=2, writes=1, items=6))
def create(request: CreateDispatchRule, ctx: Context) -> DispatchRuleView:
    """Say which agent gets queued issues of a priority, label or project; all that is named must fit.

    Rules count where the workspace auto-dispatches. An agent that is offline or has no room is passed over.
    Example: {"name": "Urgent bugs", "priority": "URGENT", "labelId": "bug", "targetAgentId": "worker"}
    """
    known = dispatch_rules.list_all(ctx.table, ctx.caller.workspace_id)
    dispatch_rules.require_room(len(known))
    last = max((rule.order for rule in known), default=-1)
    rule = DispatchRuleItem(
        workspace_id=ctx.caller.workspace_id,
        id=ctx.new_id("rule"),
        created_at=ctx.now(),
        order=last + 1 if request.order is None else request.order,
        **request.model_dump(exclude={"order"}),
    )
    tx = ctx.plan()
    tx.create(rule)
    _require_targets(tx, ctx, request)
    events.record_change(tx, _SUBJECT, rule.id, action="create", after=rule)
    return DispatchRuleView.of(rule)


@namespace.reads(name="dispatchRules.list", costs=Cost(reads=1))
def list(request: NoArguments, ctx: Context) -> DispatchRules:
    """List the dispatch rules in the order in which they are tried: by `order`, then the oldest first.

    Example: {}
    """
    found = dispatch_rules.list_all(ctx.table, ctx.caller.workspace_id)
    return DispatchRules(data=[DispatchRuleView.of(rule) for rule in found])


@namespace.reads(name="dispatchRules.dryRun", costs=Cost(reads=3))
def dry_run(request: TryDispatch, ctx: Context) -> TriedDispatch:
    """Tell who would get an issue by the rules and agents as they are now; nothing is given to anybody.

    `against` says why auto-dispatch leaves the issue alone as it stands: it is not queued, somebody has it,
    or the workspace gives nothing out by itself. Example: {"issueId": "DEMO-12"}
    """
    desk = open_issue(ctx, request.issue_id)
    desk.fetch(keys_of(desk.issue))
    against, decision = handovers.try_out(desk)
    chosen = decision.chosen
    return TriedDispatch(
        against=against,
        mode=decision.mode,
        chosen=_tried(chosen) if chosen else None,
        reason=decision.reason,
        rule_id=decision.rule_id,
        candidates=[_tried(one) for one in decision.candidates[:_MOST_TRIED]],
    )


@namespace.writes(
    idempotent=True,
    name="dispatchRules.update",
    costs=Cost(reads=2, writes=1, items=6),
)
def update(request: UpdateDispatchRule, ctx: Context) -> DispatchRuleView:
    """Change a dispatch rule; what is left out stays, `clear` takes a condition away.

    Example: {"id": "rule_01J…", "enabled": false, "clear": ["labelId"]}
    """
    rule = _get(ctx, request.id)
    changed = rule.changed(**request.given())
    if changed != rule:
        tx = ctx.plan()
        tx.replace(changed)
        _require_targets(tx, ctx, request)
        events.record_change(tx, _SUBJECT, rule.id, action="update", before=rule, after=changed)
    return DispatchRuleView.of(changed)


@namespace.writes(
    destructive=True,
    name="dispatchRules.delete",
    costs=Cost(reads=1, writes=1, items=3),
)
def delete(request: DeleteDispatchRule, ctx: Context) -> Deleted:
    """Delete a dispatch rule for good; what it gave out stays where it is.

    To have it passed over for a while use dispatchRules.update. Example: {"id": "rule_01J…"}
    """
    rule = _get(ctx, request.id)
    tx = ctx.plan()
    tx.delete(rule)
    events.record_change(tx, _SUBJECT, rule.id, action="delete", before=rule)
    return Deleted(id=rule.id)


def _tried(one: Candidate) -> TriedAgent:
    agent = one.agent
    return TriedAgent.of(agent, agent_id=agent.id, eligible=one.eligible, match_count=one.match_count)


def _get(ctx: Context, rule_id: str) -> DispatchRuleItem:
    key = DispatchRuleItem.at(ctx.caller.workspace_id, rule_id)
    return ctx.table.get(DispatchRuleItem, key, missing=dispatch_rules.no_such_rule(rule_id))


def _require_targets(tx: Transaction, ctx: Context, request: CreateDispatchRule | UpdateDispatchRule) -> None:
    """What the rule names must be there, also when it is stored; one request."""
    places = places_of(request, ctx)
    read = ctx.table.read(places)
    require_there(places, read)
    if request.target_agent_id:
        agent_key = AgentItem.at(ctx.caller.workspace_id, request.target_agent_id)
        require_available(read.get(AgentItem, agent_key))
    for place in places:
        tx.require(place, refusal=None)
