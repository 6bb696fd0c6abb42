"""The table: its state and keys, its indexes, its stream, what is kept of it and what it forgets."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from forge.cli.doctor.deployments import Deployment
from forge.cli.doctor.findings import Finding, Level
from forge.store.physical import INDEXES, TTL, table_definition

TABLE, INDEX, STREAM, BACKUP, EXPIRY = "table", "indexes", "stream", "backups", "expiry"
_DEPLOY = "Deploy the stack again; its template has it."
_ACTIVE = "ACTIVE"


class KeptTable(NamedTuple):
    """How the table is protected from mistakes."""

    is_protected: bool
    has_recovery: bool


def examine_table(deployment: Deployment) -> Iterator[Finding]:
    yield from judge_table(deployment.described["Table"])


def examine_indexes(deployment: Deployment) -> Iterator[Finding]:
    yield from judge_indexes(deployment.described["Table"])


def examine_stream(deployment: Deployment) -> Iterator[Finding]:
    yield from judge_stream(deployment.described["Table"])


def examine_backups(deployment: Deployment) -> Iterator[Finding]:
    if deployment.is_local:
        yield Finding(BACKUP, Level.SKIP, "Nothing is backed up on one machine: copy the home instead.")
        return
    client = deployment.connections.dynamodb()
    answer: Any = client.describe_continuous_backups(TableName=deployment.table_name)
    recovery = answer["ContinuousBackupsDescription"].get("PointInTimeRecoveryDescription", {})
    yield from judge_backups(
        KeptTable(
            bool(deployment.described["Table"].get("DeletionProtectionEnabled")),
            recovery.get("PointInTimeRecoveryStatus") == "ENABLED",
        )
    )


def examine_expiry(deployment: Deployment) -> Iterator[Finding]:
    client = deployment.connections.dynamodb()
    answer: Any = client.describe_time_to_live(TableName=deployment.table_name)
    yield from judge_expiry(answer["TimeToLiveDescription"])


def judge_table(described: Mapping[str, Any]) -> Iterator[Finding]:
    name, status = described["TableName"], described["TableStatus"]
    if described["KeySchema"] != table_definition()["KeySchema"]:
        yield Finding(
            TABLE, Level.FAIL, f"{name} has other keys than Forge writes.", "Name the table of a Forge stack."
        )
    elif status == "UPDATING":
        yield Finding(TABLE, Level.WARN, f"{name} is being changed.", "Look again when it is ACTIVE.")
    elif status != _ACTIVE:
        yield Finding(TABLE, Level.FAIL, f"{name} is {status}.", "Nothing works until it is ACTIVE.")
    else:
        yield Finding(TABLE, Level.OK, f"{name} is ACTIVE.")


def judge_indexes(described: Mapping[str, Any]) -> Iterator[Finding]:
    found = {one["IndexName"]: one for one in described.get("GlobalSecondaryIndexes", ())}
    wanted = {one["IndexName"]: one for one in table_definition()["GlobalSecondaryIndexes"]}
    problems = list(_problems_of_indexes(found, wanted))
    yield from problems
    if not problems:
        yield Finding(INDEX, Level.OK, f"All {len(INDEXES)} are ACTIVE.")


def _problems_of_indexes(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[Finding]:
    for index in INDEXES:
        name, why = index.name, f"({index.purpose})"
        if name not in found:
            yield Finding(INDEX, Level.FAIL, f"{name} is missing {why}.", _DEPLOY)
        elif found[name].get("IndexStatus", _ACTIVE) != _ACTIVE:
            status = found[name]["IndexStatus"]
            yield Finding(
                INDEX, Level.WARN, f"{name} is {status} {why}.", "Lists that need it wait for it: look later."
            )
        elif not _is_alike(found[name], wanted[name]):
            yield Finding(INDEX, Level.FAIL, f"{name} has other keys or projects less {why}.", _DEPLOY)


def _is_alike(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    kinds = [one["Projection"]["ProjectionType"] for one in (found, wanted)]
    return bool(found["KeySchema"] == wanted["KeySchema"] and kinds[0] == kinds[1])


def judge_stream(described: Mapping[str, Any]) -> Iterator[Finding]:
    told = described.get("StreamSpecification") or {}
    view = table_definition()["StreamSpecification"]["StreamViewType"]
    if not told.get("StreamEnabled"):
        yield Finding(
            STREAM,
            Level.FAIL,
            "It is off: nobody is told of what happens until the sweep comes by.",
            _DEPLOY,
        )
    elif told.get("StreamViewType") != view:
        yield Finding(
            STREAM, Level.FAIL, f"It shows {told.get('StreamViewType')} instead of {view}.", _DEPLOY
        )
    else:
        yield Finding(STREAM, Level.OK, f"It shows each {view}.")


def judge_backups(kept: KeptTable) -> Iterator[Finding]:
    if not kept.has_recovery:
        yield Finding(BACKUP, Level.FAIL, "Point-in-time recovery is off: what is lost is lost.", _DEPLOY)
    if not kept.is_protected:
        yield Finding(
            BACKUP,
            Level.WARN,
            "The table is not protected from deletion.",
            "Deploy with RetainData=true, unless this is a stack to throw away.",
        )
    if kept.has_recovery and kept.is_protected:
        yield Finding(BACKUP, Level.OK, "Recovery is on for any second, and deletion is off.")


def judge_expiry(described: Mapping[str, Any]) -> Iterator[Finding]:
    status, attribute = described.get("TimeToLiveStatus"), described.get("AttributeName")
    if status not in ("ENABLED", "ENABLING"):
        yield Finding(EXPIRY, Level.FAIL, "Time to live is off: the table only grows.", _DEPLOY)
    elif attribute != TTL:
        yield Finding(EXPIRY, Level.FAIL, f"Time to live looks at {attribute!r} instead of {TTL!r}.", _DEPLOY)
    else:
        yield Finding(EXPIRY, Level.OK, "What may be forgotten is removed.")
