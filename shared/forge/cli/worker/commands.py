"""`forge worker` and what can be asked of one that runs."""

import os
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from forge.cli.options import Home, PersonsKey, Url

app = typer.Typer(invoke_without_command=True, help="Work for a Forge, with agents of this machine.")

Place = Annotated[
    Path | None,
    typer.Option("--folder", envvar="FORGE_WORKER_FOLDER", help="Where this worker keeps its state."),
]
Name = Annotated[str, typer.Option(help="Of this worker, where a machine has several.")]


@app.callback()
def worker(  # noqa: PLR0913, RUF100 - each is a flag
    ctx: typer.Context,
    agent: Annotated[
        str, typer.Option(help="claude, codex, gemini, opencode, acp:<command> or cmd:<command>.")
    ] = "",
    slots: Annotated[int | None, typer.Option(min=1, max=50, help="How many runs at once.")] = None,
    repo: Annotated[str, typer.Option(help="The repository: a path or an address.")] = "",
    profile: Annotated[str, typer.Option(help="The profileKey of the agent that it works as.")] = "",
    model: Annotated[str, typer.Option(help="Which model the agent uses.")] = "",
    sandbox: Annotated[str, typer.Option(help="off, auto or on: bubblewrap around each child.")] = "",
    once: Annotated[bool, typer.Option("--once", help="One task, then end; 3 where there was none.")] = False,
    config: Annotated[
        Path | None, typer.Option(help="Default: forge-worker.toml, where it is there.")
    ] = None,
    name: Name = "",
    folder: Place = None,
    url: Url = "",
    key: Annotated[str, typer.Option(envvar="FORGE_AGENT_KEY", help="The agent's key.")] = "",
    home: Home = Path(".forge"),
) -> None:
    """Take work from a Forge, have an agent do it in a worktree of its own, check it and report it."""
    if ctx.invoked_subcommand:
        return
    from forge.cli.calls import connection_of, ending
    from forge.cli.worker.loop import starting
    from forge.cli.worker.loop.folders import usual_root
    from forge.cli.worker.settings.settings import read_settings

    child = {name: value for name, value in (("model", model), ("sandbox", sandbox)) if value}
    flags = {"agent": agent, "slots": slots, "repo": repo, "profile": profile, "name": name}
    code = 0

    def begin() -> None:
        nonlocal code
        settings = read_settings(config, flags | ({"child": child} if child else {}))
        at = connection_of(url, key, home, name=settings.profile or "worker")
        root = folder or usual_root(settings.name)
        code = starting.run(settings, at, root.resolve(), is_once=once)

    raise typer.Exit(ending(begin) or code)


@app.command()
def status(name: Name = "", folder: Place = None) -> None:
    """Show what the worker of this folder is at."""
    from forge.cli.calls import out, say
    from forge.cli.worker.loop.folders import Folder, usual_root
    from forge.cli.worker.loop.shown import table_of

    place = Folder(folder or usual_root(name))
    process, told = place.worker(), place.status()
    if process is None:
        say(f"No worker runs in {place.root}. Start it with forge worker --agent …, or say --folder.")
        if left := [str(row["issue"]) for kind in ("runs", "waiting") for row in told.get(kind) or ()]:
            say(f"What the last one was at goes on then: {', '.join(left)}.")
        raise typer.Exit(1)
    state = "draining" if told.get("draining") else "working"
    say(f"Process {process} is {state} for {told.get('url', '…')}. {told.get('problem') or ''}")
    out.print(table_of(told))


@app.command()
def drain(name: Name = "", folder: Place = None) -> None:
    """Have the worker finish what it has, take nothing more, and end."""
    from forge.cli.worker.loop.signals import DRAIN

    _signal(DRAIN, folder, name)


@app.command()
def stop(name: Name = "", folder: Place = None) -> None:
    """Have the worker end now; what it was at goes on after its next start."""
    from forge.cli.worker.loop.signals import STOP

    _signal(STOP, folder, name)


@app.command()
def logs(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="The id of a run, or the issue whose last one is meant.")
    ],
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Until the run has ended.")] = False,
    url: Url = "",
    key: PersonsKey = "",
    home: Home = Path(".forge"),
) -> None:
    """Show what an agent said in a run, from any machine."""
    from forge.cli.calls import BadArguments, call_tool, ending, harmless
    from forge.cli.persons import persons_connection
    from forge.cli.worker.runs.engagements import RUN

    at = persons_connection(url, key, home)

    def show() -> None:
        after, is_over, run_id = "0", False, run
        if not run.startswith(RUN):
            rows = call_tool(at, "runs.list", {"issueId": run, "limit": 1})["data"]
            if not rows:
                raise BadArguments(f"{run} has no run yet.")
            run_id = rows[0]["id"]
        while not is_over:
            found = call_tool(at, "runs.log", {"runId": run_id, "after": after, "wait": 15 if follow else 0})
            for chunk in found["chunks"]:
                sys.stdout.write(harmless(chunk["text"]))
            sys.stdout.flush()
            is_over = found["next"] == after and (found["ended"] or not follow)
            after = found["next"]

    raise typer.Exit(ending(show))


def _signal(how: signal.Signals, folder: Path | None, name: str) -> None:
    from forge.cli.calls import say
    from forge.cli.worker.loop.folders import Folder, usual_root

    place = Folder(folder or usual_root(name))
    process = place.worker()
    if process is None:
        say(f"No worker runs in {place.root}.")
        raise typer.Exit(1)
    os.kill(process, how)
    say(f"Told process {process}.")
