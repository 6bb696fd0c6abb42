"""A key of an agent was revoked: those that it made for runs end, too, also one that it was just making."""

from forge.context import Context
from forge.work.issues.inbox.rows import OF_AGENT
from forge.work.issues.runs import keys
from forge.work.issues.runs.runs import LiveGuardItem, RunItem
from forge.work.record.continuations.continuations import ContinuationItem, Stretch


def stretches(ctx: Context, of: ContinuationItem) -> list[Stretch[LiveGuardItem]]:
    (key_id,) = of.words

    def settle(guard: LiveGuardItem) -> bool:
        place = RunItem.at(guard.workspace_id, guard.run_id)
        run = ctx.table.read([place]).find(RunItem, place)
        made = keys.made_by(ctx.table, [run], key_id) if run and run.key_hash else []
        if made:
            keys.end_all(ctx.plan(), made)
            ctx.commit()
        return bool(made)

    own = OF_AGENT(of.workspace_id, of.subject_id)
    return [Stretch(LiveGuardItem, own, settle, prefix=LiveGuardItem.stored.prefix())]
