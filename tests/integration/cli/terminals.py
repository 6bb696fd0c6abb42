"""A terminal in which `forge` is typed."""

import os
from collections.abc import Mapping
from pathlib import Path

from typer.testing import CliRunner, Result

from forge.cli.main import app


class Terminal:
    """Where somebody types, with their own key."""

    def __init__(self, url: str, key: str, home: Path) -> None:
        self._at = {"FORGE_URL": url, "FORGE_KEY": key, "FORGE_HOME": str(home), "COLUMNS": "400"}

    def typed(self, *words: str, says: str = "") -> Result:
        mine: Mapping[str, str | None] = {name: None for name in os.environ if name.startswith("FORGE_")}
        return CliRunner().invoke(app, [*words], env={**mine, **self._at}, input=says)
