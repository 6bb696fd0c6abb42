"""The `forge` command: what can be typed. The work is in a module per subcommand, loaded when called."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

Home = Annotated[Path, typer.Option(envvar="FORGE_HOME", help="Where a local Forge keeps its state.")]
Url = Annotated[str, typer.Option(envvar="FORGE_URL", help="Base URL; default: the local one.")]
PersonsKey = Annotated[str, typer.Option(envvar="FORGE_KEY", help="Your own key, not an agent's.")]
RequestId = Annotated[str, typer.Argument(help="The id of a request or gate, as forge needs-you shows it.")]
RunId = Annotated[str, typer.Argument(metavar="RUN", help="The id of a run, as forge needs-you shows it.")]
Pipeline = Annotated[str, typer.Argument(metavar="WORKSPACE", help="E.g. .specs/20260401-login.")]
AsJson = Annotated[bool, typer.Option("--json", help="For scripts.")]


pipeline = typer.Typer(
    no_args_is_help=True, help="Begin a pipeline, see how far it is, answer what it asks, read what it wrote."
)
app.add_typer(pipeline, name="pipeline")


@app.callback()
def forge() -> None:
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
    arguments: Annotated[
        list[str] | None, typer.Argument(help="name=value …, or one JSON object, or help.")
    ] = None,
    url: Annotated[str, typer.Option(envvar="FORGE_URL", help="Base URL; default: the local one.")] = "",
    key: Annotated[str, typer.Option(envvar="FORGE_KEY", help="An owner's or admin's key.")] = "",
    home: Home = Path(".forge"),
    as_json: AsJson = False,
) -> None:
    """Administer a Forge: workspaces, members, agents, keys, tokens, statuses."""
    from forge.cli.admin import run
    from forge.cli.calls import connection_of

    raise typer.Exit(run(tool, arguments or [], at=connection_of(url, key, home), as_json=as_json))


@app.command("needs-you")
def needs_you(
    request: Annotated[
        str | None, typer.Argument(help="The id of one request, gate or run, to see all of it.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Also what waits for others.")] = False,
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
    as_json: AsJson = False,
) -> None:
    """Show what waits for you, requests, gates and stuck runs, or one of them with what you can do."""
    from forge.cli import needs_you as deciding
    from forge.cli.calls import connection_of

    at = connection_of(url, key, home)
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
    from forge.cli.calls import connection_of

    words = " ".join(answer or [])
    raise typer.Exit(deciding.accept(connection_of(url, key, home), request, words, shown=shown))


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
    from forge.cli.calls import connection_of

    raise typer.Exit(deciding.decline(connection_of(url, key, home), request, " ".join(reason or [])))


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
    from forge.cli.calls import connection_of

    raise typer.Exit(deciding.answer(connection_of(url, key, home), run, " ".join(words)))


@app.command()
def kick(run: RunId, url: Url = "", key: PersonsKey = "", home: Home = Path(".forge")) -> None:
    """Call an agent whose run is quiet, waits or has stalled."""
    from forge.cli import needs_you as deciding
    from forge.cli.calls import connection_of

    raise typer.Exit(deciding.kick(connection_of(url, key, home), run))


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
    from forge.cli.calls import connection_of

    raise typer.Exit(deciding.reassign(connection_of(url, key, home), run, agent, " ".join(reason or [])))


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
    from forge.cli.calls import connection_of

    raise typer.Exit(deciding.vote(connection_of(url, key, home), request, option))


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
    from forge.store.connections import Connections

    store = store_at(table, Connections(region, endpoint))
    raise typer.Exit(run(store, slug=slug, prefix=key, name=name, email=email, as_json=as_json))


@pipeline.command("start")
def pipeline_start(
    text: Annotated[list[str], typer.Argument(help="What shall be done.")],
    effort: Annotated[str, typer.Option(help="S, M or L; otherwise you are asked.")] = "",
    auto: Annotated[bool, typer.Option("--auto", help="Pass the design checkpoint where possible.")] = False,
    nopr: Annotated[bool, typer.Option("--nopr", help="Make no pull request.")] = False,
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
) -> None:
    """Begin a pipeline with a text."""
    from forge.cli import pipelines
    from forge.cli.calls import connection_of

    at = connection_of(url, key, home)
    raise typer.Exit(pipelines.start(at, " ".join(text), effort=effort, auto=auto, nopr=nopr))


@pipeline.command("show")
def pipeline_show(
    workspace: Pipeline,
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
    as_json: AsJson = False,
) -> None:
    """Show how far a pipeline is, what it took, and what it asks."""
    from forge.cli import pipelines
    from forge.cli.calls import connection_of

    raise typer.Exit(pipelines.show(connection_of(url, key, home), workspace, as_json=as_json))


@pipeline.command("answer")
def pipeline_answer(
    workspace: Pipeline,
    option: Annotated[str, typer.Argument(help="One of those that forge pipeline show lists.")],
    feedback: Annotated[str, typer.Option(help="Your words, for the next agent.")] = "",
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
) -> None:
    """Answer what a pipeline asks."""
    from forge.cli import pipelines
    from forge.cli.calls import connection_of

    at = connection_of(url, key, home)
    raise typer.Exit(pipelines.answer(at, workspace, option, feedback=feedback))


@pipeline.command("read")
def pipeline_read(
    workspace: Pipeline,
    artifact: Annotated[str, typer.Argument(help="E.g. design.md.")],
    version: Annotated[int | None, typer.Option(min=1, help="An older one.")] = None,
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
) -> None:
    """Print an artifact of a pipeline."""
    from forge.cli import pipelines
    from forge.cli.calls import connection_of

    raise typer.Exit(pipelines.read(connection_of(url, key, home), workspace, artifact, version=version))


@pipeline.command("watch")
def pipeline_watch(
    workspace: Pipeline, url: Url = "", key: PersonsKey = "", home: Home = Path(".forge")
) -> None:
    """Follow a pipeline until it ends or waits for a person."""
    from forge.cli import pipelines
    from forge.cli.calls import connection_of

    raise typer.Exit(pipelines.watch(connection_of(url, key, home), workspace))
