"""What a declaration takes from its handler: the models, the words, and whether they can be a tool's."""

import inspect
from collections.abc import Callable, Sequence
from types import NoneType
from typing import Any, TypeGuard, get_args, get_type_hints

from forge.context import Context
from forge.contract.models import Model, Rendered

MAX_DESCRIPTION = 1000
MAX_ASKS, MAX_ASK = 8, 60


def signature(handler: Callable[..., Any], secrets: Sequence[str]) -> dict[str, Any]:
    """The `input` and `output` models of a handler, or TypeError for what can't be a tool."""
    hints = get_type_hints(handler)
    taken = [hints.get(parameter) for parameter in inspect.signature(handler).parameters]
    request = taken[0] if taken else None
    if not _is_model(request) or taken[1:] != [Context]:
        raise TypeError(f"{handler.__qualname__} must take (request: a Model, ctx: Context)")
    output = hints.get("return", inspect.Signature.empty)
    if not all(_is_model(one) or one in (NoneType, Rendered) for one in get_args(output) or (output,)):
        raise TypeError(f"{handler.__qualname__} must return a Model, perhaps or None")
    shown = {name for one in get_args(output) or (output,) if _is_model(one) for name in one.model_fields}
    if unknown := sorted(set(secrets) - shown):
        # It would be stored.
        raise TypeError(f"{handler.__qualname__}: no output field {', '.join(unknown)}, so no secret either")
    if "next_cursor" in shown and not _can_be_asked_on(request):
        raise TypeError(f"{handler.__qualname__} answers a page, so it takes `limit` and `cursor`")
    return {"input": request, "output": output}


def _is_model(candidate: Any) -> TypeGuard[type[Model]]:
    return isinstance(candidate, type) and issubclass(candidate, Model)


def _can_be_asked_on(request: type[Model]) -> bool:
    """From a cursor on, or back in time."""
    return "limit" in request.model_fields and not {"cursor", "before"}.isdisjoint(request.model_fields)


def bounded(asks: Sequence[str], handler: Callable[..., Any]) -> tuple[str, ...]:
    """A tool that answers to everything would be found for anything."""
    if isinstance(asks, str) or len(asks) > MAX_ASKS or not all(0 < len(ask) <= MAX_ASK for ask in asks):
        raise TypeError(
            f"{handler.__qualname__}: asks are at most {MAX_ASKS} phrases of {MAX_ASK} characters"
        )
    return tuple(asks)


def description(handler: Callable[..., Any], deprecated: str) -> str:
    paragraphs = (inspect.getdoc(handler) or "").split("\n\n")
    # Source lines are wrapped for their reader; the published text is not.
    text = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    if not text:
        raise TypeError(f"{handler.__qualname__} needs a docstring: it is what an agent reads")
    if deprecated:
        text = f"Deprecated: {deprecated}. {text}"
    if len(text) > MAX_DESCRIPTION:
        raise TypeError(f"{handler.__qualname__}: docstring over {MAX_DESCRIPTION} characters")
    return text
