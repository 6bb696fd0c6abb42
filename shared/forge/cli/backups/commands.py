"""`forge import` and `forge restore`: what can be typed, and what is said."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from forge.cli.options import AsJson, Home

if TYPE_CHECKING:
    # Loaded when something is typed that needs them.
    from forge.cli.backups.wanted import Findings
    from forge.store.store import Store

ThingT = TypeVar("ThingT")

Table = Annotated[
    str, typer.Option(envvar="FORGE_TABLE", help="Name of the deployed table; default: a local Forge's.")
]
Bucket = Annotated[str, typer.Option(envvar="FORGE_BUCKET", help="Name of the deployed bucket.")]
Region = Annotated[
    str, typer.Option(envvar=["AWS_REGION", "AWS_DEFAULT_REGION"], help="Where they are, in AWS.")
]
Endpoint = Annotated[str | None, typer.Option(envvar="AWS_ENDPOINT_URL", help="Instead of AWS.")]
Dry = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")]


def import_(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="What forge admin export wrote.")],
    files: Annotated[
        Path | None, typer.Option(exists=True, file_okay=False, help="What export --files wrote.")
    ] = None,
    is_dry: Dry = False,
    slug: Annotated[str | None, typer.Option(help="Another slug than the workspace had.")] = None,
    key: Annotated[str | None, typer.Option(help="Another prefix of identifiers than it had.")] = None,
    table: Table = "",
    bucket: Bucket = "",
    region: Region = "us-east-1",
    endpoint: Endpoint = None,
    home: Home = Path(".forge"),
    as_json: AsJson = False,
) -> None:
    """Bring a workspace back from an export, into a table that does not have it or has a part of it."""
    from forge.cli.backups import imports
    from forge.cli.backups.files import BackupFile
    from forge.cli.bootstrap import problem_with_names

    def run(store: "Store") -> dict[str, Any]:
        backup = BackupFile(file, store.blobs, slug=slug, key_prefix=key)
        done = imports.run(store, backup, files=files, is_dry=is_dry, show=_show)
        findings = {} if done.raw_key else {"findings": _shown(done.findings)}
        return {
            "workspaceId": backup.about.workspace_id,
            **findings,
            "rowsWritten": done.rows_written,
            "filesMissing": done.files_missing,
            "toMakeAnew": done.lost.told(),
            "rawKey": done.raw_key,
        }

    problem = problem_with_names(slug, key)
    with _opened(table, bucket, region=region, endpoint=endpoint, home=home) as store:
        raise typer.Exit(_ending(run, store, problem=problem, as_json=as_json))


def restore(
    from_table: Annotated[str, typer.Option(help="Name of the copy, as point-in-time recovery made it.")],
    workspace: Annotated[str | None, typer.Option(help="The id of one; default: everything.")] = None,
    replaces: Annotated[
        bool, typer.Option("--replace", help="Also change back and remove what came since.")
    ] = False,
    is_dry: Dry = False,
    table: Table = "",
    bucket: Bucket = "",
    region: Region = "us-east-1",
    endpoint: Endpoint = None,
    home: Home = Path(".forge"),
    as_json: AsJson = False,
) -> None:
    """Bring workspaces back as they were in a copy of the table."""
    from forge.cli.backups import restores
    from forge.store.table import Table as StoredTable

    def run(store: "Store") -> dict[str, Any]:
        copy = StoredTable(from_table, lambda: store.table.client)
        done = restores.run(store, copy, workspace_id=workspace, replaces=replaces, is_dry=is_dry, show=_show)
        findings = {"findings": _shown(done.findings)} if is_dry else {}
        return {
            "workspaceIds": done.workspaces,
            **findings,
            "rowsWritten": done.rows_written,
            "rowsRemoved": done.rows_removed,
            "filesMissing": done.files_missing,
        }

    problem = "--from-table: this is the table itself." if from_table == table else None
    with _opened(table, bucket, region=region, endpoint=endpoint, home=home) as store:
        raise typer.Exit(_ending(run, store, problem=problem, as_json=as_json))


@contextmanager
def _opened(
    table: str, bucket: str, *, region: str, endpoint: str | None, home: Path
) -> Iterator["Store | str"]:
    """The deployed store, or that of a local Forge, which must not run; or why there is none."""
    from forge.cli.bootstrap import store_at
    from forge.store.connections import Connections

    if table:
        yield (
            store_at(table, Connections(region, endpoint), bucket=bucket)
            if bucket
            else ("--bucket: the name of the stack's bucket belongs to --table.")
        )
        return
    from forge.cli.dev import NAME
    from forge.cli.local.homes import Taken, taken
    from forge.cli.local.supervisor import NotStarted, running_aws
    from forge.store.provision import provision

    try:
        with taken(home, port=0) as lock, running_aws(home / "aws", lock=lock, tell=_tell) as aws:
            yield provision(aws.connections(), NAME)
    except (Taken, NotStarted) as problem:
        yield str(problem)


def _ending(
    run: Callable[["Store"], dict[str, Any]], store: "Store | str", *, problem: str | None, as_json: bool
) -> int:
    from forge.cli.backups.wanted import Stopped
    from forge.cli.calls import BadArguments
    from forge.errors import DomainError
    from forge.jsontext import encode
    from forge.store.answers import NoAnswer, Refused

    if problem or isinstance(store, str):
        _tell(problem or str(store))
        return 2
    try:
        done = run(store)
    except (Stopped, BadArguments, NoAnswer, Refused) as reason:
        _tell(str(reason))
        return 1
    except DomainError as error:
        _tell(f"{error.message} {error.__cause__ or error.hint or ''}".strip())
        return 1
    typer.echo(encode(done) if as_json else _text(done))
    return 0


def _shown(findings: "Findings") -> dict[str, Any]:
    kinds = sorted({*findings.missing, *findings.same, *findings.other, *findings.extra})
    counted = {
        kind: {
            "missing": findings.missing[kind],
            "same": findings.same[kind],
            "other": findings.other[kind],
            "extra": findings.extra[kind],
        }
        for kind in kinds
    }
    return {"kinds": counted, "clashes": findings.clashes}


def _text(done: dict[str, Any]) -> str:
    lines: list[str] = []
    if findings := done.get("findings"):
        lines.append(f"{'kind':<32}{'missing':>9}{'same':>9}{'other':>9}{'extra':>9}")
        for kind, counts in findings["kinds"].items():
            lines.append(f"{kind:<32}" + "".join(f"{number:>9}" for number in counts.values()))
        lines += ["", *findings["clashes"]]
        lines.append("Nothing was written.")
    else:
        removed = f", {done['rowsRemoved']} removed" if "rowsRemoved" in done else ""
        lines.append(f"{done['rowsWritten']} rows were written{removed}.")
    if done.get("filesMissing"):
        lines.append(f"{done['filesMissing']} files are not in the bucket; forge import --files sends them.")
    if done.get("toMakeAnew"):
        lines += [
            "",
            "No export holds secrets. To be made anew:",
            *(f"  {one}" for one in done["toMakeAnew"]),
        ]
    if done.get("rawKey"):
        lines += ["", "A key of the owner, shown only now:", "", f"  {done['rawKey']}"]
    return "\n".join(lines)


def _show(text: str, things: Iterable[ThingT], /, total: int | None = None) -> Iterable[ThingT]:
    """A bar where somebody looks, and a line elsewhere."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    if not console.is_terminal:
        _tell(f"{text}.")
    return track(things, text, total=total, console=console, disable=not console.is_terminal)


def _tell(text: str) -> None:
    typer.echo(text, err=True)
