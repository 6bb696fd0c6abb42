"""What is asked back of a call that can't be taken as it stands, where its client can ask somebody.

A question is a refusal that says, in its details, which argument settles it. Whoever can't be asked is
refused just so, or, where nothing but a yes is missing, not held up: see decision 0054.
"""

from collections.abc import Callable, Iterable
from typing import Annotated, NamedTuple

from pydantic import Field

from forge.context import Context
from forge.errors import ASKS, InvalidInput

CONFIRM = "confirm"
Confirm = Annotated[bool, Field(description="It is meant so: do it without asking back.")]
"""The argument of every tool that `confirms`."""


class Meaning(NamedTuple):
    value: str
    title: str


def which(argument: str, given: str, choices: Iterable[Meaning]) -> dict[str, object]:
    """Details of a refusal: one of these is meant by a word that was given for an argument."""
    return {ASKS: {"argument": argument, "given": given, "choices": [one._asdict() for one in choices]}}


def require_confirmed(ctx: Context, is_confirmed: bool, question: Callable[[], str]) -> None:
    """Before anything is written. The question is worked out where somebody can be asked; empty, none is."""
    if is_confirmed or not ctx.call.can_ask:
        return
    if asked := question():
        raise InvalidInput(
            f"Nothing was done yet. {asked}",
            hint="Ask whoever you work for, unless they told you so already.",
            issues={CONFIRM: "Send true if that is meant."},
            details={ASKS: {"argument": CONFIRM, "question": asked}},
        )
