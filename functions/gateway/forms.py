"""What a tool gives, in the form that was asked for; what is large or binary lies in the bucket."""

import re
from base64 import b64decode
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from forge.contract.catalog_tools import CatalogTool
from forge.contract.terms import Artifact
from forge.jsontext import encode
from forge.work.plans.gateway.failures import ErrorType, refused

MOST_INLINE = 40_000
"""Characters; an answer has no more, whatever asked for it."""
URL_SECONDS = 15 * 60

_THINGS, _IDS = frozenset({"id", "ids", "workspace"}), ("Id", "Ids")
_BESIDE = re.compile(r"(?i)(agent|user|by|status)Ids?$")
_NOT_MADE = frozenset({"agent", "planner", "failed"})
"""Who does something, and what came to nothing."""
_TEXTS = frozenset({Artifact.TEXT, Artifact.CODE_PY, Artifact.CODE_TS, Artifact.PATCH})


class Formed(NamedTuple):
    data: Any
    content: bytes | None = None
    """What has to be handed out as a link instead."""
    content_type: str = "text/plain; charset=utf-8"


class Affected(NamedTuple):
    files: list[str] = []
    symbols: list[str] = []
    """The things that were made or changed: identifiers of issues, ids of all else."""


NOTHING = Affected()


def require_form(tool: CatalogTool, artifact: Artifact) -> None:
    """Only what is a text can be code or a patch: a JSON answer is none, whatever it is called."""
    if artifact in (Artifact.JSON, Artifact.TEXT, Artifact.BINARY) or tool.content:
        return
    raise refused(
        ErrorType.VALIDATION,
        f"{tool.name} gives JSON, not {artifact}.",
        suggestion='Ask for "artifact": "JSON" or "TEXT".',
        code="ARTIFACT_MISMATCH",
    )


def formed(tool: CatalogTool, artifact: Artifact, output: Any) -> Formed:
    """The output of a tool as JSON, as the text that it is about, or as bytes."""
    if artifact is Artifact.JSON:
        text = encode(output)
        if len(text) <= MOST_INLINE:
            return Formed(output)
        return Formed(None, text.encode(), "application/json")
    text, content = _itself(tool, output)
    if artifact in _TEXTS and content is None:
        return Formed(text) if len(text) <= MOST_INLINE else Formed(None, text.encode())
    if content is not None:
        return Formed(None, content, "application/octet-stream")
    return Formed(None, text.encode(), "application/octet-stream")


def affected(tool: CatalogTool, params: Mapping[str, Any], output: Any) -> Affected:
    """What a call wrote: files, as its declaration says where it names them, and the things of Forge."""
    answer = output if isinstance(output, dict) else {}
    files = [source[name] for name in tool.files for source in (answer, params) if name in source]
    return Affected(_each_once(files), _each_once(_changed(params, answer)))


def _changed(params: Mapping[str, Any], answer: Mapping[str, Any]) -> list[Any]:
    """What a call changed, by its answer: the thing and its issue, else what is in it or both name."""
    if itself := _name_of(answer):
        beside = params.get("issueId")
        return [itself] if beside == answer.get("id") else [itself, beside]
    held = [value for key, value in answer.items() if key not in _NOT_MADE]
    things = [one for value in held for one in (value if isinstance(value, list) else [value])]
    within = [name for thing in things if isinstance(thing, dict) and (name := _name_of(thing))]
    return within or [*_named(answer), *_named(params)]


def _name_of(thing: Mapping[str, Any]) -> Any:
    number = thing.get("number")
    return thing.get("identifier") or thing.get("id") or (f"#{number}" if number else None)


def _named(source: Mapping[str, Any]) -> list[Any]:
    """The things, not who does something with them or how they stand."""
    ids = [
        source[key] for key in source if key in _THINGS or (key.endswith(_IDS) and not _BESIDE.search(key))
    ]
    number = source.get("issueNumber")
    each = [one for value in ids for one in (value if isinstance(value, list) else [value])]
    return [*each, f"#{number}"] if number else each


def _each_once(found: Iterable[Any]) -> list[str]:
    return [*dict.fromkeys(str(one) for one in found if one)]


def _itself(tool: CatalogTool, output: Any) -> tuple[str, bytes | None]:
    """The thing that a tool gives: as a text, or as the bytes that it encodes."""
    if tool.content is None or not isinstance(output, dict) or tool.content not in output:
        return encode(output), None
    held = str(output[tool.content])
    return (held, b64decode(held)) if tool.artifact == Artifact.BINARY else (held, None)
