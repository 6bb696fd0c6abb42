"""The `forge` command: what can be typed. The work is in a module per subcommand, loaded when called."""

from pathlib import Path
from typing import Annotated

import typer

from forge import __version__
from forge.cli import pipeline_commands
from forge.cli.backups import commands as backup_commands
from forge.cli.options import AsJson, Home, PersonsKey, Url
from forge.cli.persons import persons_connection
from forge.cli.signing_in import commands as session_commands
from forge.cli.worker import commands as worker_commands

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)
app.add_typer(pipeline_commands.app, name="pipeline")
app.add_typer(worker_commands.app, name="worker")
app.command("import")(backup_commands.import_)
app.command()(backup_commands.restore)
app.command()(session_commands.login)
app.command()(session_commands.logout)

RequestId = Annotated[str, typer.Argument(help="The id of a request or gate, as forge needs-you shows it.")]
Words = Annotated[list[str] | None, typer.Argument(help="name=value …, or one JSON object, or help.")]
RunId = Annotated[str, typer.Argument(metavar="RUN", help="The id of a run, as forge needs-you shows it.")]


def _say_version(*, is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"forge {__version__}")
        raise typer.Exit


@app.callback()
def forge(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=lambda is_asked: _say_version(is_asked=is_asked),
            help="Say which version this is.",
        ),
    ] = False,
) -> None:
    """Forge: where coding agents and their operators coordinate work."""


@app.command()
def dev(
    port: Annotated[int, typer.Option(envvar="PORT", min=1, max=65535, help="Port on loopback.")] = 8787,
    home: Home = Path(".forge"),
) -> None:
    """Run the whole product on this machine, with an embedded AWS."""
    from forge.cli.dev import run

    raise typer.Exit(run(port=port, home=home))


@app.command()
def admin(
    tool: Annotated[str | None, typer.Argument(help="For example keys.list; none lists all tools.")] = None,
    arguments: Words = None,
    url: Url = "",
    key: Annotated[str, typer.Option(envvar="FORGE_KEY", help="An owner's or admin's key.")] = "",
    files: Annotated[
        Path | None, typer.Option(help="With export: a folder for the files, which the lines only name.")
    ] = None,
    home: Home = Path(".forge"),
    as_json: AsJson = False,
) -> None:
    """Administer a Forge: workspaces, members, agents, keys, tokens, statuses."""
    from forge.cli.tools import ADMIN, run

    at = persons_connection(url, key, home)
    raise typer.Exit(run(ADMIN, tool, arguments or [], at=at, as_json=as_json, files=files))


@app.command()
def call(
    tool: Annotated[str | None, typer.Argument(help="For example issues.get; none lists all tools.")] = None,
    arguments: Words = None,
    name: Annotated[
        str, typer.Option("--as", help="Whose key of a local Forge: owner, member, readonly, worker, …")
    ] = "owner",
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
    as_json: AsJson = False,
) -> None:
    """Call any tool that agents have, as yourself or as somebody else of a local Forge."""
    from forge.cli.tools import CALL, run

    at = persons_connection(url, key, home, name=name)
    raise typer.Exit(run(CALL, tool, arguments or [], at=at, as_json=as_json))


@app.command("list")
def list_(
    what: Annotated[str, typer.Argument(help="issues, agents, runs, goals, pipelines or deliveries.")],
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many at most.")] = 20,
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
    as_json: AsJson = False,
) -> None:
    """Show what there is, as a table."""
    from forge.cli import lists

    raise typer.Exit(lists.run(persons_connection(url, key, home), what, limit=limit, as_json=as_json))


@app.command()
def connect(
    agent: Annotated[str, typer.Argument(help="Its profile key; made if there is no such agent.")],
    client: Annotated[
        str, typer.Option(help="claude, codex, cursor, vscode, windsurf, gemini, zed, hermes or mcp-remote.")
    ] = "claude",
    url: Url = "",
    key: Annotated[str, typer.Option(envvar="FORGE_KEY", help="An owner's or admin's key.")] = "",
    home: Home = Path(".forge"),
    as_json: AsJson = False,
) -> None:
    """Give an agent a key of its own, and print what its client reads to connect."""
    from forge.cli import connect as connecting

    raise typer.Exit(connecting.run(persons_connection(url, key, home), agent, client, as_json=as_json))


@app.command("needs-you")
def needs_you(
    request: Annotated[
        str | None, typer.Argument(help="The id of one request, gate or run, to see all of it.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Also what waits for others.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Go on, and say what comes.")] = False,
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
    as_json: AsJson = False,
) -> None:
    """Show what waits for you, requests, gates and stuck runs, or one of them with what you can do."""
    from forge.cli import needs_you as deciding

    at = persons_connection(url, key, home)
    if watch:
        raise typer.Exit(deciding.watch(at, everything=everything))
    raise typer.Exit(deciding.look(at, request, everything=everything, as_json=as_json))


@app.command()
def accept(
    request: RequestId,
    answer: Annotated[list[str] | None, typer.Argument(help="Words for whoever asked.")] = None,
    shown: Annotated[str, typer.Option(help="The code that the card ended with; asks nothing then.")] = "",
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
) -> None:
    """Say yes to a request: it is shown once more, and what it asks for is done."""
    from forge.cli import needs_you as deciding

    words = " ".join(answer or [])
    raise typer.Exit(deciding.accept(persons_connection(url, key, home), request, words, shown=shown))


@app.command()
def decline(
    request: RequestId,
    reason: Annotated[list[str] | None, typer.Argument(help="Why not.")] = None,
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
) -> None:
    """Say no to a request: nothing is done."""
    from forge.cli import needs_you as deciding

    raise typer.Exit(deciding.decline(persons_connection(url, key, home), request, " ".join(reason or [])))


@app.command()
def answer(
    run: RunId,
    words: Annotated[list[str], typer.Argument(help="What its agent shall know.")],
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
) -> None:
    """Answer an agent that waits: a comment on the issue wakes it, and its run goes on."""
    from forge.cli import needs_you as deciding

    raise typer.Exit(deciding.answer(persons_connection(url, key, home), run, " ".join(words)))


@app.command()
def kick(run: RunId, url: Url = "", key: PersonsKey = "", home: Home = Path(".forge")) -> None:
    """Call an agent whose run is quiet, waits or has stalled."""
    from forge.cli import needs_you as deciding

    raise typer.Exit(deciding.kick(persons_connection(url, key, home), run))


@app.command()
def reassign(
    run: RunId,
    agent: Annotated[str, typer.Argument(help="The profileKey of the agent that goes on.")],
    reason: Annotated[list[str] | None, typer.Argument(help="What it must know.")] = None,
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
) -> None:
    """Give the issue of a stuck run to another agent."""
    from forge.cli import needs_you as deciding

    raise typer.Exit(
        deciding.reassign(persons_connection(url, key, home), run, agent, " ".join(reason or []))
    )


@app.command()
def vote(
    request: RequestId,
    option: Annotated[str, typer.Argument(help="The key of your pick.")],
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
) -> None:
    """Vote for an option of a poll, and see how the votes stand."""
    from forge.cli import needs_you as deciding

    raise typer.Exit(deciding.vote(persons_connection(url, key, home), request, option))


@app.command()
def bootstrap(
    slug: Annotated[str, typer.Option(help="Short name of the workspace in URLs.")],
    key: Annotated[str, typer.Option(help="Prefix of issue identifiers, e.g. ACME.")],
    name: Annotated[str, typer.Option(help="What people call the workspace.")],
    email: Annotated[str, typer.Option(help="The owner's e-mail address.")],
    table: Annotated[str, typer.Option(envvar="FORGE_TABLE", help="Name of the deployed table.")],
    region: Annotated[
        str, typer.Option(envvar=["AWS_REGION", "AWS_DEFAULT_REGION"], help="Where it is.")
    ] = "us-east-1",
    endpoint: Annotated[str | None, typer.Option(envvar="AWS_ENDPOINT_URL", help="Instead of AWS.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make the first workspace, owner and key in a freshly deployed table."""
    from forge.cli.bootstrap import run, store_at
    from forge.store.operators import operators_connections

    store = store_at(table, operators_connections(region, endpoint))
    raise typer.Exit(run(store, slug=slug, prefix=key, name=name, email=email, as_json=as_json))


@app.command()
def doctor(
    stack: Annotated[str, typer.Option(help="Name of the deployed stack.")] = "",
    table: Annotated[str, typer.Option(envvar="FORGE_TABLE", help="Or of its table.")] = "",
    region: Annotated[
        str, typer.Option(envvar=["AWS_REGION", "AWS_DEFAULT_REGION"], help="Where it is.")
    ] = "us-east-1",
    endpoint: Annotated[str | None, typer.Option(envvar="AWS_ENDPOINT_URL", help="Instead of AWS.")] = None,
    workspace: Annotated[
        list[str] | None, typer.Option(help="Slug or id; more than once for several. All that are seen.")
    ] = None,
    url: Annotated[str, typer.Option(help="Where calls are answered, if not where the stack says.")] = "",
    home: Home = Path(".forge"),
    as_json: AsJson = False,
) -> None:
    """Look at a deployment, or at the local Forge: what is well, what is not, and what to do about it."""
    from forge.cli.doctor.command import run

    named = tuple(workspace or ())
    raise typer.Exit(
        run(
            stack=stack,
            table=table,
            region=region,
            endpoint=endpoint,
            url=url,
            home=home,
            named=named,
            as_json=as_json,
        )
    )
