"""A tool as the compiled catalog has it: all that the wire knows without its namespace."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from forge.contract.names import portable
from forge.contract.terms import TAKEN_FOR_GRANTED, Effect, Surface

_DESCRIBE = "catalog.describe"


class CatalogTool(NamedTuple):
    """What the wire knows of a tool without importing its namespace."""

    name: str
    namespace: str
    module: str
    attribute: str
    surface: str
    effect: str
    scopes: tuple[str, ...]
    description: str
    input_schema: Mapping[str, Any]
    rare: tuple[str, ...]
    annotations: Mapping[str, bool]
    portable_name: str
    required_scopes: frozenset[str]
    is_retold: bool = False
    """Whether its failures are told in words of its own contract."""
    is_audited: bool = False
    """Whether calls are kept that leave no change in the log."""
    is_long: bool = False
    artifact: str = "JSON"
    content: str | None = None
    """The field of its output that is the thing itself, in the form of `artifact`."""
    files: tuple[str, ...] = ()
    """Fields that name the files it writes."""
    aliases: tuple[str, ...] = ()
    """Names that are answered, and never listed."""
    is_unnarrowed: bool = False
    """Whether it reaches beyond any narrowing."""
    confirms: bool = False
    """Whether it may ask back before it is carried out."""
    app: str = ""
    """The address of what hosts can show beside its answer."""
    is_for_runs: bool = True
    """Whether the key of a run calls it."""

    @classmethod
    def from_document(cls, entry: Mapping[str, Any]) -> "CatalogTool":
        return cls(
            name=entry["name"],
            namespace=entry["namespace"],
            module=entry["module"],
            attribute=entry["attribute"],
            surface=entry["surface"],
            effect=entry["effect"],
            scopes=tuple(entry["scopes"]),
            description=entry["description"],
            input_schema=entry["inputSchema"],
            rare=tuple(entry.get("rare", ())),
            annotations=entry["annotations"],
            portable_name=portable(entry["name"]),
            required_scopes=frozenset(entry["scopes"]),
            is_retold="isRetold" in entry,
            is_audited="isAudited" in entry,
            is_long="isLong" in entry,
            artifact=entry.get("artifact", "JSON"),
            content=entry.get("content"),
            files=tuple(entry.get("files", ())),
            aliases=tuple(entry.get("aliases", ())),
            is_unnarrowed="isUnnarrowed" in entry,
            confirms="confirms" in entry,
            app=entry.get("app", ""),
            is_for_runs="isForRuns" in entry or entry["effect"] == Effect.READ_ONLY,
        )

    @property
    def other_names(self) -> tuple[str, ...]:
        """What it answers to besides its own name; operators' tools have one spelling of each of theirs."""
        if self.surface != Surface.MCP:
            return self.aliases
        return (self.portable_name, *self.aliases, *map(portable, self.aliases))

    def mcp_entry(self, *, canonical_name: bool = False) -> dict[str, Any]:
        return {
            "name": self.name if canonical_name else self.portable_name,
            "description": self.description,
            "inputSchema": self.input_schema,
            "annotations": self.annotations,
        }

    def lean_entry(self, *, canonical_name: bool = False) -> dict[str, Any]:
        """Without the fields that are seldom needed, and with where to find them."""
        entry = self.mcp_entry(canonical_name=canonical_name)
        said = self.annotations.items()
        entry["annotations"] = {hint: value for hint, value in said if value is not TAKEN_FOR_GRANTED[hint]}
        if self.rare:
            where = _DESCRIBE if canonical_name else portable(_DESCRIBE)
            entry["description"] = f"{self.description} More fields: {where}."
            entry["inputSchema"] = _without(self.input_schema, self.rare)
        return entry


def _without(schema: Mapping[str, Any], paths: Iterable[str]) -> Mapping[str, Any]:
    """The schema without the properties at these paths; items of lists have no step of their own."""
    if "items" in schema:
        return {**schema, "items": _without(schema["items"], paths)}
    below: dict[str, list[str]] = {}
    for path in paths:
        name, _, rest = path.partition(".")
        below.setdefault(name, []).append(rest)
    kept = {
        name: _without(child, below[name]) if name in below else child
        for name, child in schema["properties"].items()
        if "" not in below.get(name, ())
    }
    return {**schema, "properties": kept}
