"""Prompts: texts that a person picks in a client, and that make a model do one thing from start to end."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from forge.errors import InvalidInput


class PromptArgument(NamedTuple):
    """Clients fill them by position with one word each, so none is a free text.

    `completes`: the completion whose words fit.
    """

    name: str
    description: str
    required: bool = False
    completes: str = ""

    def mcp_entry(self) -> dict[str, Any]:
        return {"name": self.name, "description": self.description, "required": self.required}


class Prompt(NamedTuple):
    """`text` names arguments as `{name}` and tools by their canonical names."""

    name: str
    title: str
    description: str
    text: str
    scopes: tuple[str, ...] = ()
    arguments: tuple[PromptArgument, ...] = ()

    @classmethod
    def from_document(cls, entry: Mapping[str, Any]) -> "Prompt":
        arguments = tuple(PromptArgument(**one) for one in entry["arguments"])
        return cls(**{**entry, "scopes": tuple(entry["scopes"]), "arguments": arguments})

    def document(self) -> dict[str, Any]:
        return {
            **self._asdict(),
            "scopes": list(self.scopes),
            "arguments": [one._asdict() for one in self.arguments],
        }

    def mcp_entry(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "arguments": [one.mcp_entry() for one in self.arguments],
        }

    def filled_in(self, given: Mapping[str, object]) -> str:
        """In one pass over the declared arguments; what is left out is an empty word."""
        known = {one.name for one in self.arguments}
        missing = {one.name for one in self.arguments if one.required} - given.keys()
        wrong = dict.fromkeys(given.keys() - known, "Unknown.") | dict.fromkeys(missing, "Required.")
        wrong |= {name: "A text." for name, value in given.items() if not isinstance(value, str)}
        if wrong:
            raise InvalidInput(f"The arguments of the prompt {self.name} are not valid.", issues=wrong)
        text = self.text
        for name in known:
            text = text.replace(f"{{{name}}}", str(given.get(name, "")).strip())
        return text
