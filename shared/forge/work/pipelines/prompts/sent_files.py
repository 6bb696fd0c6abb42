"""The files of a repository as a client sends them: all paths, and the texts of a few."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

_OF_OTHERS = re.compile(r"(^|/)(node_modules|vendor|third_party|\.git|\.venv|venv|dist|target|__pycache__)/")
"""What a build made or somebody else wrote says nothing of the repository."""


class SentFile(NamedTuple):
    path: str
    content: str | None = None


class Tree(NamedTuple):
    paths: Sequence[str]
    texts: Mapping[str, str]

    @classmethod
    def of(cls, files: Iterable[SentFile]) -> "Tree":
        own = {
            path: file.content
            for file in files
            if (path := file.path.strip().removeprefix("./")) and not _OF_OTHERS.search(path)
        }
        return cls(sorted(own), {path: text for path, text in own.items() if text})

    def near_root(self, *names: str) -> list[str]:
        """Where files of these names are, in the root or one folder down; the root's first."""
        near = [path for path in self.paths if path.count("/") <= 1 and path.rpartition("/")[2] in names]
        return sorted(near, key=lambda path: (path.count("/"), path))

    def has(self, *names: str) -> bool:
        return bool(self.near_root(*names))

    def has_folder(self, folder: str) -> bool:
        return any(path.startswith(f"{folder}/") for path in self.paths)

    def texts_of(self, *names: str) -> Iterator[str]:
        """The texts of such files, as far as they were sent."""
        return (self.texts[path] for path in self.near_root(*names) if path in self.texts)

    def says(self, word: str, *names: str) -> bool:
        """Whether a file of such a name has the word in it."""
        return any(word in text for text in self.texts_of(*names))
