"""The log of a run: its chunks in the bucket, and beside the run how far it goes."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from time import monotonic, sleep

from forge import deadline
from forge.context import Context
from forge.errors import NotFound
from forge.store.blobs import Blobs
from forge.store.items import Item, Part
from forge.store.keys import At
from forge.store.physical import RUN_LOG_DAYS, RUN_LOGS
from forge.store.places import KeptFor
from forge.store.readings import Readings
from forge.store.transactions import Transaction, overtaken
from forge.work.issues import heads
from forge.work.issues.claims import holds
from forge.work.issues.desks import Desk, open_issue
from forge.work.issues.runs import runs, silence
from forge.work.issues.runs.runs import OF_RUN, RunItem, RunStatus
from forge.work.plans.opening import find_step
from forge.work.plans.plans import PlanItem
from functions.runs.rules import logs as rules
from functions.runs.rules.logs import Mark, Place, Standing

_ENOUGH = 12
_PAUSE = 0.5
_LAST_SECONDS = 2.0


class Writer(Part):
    """Who has written the chunks of a log from this number on."""

    seq: int
    by: str


class RunLogItem(Item):
    stored = At(OF_RUN, "LOG")
    kept = KeptFor(timedelta(days=RUN_LOG_DAYS), since="last_at")

    workspace_id: str
    run_id: str
    next_seq: int = 0
    first_seq: int = 0
    bytes: int = 0
    marks: list[Mark] = []
    hashes: list[str] = []
    writers: list[Writer] = []
    """Each has names of its own in the bucket: the text of one who comes second is nobody else's."""
    last_at: datetime | None = None

    @property
    def standing(self) -> Standing:
        return Standing(self.next_seq, self.first_seq, self.bytes, tuple(self.marks), tuple(self.hashes))

    def becoming(self, standing: Standing, now: datetime) -> "RunLogItem":
        after = {**standing._asdict(), "marks": [*standing.marks], "hashes": [*standing.hashes]}
        return self.changed(**after, last_at=now)

    def written_by(self, by: str) -> "RunLogItem":
        """From its next chunk on."""
        if self.writers and self.writers[-1].by == by:
            return self
        kept = [one for one, then in pairwise([*self.writers, None]) if not then or then.seq > self.first_seq]
        return self.changed(writers=[*kept, Writer(seq=self.next_seq, by=by)])

    def name_of(self, seq: int) -> str:
        """In the bucket."""
        by = next((f"-{one.by}" for one in reversed(self.writers) if one.seq <= seq), "")
        return f"{RUN_LOGS}{self.workspace_id}/{self.run_id}/log/{seq:08}{by}"


def open_log(ctx: Context, run_id: str, *, own: bool) -> tuple[RunItem, Desk, RunLogItem]:
    """A run with its issue, which the caller may see, and its log, which may be empty; two requests."""
    workspace_id = ctx.caller.workspace_id
    place, log = RunItem.at(workspace_id, run_id), RunLogItem.at(workspace_id, run_id)
    known = Readings(ctx.table)
    known.fetch([place, log])
    run = known.find(RunItem, place)
    if run is None:
        raise runs.no_such_run(run_id)
    if own:
        runs.require_own(run, ctx.caller)
    desk = open_issue(ctx, run.issue_id, readings=known)
    if own:
        holds.require_own_run(desk, run)
    found = known.find(RunLogItem, log)
    return run, desk, found or RunLogItem(workspace_id=workspace_id, run_id=run_id)


def append(ctx: Context, desk: Desk, run: RunItem, log: RunLogItem, chunk: str) -> RunLogItem:
    """The chunk is in the bucket before anything says so; who appends is at work, once in a minute."""
    mine = log.written_by(rules.hash_of(f"{ctx.caller.key_id} {ctx.caller.session_id}")[:_ENOUGH])
    ctx.services.store.blobs.put_text(mine.name_of(log.next_seq), chunk)
    tx = ctx.plan()
    after = mine.becoming(rules.appended(log.standing, chunk), tx.origin.now)
    if log.next_seq:
        tx.replace(after)
    else:
        tx.create(after, refusal=overtaken)
    _be_heard_of(tx, desk, run)
    return after


def plan_of(ctx: Context, desk: Desk, run: RunItem) -> PlanItem | None:
    """The plan that a run works for, looked at once in a minute: whether it goes on; two requests."""
    if run.execution_step_id is None or silence.is_fresh(run, desk.workspace, ctx.now()):
        return None
    found = find_step(ctx, run.execution_step_id)
    return ctx.table.find(PlanItem, PlanItem.at(run.workspace_id, found[0])) if found else None


def _be_heard_of(tx: Transaction, desk: Desk, run: RunItem) -> None:
    now = tx.origin.now
    if run.status is RunStatus.ACTIVE and not silence.is_fresh(run, desk.workspace, now):
        heard = {"last_event_at": now, "called_at": None}
        tx.adjust(run.key, add={"version": 1}, assign=heard, equal={"finished_at": None})
    if run.is_live:
        heads.keep_claim(tx, desk.issue)


def wait_for_more(ctx: Context, log: RunLogItem, place: Place, *, seconds: int, is_over: bool) -> RunLogItem:
    """The log once it goes on, or as it is when the time is up; nothing comes to a run that is over."""
    until = min(monotonic() + seconds, deadline.current() - _LAST_SECONDS)
    while log.next_seq <= place.seq and not is_over and monotonic() + _PAUSE < until:
        sleep(_PAUSE)
        known = ctx.table.read([log.key, RunItem.at(log.workspace_id, log.run_id)])
        log = known.find(RunLogItem, log.key) or log
        run = known.find(RunItem, RunItem.at(log.workspace_id, log.run_id))
        is_over = run is None or not run.is_live
    return log


def texts(blobs: Blobs, log: RunLogItem, place: Place) -> Iterator[tuple[int, str]]:
    """Read one after the other, for as long as somebody wants more."""
    for seq in range(place.seq, min(log.next_seq, place.seq + rules.MOST_CHUNKS)):
        yield seq, _text(partial(blobs.get_text, log.name_of(seq)))


def _text(read: "partial[str]") -> str:
    try:
        return read()
    except NotFound:
        # The bucket has let go of it.
        return ""
