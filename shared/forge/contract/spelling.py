"""Our own words about tools, in the spelling of names that the reader's door lists.

Texts are written once, with dotted names. MCP clients list `statuses_list`, and a model that is told of
`statuses.list` looks for it in vain.
"""

import re
from collections.abc import Mapping
from typing import Any

# What stands in quotes was somebody's own text and is left alone, unless it is a name and nothing else. An
# apostrophe within a word opens no quotes. The path of a tool is not its name.
_MENTION = re.compile(
    r"(?<!\w)'[^']*'(?!\w)"
    r"|(?<!\w)\"(?!\w+(?:\.\w+)+\")[^\"]*\"(?!\w)"
    r"|(?<![\w./])[A-Za-z]\w*(?:\.[A-Za-z]\w*)+"
)
_DESCRIPTION = "description"
_SENTENCES = frozenset({"error", "message", "hint", "suggestion"})
_OF_NAMES = frozenset({"didYouMean", "issues"})


class Spelling:
    """Names of tools by what they are called in our texts; a name that is not here is no tool's."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def name(self, canonical: str) -> str:
        return self._names.get(canonical, canonical)

    def text(self, text: str) -> str:
        return _MENTION.sub(self._respelt, text)

    def published(self, node: Mapping[str, Any]) -> dict[str, Any]:
        """A tool's entry or a schema, whose descriptions alone are ours to respell."""
        return {
            name: self.text(value)
            if name == _DESCRIPTION and isinstance(value, str)
            else self.published(value)
            if isinstance(value, Mapping)
            else value
            for name, value in node.items()
        }

    def error(self, error: Mapping[str, Any]) -> dict[str, Any]:
        """An error object, in whichever contract's form: its sentences, and the names that it suggests.

        Its `error` is a code, or a sentence, or an object like this one. Of details only what we say of names
        is ours.
        """
        return {name: self._member(name, value) for name, value in error.items()}

    def _member(self, name: str, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value) if name in _SENTENCES else value
        if name == "didYouMean":
            return [self.name(one) for one in value]
        if not isinstance(value, Mapping):
            return value
        if name == "issues":
            return {field: self.text(issue) for field, issue in value.items()}
        if name == "details":
            return {key: self._member(key, one) if key in _OF_NAMES else one for key, one in value.items()}
        return self.error(value) if name == "error" else value

    def _respelt(self, match: re.Match[str]) -> str:
        """The longest beginning that is a tool: in `issues.assign.agentId` it is the first two words."""
        words = match[0].split(".")
        for end in range(len(words), 1, -1):
            known = self._names.get(".".join(words[:end]))
            if known is not None:
                return ".".join([known, *words[end:]])
        return match[0]


AS_WRITTEN = Spelling({})
