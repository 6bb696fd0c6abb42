"""How GitHub is asked."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

Params = Mapping[str, str | int]


class Calls(Protocol):
    """Paths begin with a slash. What is not an answer is a `GitHubFailure`."""

    def get(self, path: str, params: Params | None = None) -> Any: ...

    def pages(self, path: str, params: Params | None = None) -> Iterator[list[Any]]:
        """All pages, as the Link header leads from one to the next."""

    def post(self, path: str, body: Mapping[str, object]) -> Any: ...

    def patch(self, path: str, body: Mapping[str, object]) -> Any: ...

    def delete(self, path: str) -> None: ...
