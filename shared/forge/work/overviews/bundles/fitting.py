"""Keeping a bundle short enough to be read: what matters least is left out first, and the bundle says so."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from forge.context import Context
from forge.jsontext import quote
from forge.work.content.comments.views import pinned_in
from forge.work.issues.pages import sizes
from forge.work.issues.pages.sizes import RowT, Shorten, fewer, length_of, without_old
from forge.work.overviews.bundles.views import ContextBundle
from forge.work.record import texts
from forge.work.record.texts import KeptText

MAX_EXPECTATION = 6_000
MAX_CHECKLIST = 12_000

# What a bundle grows by when it says of each of its sections that it was cut.
_ROOM_TO_SAY_SO = 300
# A character of a text is at most so long in JSON.
_LONGEST_ESCAPE = len(r"\u0000")


def beginning_of(text: str, most: int) -> str:
    """At most so many characters; fewer of a text whose JSON would be much longer for its escapes."""
    return _within(text[:most], most + most // 4)


class Cut(NamedTuple):
    """A text as it is shown, and whether that is not all of it."""

    text: str | None
    is_cut: bool | None


def cut(ctx: Context, kept: KeptText | None, *, most: int) -> Cut:
    if kept is None:
        return Cut(None, None)
    text = texts.read(ctx.services.store.blobs, kept)
    shown = beginning_of(text, most)
    return Cut(shown, len(shown) < len(text) or None)


def those_within(rows: Sequence[RowT], most: int) -> list[RowT]:
    """The first ones, as far as their JSON is not longer than that."""
    return [*fewer(rows, sum(map(length_of, rows)) - most)]


def fitted(bundle: ContextBundle) -> ContextBundle:
    """The bundle, short enough to be sent."""
    return sizes.fitted(bundle, _LEAST_IMPORTANT_FIRST, room_to_say_so=_ROOM_TO_SAY_SO)


def _with_fewer_comments(bundle: ContextBundle, excess: int, *, least: int) -> ContextBundle:
    pinned = pinned_in(one.kind for one in bundle.comments)
    shown = without_old(bundle.comments, excess, pinned=pinned, least=least)
    is_cut = bundle.comments_truncated or len(shown) < len(bundle.comments) or None
    return bundle.model_copy(update={"comments": shown, "comments_truncated": is_cut})


def _without(rows: str, bundle: ContextBundle, excess: int) -> ContextBundle:
    """The last of them go first; of files the oldest."""
    every, was_cut = getattr(bundle, rows), getattr(bundle, f"{rows}_truncated")
    shown = fewer(every[::-1], excess)[::-1] if rows == "attachments" else fewer(every, excess)
    is_cut = was_cut or len(shown) < len(every) or None
    return bundle.model_copy(update={rows: shown, f"{rows}_truncated": is_cut})


def _with_less_expected(bundle: ContextBundle, excess: int) -> ContextBundle:
    contract = bundle.completion_contract
    if not contract.expected_output:
        return bundle
    shown = _shorter(contract.expected_output, excess)
    cut = contract.model_copy(update={"expected_output": shown, "expected_output_truncated": True})
    return bundle.model_copy(update={"completion_contract": cut})


def _with_less_step(bundle: ContextBundle, excess: int) -> ContextBundle:
    """The contract holds what is expected of the step, too."""
    step = bundle.step
    if step is None:
        return bundle
    less = step.model_copy(update={"expected_output": None, "verification": []})
    if step.body and length_of(step) - length_of(less) < excess:
        body = _shorter(step.body, excess - length_of(step) + length_of(less))
        less = less.model_copy(update={"body": body, "body_truncated": True})
    return bundle.model_copy(update={"step": less})


def _with_less_description(bundle: ContextBundle, excess: int) -> ContextBundle:
    if not bundle.description:
        return bundle
    shown = _shorter(bundle.description, excess)
    return bundle.model_copy(update={"description": shown, "description_truncated": True})


def _with_fewer_checks(bundle: ContextBundle, excess: int) -> ContextBundle:
    contract = bundle.completion_contract
    shown = fewer(contract.verification_checklist, excess)
    was_cut = contract.verification_checklist_truncated
    is_cut = was_cut or len(shown) < len(contract.verification_checklist) or None
    cut = {"verification_checklist": shown, "verification_checklist_truncated": is_cut}
    return bundle.model_copy(update={"completion_contract": contract.model_copy(update=cut)})


_LEAST_IMPORTANT_FIRST: tuple[Shorten[ContextBundle], ...] = (
    # The newest one stays as long as anything else can go.
    partial(_with_fewer_comments, least=1),
    *(partial(_without, rows) for rows in ("relations", "artifacts", "attachments", "external_resources")),
    _with_less_step,
    _with_less_expected,
    _with_less_description,
    _with_fewer_checks,
    partial(_with_fewer_comments, least=0),
)


def _shorter(text: str, excess: int) -> str:
    return _within(text, len(quote(text)) - excess)


def _within(text: str, most: int) -> str:
    """As much of the text as makes JSON of at most that length."""
    while text and (excess := len(quote(text)) - most) > 0:
        text = text[: -(excess // _LONGEST_ESCAPE + 1)]
    return text
