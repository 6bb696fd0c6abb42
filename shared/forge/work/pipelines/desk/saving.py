"""Writes a step of a pipeline: its state and all that hangs on it in one transaction."""

from forge.context import Context
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.store.transactions import Transaction, overtaken
from forge.work.pipelines import phases
from forge.work.pipelines.announcements import GRAVITY, PIPELINE_MOVED, PipelineMoved, PipelineStep
from forge.work.pipelines.artifacts import IMPROVEMENT_MD
from forge.work.pipelines.desk import knowledge, questions
from forge.work.pipelines.desk.knowledge import Leavings
from forge.work.pipelines.engine import answering
from forge.work.pipelines.engine.progress import Event, Progress
from forge.work.pipelines.learning.packs import Ended
from forge.work.pipelines.learning.patterns import FindingSeverity
from forge.work.pipelines.learning.patterns import LearnedFinding as LearnedFinding
from forge.work.pipelines.phases import template_of
from forge.work.pipelines.pipelines import (
    PhaseLogItem,
    PipelineArtifactItem,
    PipelineItem,
    PipelineRowItem,
    PromptItem,
    Status,
)
from forge.work.pipelines.verdicts import GRAVE
from forge.work.record.log.events import record


def save(
    ctx: Context,
    progress: Progress,
    *,
    readings: Readings,
    prompt: PromptItem | None = None,
) -> PipelineItem:
    """Store a step; whoever changed nothing writes nothing. `readings` hold what it `needs`."""
    if not progress.is_changed and not progress.stored:
        return progress.state
    tx = ctx.plan()
    ask(tx, progress, readings)
    return write(ctx, tx, progress, readings=readings, prompt=prompt)


def needs(progress: Progress) -> list[Key]:
    """The keys that `save` needs read: of the open question and, after a review, of what is learned."""
    before = progress.before
    wanted = questions.keys_of(before)
    if progress.learned:
        wanted += knowledge.what_a_review_needs(before.workspace_id)
    if _ends(progress):
        wanted += knowledge.what_an_end_needs(before.workspace_id, before.name)
    return wanted


def write(
    ctx: Context,
    tx: Transaction,
    progress: Progress,
    *,
    readings: Readings,
    prompt: PromptItem | None = None,
) -> PipelineItem:
    """Store a step in a transaction that others write to as well, without touching the open question."""
    before = progress.before
    progress.set(updated_at=ctx.now())
    state = progress.state
    tx.replace(state)
    tx.overwrite(_row(state, readings.find(PipelineRowItem, row_of(state.workspace_id, state.name))))
    _hang_on(ctx, tx, progress, first_entry=before.log_entries + 1)
    if prompt is not None:
        tx.overwrite(prompt)
    if progress.events:
        announce(tx, before, state, progress.events)
    for one in progress.learned:
        findings = [
            LearnedFinding(
                severity=FindingSeverity.CRITICAL if s in GRAVE else FindingSeverity.MINOR, description=d
            )
            for s, d in one.findings
        ]
        knowledge.learn_review(readings, tx, agent=one.agent, findings=findings, repository=state.repository)
    if _ends(progress):
        _learn_end(tx, progress, readings)
    return state


def add(ctx: Context, tx: Transaction, progress: Progress) -> None:
    """A pipeline that begins, with its request."""
    tx.create(progress.state, refusal=overtaken)
    tx.overwrite(_row(progress.state, None))
    _hang_on(ctx, tx, progress, first_entry=1)
    announce(tx, None, progress.state, progress.events)


def row_of(workspace_id: str, name: str) -> Key:
    """Of what a list shows, which is read with a pipeline: what another build wrote there stays."""
    return PipelineRowItem.at(workspace_id, name)


def _row(state: PipelineItem, known: PipelineRowItem | None) -> PipelineRowItem:
    fresh = PipelineRowItem.of(state)
    if known is None:
        return fresh
    return known.changed(
        **{name: getattr(fresh, name) for name in PipelineRowItem.model_fields if name != "version"}
    )


def ask(tx: Transaction, progress: Progress, readings: Readings) -> None:
    """The open question follows what is due: one that is settled is closed, a new one is put."""
    before, due, was_due = progress.before, progress.state.action, progress.before.action
    if due == was_due or (due and was_due and due.id == was_due.id):
        return
    if before.question_id is not None:
        said = next((one for one in progress.events if one.event in ("checkpoint", "abandon")), None)
        questions.close(tx, readings, before, said=said.outcome if said else "abandoned")
        progress.set(question_id=None)
    if due is not None and due.waits_for_a_person:
        yes, no = answering.yes_to(due), answering.no_to(due)
        progress.set(question_id=questions.put(tx, progress.state, due, yes=yes, no=no))


def announce(tx: Transaction, before: PipelineItem | None, state: PipelineItem, events: list[Event]) -> None:
    news = min(events, key=lambda one: GRAVITY.index(one.event))
    told = PipelineMoved(
        event=news.event,
        phase=news.phase,
        outcome=news.outcome,
        spec_name=state.spec_name,
        workspace=state.path,
        current_phase=state.current_phase,
        status=state.status,
        steps=[PipelineStep(**one._asdict()) for one in events],
    )
    record(
        tx,
        PIPELINE_MOVED,
        told,
        subject_id=state.name,
        action=news.event,
        before=_digest(before) if before else None,
        after=_digest(state),
    )


def _digest(state: PipelineItem) -> PipelineItem:
    """Without what is long, and has rows of its own or is in the events."""
    return state.changed(tasks={}, artifacts={}, versions={}, action=None, feedback=None)


def _hang_on(ctx: Context, tx: Transaction, progress: Progress, *, first_entry: int) -> None:
    state, now = progress.state, ctx.now()
    for number, entry in enumerate(progress.entries, first_entry):
        tx.create(
            PhaseLogItem(
                workspace_id=state.workspace_id,
                pipeline=state.name,
                number=number,
                timestamp=now,
                **entry._asdict(),
            ),
            refusal=overtaken,
        )
    for file, artifact, text in progress.stored:
        # Before the transaction that refers to it: if that fails, nobody ever finds it.
        ctx.services.store.blobs.put_text(artifact.blob, text)
        tx.create(
            PipelineArtifactItem(
                workspace_id=state.workspace_id,
                pipeline=state.name,
                file=file,
                artifact_version=artifact.version,
                size=artifact.size,
                sha=artifact.sha,
                blob=artifact.blob,
                created_at=now,
            ),
            refusal=overtaken,
        )


def _ends(progress: Progress) -> bool:
    return progress.state.is_over and not progress.before.is_over


def _learn_end(tx: Transaction, progress: Progress, readings: Readings) -> None:
    state = progress.state

    def left(file: str) -> str | None:
        return progress.text(file) if state.has(file) else None

    ended = Ended(
        pipeline_id=state.name,
        spec_name=state.spec_name,
        effort=state.effort,
        flow_template=template_of(state.effort),
        outcome="completed" if state.status is Status.COMPLETED else "abandoned",
        tokens_total=state.total_tokens,
        duration_ms=state.total_duration_ms,
        created_at=state.created_at,
        repository=state.repository,
    )
    leavings = Leavings(left(phases.REQUEST_MD) or "", left(IMPROVEMENT_MD), left(phases.SUMMARY_MD))
    knowledge.learn_end(readings, tx, ended, leavings)
