"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

Home = Annotated[Path, typer.Option(envvar="FORGE_HOME", help="Where a local Forge keeps its state.")]
Url = Annotated[str, typer.Option(envvar="FORGE_URL", help="Base URL; default: the local one.")]
PersonsKey = Annotated[
    str, typer.Option(envvar="FORGE_KEY", help="Your own key, not an agent's; or see forge login.")
]
AsJson = Annotated[bool, typer.Option("--json", help="For scripts.")]
