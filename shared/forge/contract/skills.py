"""Skills: the texts of prompts as files, for hosts that keep instructions and read them when they are due."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from forge.contract.contents import MARKDOWN
from forge.contract.prompts import Prompt
from forge.errors import NotFound
from forge.jsontext import encode

SCHEME = "skill://"
MANIFEST = "SKILL.md"
REFERENCE = "references/forge.md"
DIRECTORY = "inode/directory"
_AS_SAID = "as the person said"
"""What stands for an argument: a skill has none, and whoever reads it knows what was asked."""


class Skill(NamedTuple):
    """`files`: its texts by their paths beneath it, the manifest first."""

    name: str
    description: str
    files: Mapping[str, str]

    @classmethod
    def of(cls, prompt: Prompt, reference: str) -> "Skill":
        """`reference` is what every skill says of the server besides."""
        name = prompt.name.replace("_", "-")
        description = f"Forge: {prompt.description[:1].lower()}{prompt.description[1:]}"
        text = prompt.filled_in({one.name: _AS_SAID for one in prompt.arguments})
        manifest = (
            # JSON is YAML, whatever a description has in it.
            f"---\nname: {name}\ndescription: {encode(description)}\n---\n\n# {prompt.title}\n\n{text}\n\n"
            f"How Forge answers, pages and fails, and how to find other tools: {REFERENCE}\n"
        )
        return cls(name, description, {MANIFEST: manifest, REFERENCE: f"# How Forge works\n\n{reference}"})

    @property
    def root(self) -> str:
        return f"{SCHEME}{self.name}"

    @property
    def uri(self) -> str:
        return f"{self.root}/{MANIFEST}"

    def entry(self) -> dict[str, Any]:
        """With the digest of every file, by which hosts see that what they read is what was listed."""
        files = [
            {
                "uri": f"{self.root}/{path}",
                "digest": f"sha256:{sha256(text.encode()).hexdigest()}",
                "size": len(text.encode()),
            }
            for path, text in self.files.items()
        ]
        frontmatter = {"name": self.name, "description": self.description}
        return {"uri": self.uri, "frontmatter": frontmatter, "resources": files}

    def resource(self) -> dict[str, str]:
        """Its manifest among what is there to read."""
        return self._file(MANIFEST) | {"name": self.name, "description": self.description}

    def children(self, folder: str) -> list[dict[str, str]]:
        """What lies right beneath a folder of it; nothing where there is no such folder."""
        within = f"{folder}/" if folder else ""
        found: dict[str, dict[str, str]] = {}
        for path in self.files:
            if path.startswith(within):
                name, _, deeper = path.removeprefix(within).partition("/")
                found[name] = self._folder(within + name) if deeper else self._file(path)
        return [*found.values()]

    def _file(self, path: str) -> dict[str, str]:
        return {"uri": f"{self.root}/{path}", "name": path.rpartition("/")[2], "mimeType": MARKDOWN}

    def _folder(self, path: str) -> dict[str, str]:
        return {"uri": f"{self.root}/{path}", "name": path.rpartition("/")[2], "mimeType": DIRECTORY}


class Skills:
    """Those that one caller is offered."""

    def __init__(self, skills: Iterable[Skill]) -> None:
        self._skills = {skill.name: skill for skill in skills}

    def __iter__(self) -> Iterator[Skill]:
        return iter(self._skills.values())

    def get(self, uri: str) -> Skill:
        for skill in self._skills.values():
            if skill.uri == uri:
                return skill
        raise self._unknown("skill", [skill.uri for skill in self._skills.values()])

    def read(self, uri: str) -> str:
        skill, path = self._found(uri)
        if path not in skill.files:
            raise self._unknown("file", [f"{skill.root}/{one}" for one in skill.files])
        return skill.files[path]

    def directory(self, uri: str) -> list[dict[str, str]]:
        skill, path = self._found(uri)
        children = skill.children(path)
        if not children:
            raise self._unknown("directory", [skill.root])
        return children

    def _found(self, uri: str) -> tuple[Skill, str]:
        """The skill at an address, and the path beneath it."""
        name, _, path = uri.removeprefix(SCHEME).partition("/")
        if not uri.startswith(SCHEME) or name not in self._skills:
            raise self._unknown("skill", [skill.root for skill in self._skills.values()])
        return self._skills[name], path.rstrip("/")

    @staticmethod
    def _unknown(what: str, known: list[str]) -> NotFound:
        return NotFound(
            f"There is no such {what}.", hint=f"Known: {', '.join(known) or 'none for this key'}."
        )
