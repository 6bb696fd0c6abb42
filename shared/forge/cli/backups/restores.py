"""`forge restore`: a workspace, or all of them, as they were in a copy of the table."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from time import sleep

from forge.cli.backups.copies import TableCopy, keys_outside, named, pages
from forge.cli.backups.wanted import (
    Findings,
    Show,
    Stopped,
    Wanted,
    Writer,
    arm,
    commit,
    look,
    patiently,
    write,
)
from forge.clock import new_id, system_now
from forge.store import raw_rows
from forge.store.codec import decode_item
from forge.store.failures import Pause
from forge.store.readings import Attributes, key_of
from forge.store.store import Store
from forge.store.table import Table
from forge.work.content.attachments.attachments import AttachmentItem
from forge.work.record.log import events
from forge.work.workspace.founding import setup_transaction

_KEPT = "LOG"
"""What happened since is told by the log all the same."""


@dataclass(frozen=True, slots=True)
class Restored:
    findings: Findings
    workspaces: list[str]
    rows_written: int = 0
    rows_removed: int = 0
    files_missing: int = 0


def run(
    store: Store,
    copy: Table,
    *,
    workspace_id: str | None,
    replaces: bool,
    is_dry: bool,
    show: Show,
    pause: Pause = sleep,
) -> Restored:
    """Everything in its order; Stopped before the first write where something must not be changed."""
    source, found = TableCopy(copy, workspace_id, system_now()), list[str]()
    findings = look(store.table, source, show(f"Reading {copy.name}", source.rows()), partial(_note, found))
    if not found:
        raise Stopped(f"There is no such workspace in {copy.name}; nothing was written.")
    findings.extra.update(named(row) for row in show("Reading what came since", _since(store, source)))
    if is_dry:
        return Restored(findings, found)
    if findings.has_others:
        raise Stopped("Somebody else has it by now; nothing was written.\n" + "\n".join(findings.clashes))
    if not replaces and (findings.other or findings.extra):
        raise Stopped(_refusal(findings))
    rows = (findings.missing + findings.same + findings.other).total()
    written = write(store, source, show("Writing rows", source.rows(), rows), pause, replaces=replaces)
    removed = _remove(store, show("Removing rows", _since(store, source)), pause) if replaces else 0
    missing = _bring_files_back(store, show("Looking for files", source.rows(), rows), pause)
    arm(store, source, show("Setting timers", source.rows(), rows), pause)
    for one in found:
        _record(store, one, pause)
    return Restored(findings, found, written, removed, missing)


def _note(found: list[str], wanted: Wanted) -> None:
    if wanted.name == "WorkspaceItem":
        found.append(str(decode_item(wanted.row)["id"]))


def _refusal(findings: Findings) -> str:
    return (
        f"{findings.other.total()} rows were changed since the copy and {findings.extra.total()} were added; "
        "nothing was written. --dry-run shows them by kind; --replace makes all as it was then, and what "
        "came since is lost but for the log."
    )


def _since(store: Store, source: TableCopy) -> Iterator[Attributes]:
    """What is there and was not there then."""
    for page in pages(store.table, source.prefix or "WS#"):
        inside = [row for row in page if key_of(row).partition.split("#", 2)[-1] != _KEPT]
        yield from source.missing_from(inside)


def _remove(store: Store, rows: Iterable[Attributes], pause: Pause) -> int:
    """With what authenticates by a key that was not there then: it would open what nobody lists."""
    writer = Writer(store, pause)
    for row in rows:
        for outside in raw_rows.found(store.table, keys_outside(row)).values():
            if key_of(outside).partition.startswith("KEY#"):
                writer.remove(outside)
        writer.remove(row)
    writer.flush()
    return writer.written


def _bring_files_back(store: Store, rows: Iterable[Wanted], pause: Pause) -> int:
    """Those that were deleted since; how many are gone for good."""
    missing = 0
    for one in rows:
        if one.name == "AttachmentItem":
            item = AttachmentItem.from_attributes(one.row)
            if item.is_a_file and not patiently(partial(store.blobs.bring_back, str(item.blob)), pause):
                missing += 1
    return missing


def _record(store: Store, workspace_id: str, pause: Pause) -> None:
    tx = setup_transaction(store, workspace_id, now=system_now(), new_id=new_id)
    events.record_change(tx, "workspace", workspace_id, action="restore")
    commit(store, tx, pause)
