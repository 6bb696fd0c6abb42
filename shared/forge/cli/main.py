"""The `forge` command: one line per subcommand, the work is in its module."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Forge, on this machine or in your account."
)


@app.callback()
def forge() -> None:
    """Forge: where coding agents and their operators coordinate work."""


@app.command()
def dev(
    port: Annotated[int, typer.Option(envvar="PORT", min=1, max=65535, help="Port on loopback.")] = 8787,
    home: Annotated[Path, typer.Option(envvar="FORGE_HOME", help="Where state and keys are kept.")] = Path(
        ".forge"
    ),
) -> None:
    """Run the whole product on this machine."""
    from forge.cli.dev import run

    raise typer.Exit(run(port=port, home=home))
