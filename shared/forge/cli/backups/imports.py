"""`forge import`: a workspace from the lines of an export, checked whole before the first write."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import sleep

from forge.cli.backups import followers
from forge.cli.backups.files import BackupFile
from forge.cli.backups.places import called
from forge.cli.backups.wanted import Findings, Show, Stopped, Wanted, arm, commit, look, patiently, write
from forge.cli.exports import file_in
from forge.clock import new_id, system_now
from forge.context import Role
from forge.store.codec import decode_item
from forge.store.failures import Pause
from forge.store.keys import sortable_time
from forge.store.store import Store
from forge.work.content.attachments.attachments import AttachmentItem
from forge.work.issues.issues import IssueItem
from forge.work.record.log import events
from forge.work.workspace import founding
from forge.work.workspace.people import members

_MOST_NAMED = 20
_WITH_SECRETS = frozenset(
    {"MemberItem", "ApiKeyItem", "WebhookItem", "AgentItem", "RepositoryItem", "RuntimeItem"}
)


@dataclass(slots=True)
class Lost:
    """What no export holds, and somebody has to make anew: by what it is, the names of some and how many."""

    ended_at: str
    """When all keys end that were live."""
    names: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    has_owner: bool = False

    def note(self, wanted: Wanted) -> None:
        held = decode_item(wanted.row) if wanted.name in _WITH_SECRETS else {}
        match wanted.name:
            case "MemberItem":
                self.has_owner |= held["role"] == Role.OWNER
            case "ApiKeyItem" if held["revoked_at"] == self.ended_at:
                self.names["keys (keys.create)"].append(held["name"])
            case "WebhookItem":
                self.names["secrets of webhooks (webhooks.delete, webhooks.create)"].append(held["url"])
            case "AgentItem" if "webhook_url" in held:
                self.names["secrets of agents' webhooks (agents.update)"].append(held["profile_key"])
            case "RepositoryItem" if held["provider"] == "github":
                self.names["secrets and connections of repositories (repositories.update)"].append(
                    held["full_name"]
                )
            case "RuntimeItem":
                self.names["secret settings of runtimes (runtimes.configure)"].append(held["name"])

    def told(self) -> list[str]:
        return [f"{len(names)} {what}: {_some(names)}" for what, names in self.names.items()]


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    findings: Findings
    lost: Lost
    files_missing: int = 0
    rows_written: int = 0
    raw_key: str | None = None
    """Of the first owner; none where nothing was written."""


def run(
    store: Store,
    backup: BackupFile,
    *,
    files: Path | None,
    is_dry: bool,
    show: Show,
    pause: Pause = sleep,
) -> ImportOutcome:
    """Everything in its order; Stopped before the first write where something is wrong with the file."""
    lost = Lost(sortable_time(backup.about.ordered_at))
    findings = look(store.table, backup, show("Reading the file", backup.rows()), lost.note)
    if not lost.has_owner:
        raise Stopped("No member of this workspace is an OWNER: nobody could use it.")
    if files is not None:
        _require_files(backup, files)
    if is_dry:
        return ImportOutcome(findings, lost)
    if findings.clashes:
        raise Stopped(_refusal(findings))
    rows, workspace_id = findings.missing.total() + findings.same.total(), backup.about.workspace_id
    written = write(store, backup, show("Writing rows", backup.rows(), rows), pause, replaces=False)
    name = called(IssueItem)
    many = findings.missing[name] + findings.same[name]
    issues = show("Making anew what follows from issues", backup.of_kind(IssueItem), many)
    followers.rebuild(store, workspace_id, issues, pause)
    missing = _bring_files(store, show("Sending files", backup.of_kind(AttachmentItem)), files, pause)
    arm(store, backup, show("Setting timers", backup.rows(), rows), pause)
    return ImportOutcome(findings, lost, missing, written, _new_key(store, workspace_id, pause))


def _refusal(findings: Findings) -> str:
    return (
        f"{findings.other.total()} rows are there already and are not the same. An import adds what is "
        "missing and changes nothing else; nothing was written.\n" + "\n".join(findings.clashes)
    )


def _require_files(backup: BackupFile, folder: Path) -> None:
    for one in backup.of_kind(AttachmentItem):
        if one.is_a_file and _size_of(file_in(folder, str(one.blob))) != one.size:
            raise Stopped(f"{folder} has no {one.blob} of {one.size} bytes; nothing was written.")


def _bring_files(
    store: Store, attachments: Iterable[AttachmentItem], folder: Path | None, pause: Pause
) -> int:
    """Send what the bucket has not; how many it does not have then."""
    missing = 0
    for one in attachments:
        if not one.is_a_file:
            continue
        name = str(one.blob)
        stored = patiently(partial(store.blobs.find, name), pause)
        if stored is not None and stored.size == one.size:
            continue
        if folder is None:
            missing += 1
            continue
        with file_in(folder, name).open("rb") as file:
            patiently(partial(store.blobs.put_file, name, file, content_type=one.mime_type), pause)
    return missing


def _new_key(store: Store, workspace_id: str, pause: Pause) -> str:
    tx = founding.setup_transaction(store, workspace_id, now=system_now(), new_id=new_id)
    everybody = members.list_all(store.table, workspace_id)
    _, minted = founding.another_owner_key(tx, everybody, name="Owner, since an import")
    events.record_change(tx, "workspace", workspace_id, action="import")
    commit(store, tx, pause)
    return minted.raw


def _size_of(path: Path) -> int | None:
    return path.stat().st_size if path.is_file() else None


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(sorted(names)[:_MOST_NAMED]) + more
