"""`forge pipeline …`: what can be typed."""

from pathlib import Path
from typing import Annotated

import typer

from forge.cli.options import AsJson, Home, PersonsKey, Url
from forge.cli.persons import persons_connection

app = typer.Typer(
    no_args_is_help=True, help="Begin a pipeline, see how far it is, answer what it asks, read what it wrote."
)

Pipeline = Annotated[str, typer.Argument(metavar="WORKSPACE", help="E.g. .specs/20260401-login.")]


@app.command("start")
def start(
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

    at = persons_connection(url, key, home)
    raise typer.Exit(pipelines.start(at, " ".join(text), effort=effort, auto=auto, nopr=nopr))


@app.command("run")
def run(
    text: Annotated[list[str], typer.Argument(help="What shall be done, an issue's URL, or a WORKSPACE.")],
    agent: Annotated[
        str, typer.Option(help="claude, codex, or any command that takes its prompt on standard input.")
    ] = "claude",
    effort: Annotated[str, typer.Option(help="S, M or L; otherwise you are asked.")] = "",
    auto: Annotated[bool, typer.Option("--auto", help="Pass the design checkpoint where possible.")] = False,
    nopr: Annotated[bool, typer.Option("--nopr", help="Make no pull request.")] = False,
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
) -> None:
    """Take a request to its end, here: agents work in this checkout, and you decide."""
    from forge.cli.driving import terminal

    flags = [f"--effort={effort}"] * bool(effort) + ["--auto"] * auto + ["--nopr"] * nopr
    at = persons_connection(url, key, home)
    raise typer.Exit(terminal.run(at, " ".join([*text, *flags]), agent))


@app.command("list")
def listed(
    status: Annotated[str, typer.Option(help="open, waiting, completed or abandoned.")] = "",
    mine: Annotated[bool, typer.Option("--mine", help="Only those that you began.")] = False,
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
) -> None:
    """List pipelines, the one that moved last first."""
    from forge.cli import pipelines

    raise typer.Exit(pipelines.listed(persons_connection(url, key, home), status=status, mine=mine))


@app.command("show")
def show(
    workspace: Pipeline,
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
    as_json: AsJson = False,
) -> None:
    """Show how far a pipeline is, what it took, and what it asks."""
    from forge.cli import pipelines

    raise typer.Exit(pipelines.show(persons_connection(url, key, home), workspace, as_json=as_json))


@app.command("answer")
def answer(
    workspace: Pipeline,
    option: Annotated[str, typer.Argument(help="One of those that forge pipeline show lists.")],
    feedback: Annotated[str, typer.Option(help="Your words, for the next agent.")] = "",
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
) -> None:
    """Answer what a pipeline asks."""
    from forge.cli import pipelines

    at = persons_connection(url, key, home)
    raise typer.Exit(pipelines.answer(at, workspace, option, feedback=feedback))


@app.command("read")
def read(
    workspace: Pipeline,
    artifact: Annotated[str, typer.Argument(help="E.g. design.md.")],
    version: Annotated[int | None, typer.Option(min=1, help="An older one.")] = None,
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
) -> None:
    """Print an artifact of a pipeline."""
    from forge.cli import pipelines

    raise typer.Exit(pipelines.read(persons_connection(url, key, home), workspace, artifact, version=version))


@app.command("watch")
def watch(workspace: Pipeline, url: Url = "", key: PersonsKey = "", home: Home = Path(".forge")) -> None:
    """Follow a pipeline until it ends or waits for a person."""
    from forge.cli import pipelines

    raise typer.Exit(pipelines.watch(persons_connection(url, key, home), workspace))
