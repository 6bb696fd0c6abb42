"""What a tool gives, in the form that was asked for; what is large or binary lies in the bucket."""

from base64 import b64decode
from collections.abc import Mapping
from typing import Any, NamedTuple

from forge.contract.catalog import CatalogTool
from forge.contract.terms import Artifact
from forge.jsontext import encode
from forge.work.gateway.failures import ErrorType, Failed, Failure

MOST_INLINE = 40_000
"""Characters; an answer has no more, whatever asked for it."""
URL_SECONDS = 15 * 60

_TEXTS = frozenset({Artifact.TEXT, Artifact.CODE_PY, Artifact.CODE_TS, Artifact.PATCH})


class Formed(NamedTuple):
    data: Any
    content: bytes | None = None
    """What has to be handed out as a link instead."""
    content_type: str = "text/plain; charset=utf-8"


def require_form(tool: CatalogTool, artifact: Artifact) -> None:
    """Only what is a text can be code or a patch: a JSON answer is none, whatever it is called."""
    if artifact in (Artifact.JSON, Artifact.TEXT, Artifact.BINARY) or tool.content:
        return
    raise Failed(
        Failure(
            ErrorType.VALIDATION,
            f"{tool.name} gives JSON, not {artifact}.",
            recoverable=True,
            suggestion='Ask for "artifact": "JSON" or "TEXT".',
            code="ARTIFACT_MISMATCH",
        )
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


def affected(tool: CatalogTool, params: Mapping[str, Any], output: Any) -> list[str]:
    """The files that a call wrote, as far as its declaration says where it names them."""
    sources = [output if isinstance(output, dict) else {}, params]
    found = [source[name] for name in tool.files for source in sources if name in source]
    return [*dict.fromkeys(str(one) for one in found if one)]


def _itself(tool: CatalogTool, output: Any) -> tuple[str, bytes | None]:
    """The thing that a tool gives: as a text, or as the bytes that it encodes."""
    if tool.content is None or not isinstance(output, dict) or tool.content not in output:
        return encode(output), None
    held = str(output[tool.content])
    return (held, b64decode(held)) if tool.artifact == Artifact.BINARY else (held, None)
