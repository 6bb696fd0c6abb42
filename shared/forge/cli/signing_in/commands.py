"""What can be typed: the work is loaded when it is called."""

from typing import Annotated

import typer


def login(
    address: Annotated[
        str, typer.Argument(envvar="FORGE_URL", help="Where it is, e.g. https://forge.example.com")
    ],
    browser: Annotated[
        bool, typer.Option(help="Whether to open one here, or only to say the address.")
    ] = True,
    scopes: Annotated[
        str, typer.Option(help="Ask for these alone, with spaces in between, e.g. 'READ_ISSUES ADMIN'.")
    ] = "",
) -> None:
    """Sign in with a browser; commands use the session where no key is given."""
    from forge.cli.signing_in import signing_in

    raise typer.Exit(signing_in.login(address, scopes=scopes, opens=browser))


def logout(
    address: Annotated[str, typer.Argument(help="Which server; the one that you signed in to last.")] = "",
) -> None:
    """End the session of forge login, here and at the server."""
    from forge.cli.signing_in import signing_in

    raise typer.Exit(signing_in.logout(address))
