"""What is said while a run is worked on."""

from forge.context import Context
from forge.contract.effects import KEPT_UP, Cost
from forge.contract.terms import Actor
from forge.work.plans.budgets import allowances
from functions.runs.models.logs import AppendedLog, AppendLog, LogChunk, ReadLog, RunLog
from functions.runs.repository import logs as repository
from functions.runs.rules import logs as rules
from functions.runs.tools import namespace


@namespace.writes(
    actor=Actor.AGENT,
    idempotent=True,
    name="appendLog",
    costs=Cost(reads=2, writes=1, items=3).up_to(reads=4, items=7, because=KEPT_UP),
    asks=["stream the output of my work", "append to the log of a run", "live output"],
)
def append_log(request: AppendLog, ctx: Context) -> AppendedLog:
    """Append a chunk to the log of your run, in order: seq 0 first. It is a sign of life.

    The same seq with the same text again changes nothing; a gap is a conflict that says what is `expected`.
    Beyond 8 MB only the newest MB is kept, all of it for 30 days. What holds a key is refused: mask it.
    Example: {"runId": "run_01J…", "seq": 0, "chunk": "Reading src/login.py\\n"}
    """
    rules.require_no_key(request.chunk)
    run, desk, log = repository.open_log(ctx, request.run_id, own=True)
    plan = None
    if not rules.is_there(log.standing, request.seq, request.chunk):
        plan = repository.plan_of(ctx, desk, run)
        log = repository.append(ctx, desk, run, log, request.chunk)
    stop = allowances.stop_of(desk.workspace, run, ctx.now(), plan=plan) if run.is_live else None
    return AppendedLog.of(log, cut=log.first_seq > 0 or None, stop=stop)


@namespace.reads(
    name="log",
    costs=Cost(reads=2).up_to(reads=42, because="it waits, and looks twice in a second"),
    asks=[
        "follow what an agent is doing",
        "live output of a run",
        "tail the log of a run",
        "what it printed",
    ],
)
def log(request: ReadLog, ctx: Context) -> RunLog:
    """Read the log of a run, from where the last answer ended (`next`), and wait for more if you like.

    A chunk that is too long for one answer goes on in the next. `ended`: there is no more.
    Example: {"runId": "run_01J…", "after": "0", "wait": 20}
    """
    run, _, kept = repository.open_log(ctx, request.run_id, own=False)
    asked = rules.place_of(request.after)
    kept = repository.wait_for_more(ctx, kept, asked, seconds=request.wait, is_over=not run.is_live)
    place = rules.shown_from(kept.standing, asked)
    found, end = rules.shown(repository.texts(ctx.services.store.blobs, kept, place), place)
    return RunLog(
        chunks=[LogChunk(seq=seq, text=text) for seq, text in found],
        next=str(end),
        ended=not run.is_live and end.seq >= kept.next_seq,
        cut=place != asked or None,
    )
