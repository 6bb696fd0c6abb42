"""What reading a resource answers: a text for a model, or bytes."""

from forge.contract.models import Model, Omittable

MAX_CHARACTERS = 40_000
MARKDOWN = "text/markdown"


class Contents(Model):
    """`text`, or `blob` in base64."""

    mime_type: str
    text: Omittable[str] = None
    blob: Omittable[str] = None

    @classmethod
    def markdown(cls, text: str, *, read_on: str) -> "Contents":
        """`read_on` says how to get what a reader does not see of a long text."""
        return cls(mime_type=MARKDOWN, text=cut(text, read_on))


def cut(text: str, read_on: str) -> str:
    """At the end of a line, with a last one that nobody takes for a part of the text."""
    if len(text) <= MAX_CHARACTERS:
        return text
    shown, note = text[:MAX_CHARACTERS], f"\n\n[Cut here: {len(text)} characters in all. {read_on}]"
    shown = shown[: MAX_CHARACTERS - len(note)]
    return shown[: shown.rfind("\n") if "\n" in shown[-2000:] else None] + note


def facts(**said: object) -> str:
    """A list of what is known; what is not is left out."""
    known = {name.replace("_", " "): value for name, value in said.items() if value not in (None, "", [])}
    return "\n".join(f"- {name}: {value}" for name, value in known.items())


def section(title: str, text: str | None) -> str:
    return f"\n\n## {title}\n\n{text.strip()}" if text and text.strip() else ""
