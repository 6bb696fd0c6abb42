"""What is around the table: the clock, the versions that answer, the secret, the bucket."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

import httpx

from forge.cli.doctor.deployments import Deployment
from forge.cli.doctor.findings import Finding, Level, listed
from forge.wire.paths import HEALTH_PATH

CLOCK, VERSIONS, SECRET, BUCKET = "clock", "versions", "token secret", "bucket"
_APART, _TOO_FAR_APART = timedelta(seconds=30), timedelta(minutes=4)
"""AWS refuses what is signed five minutes before or after its own time."""
_ASK_SECONDS = 10
_LAYER = "SharedLayer"


class Versions(NamedTuple):
    command: str
    served: str
    """What answers calls; nothing where nobody did."""
    layers: frozenset[str] = frozenset()
    """Of `forge` itself, which all functions have in common."""


def examine_clock(deployment: Deployment, skew: timedelta) -> Iterator[Finding]:
    described = deployment.described
    told = described["ResponseMetadata"]["HTTPHeaders"].get("date")
    if told is None:
        yield Finding(CLOCK, Level.SKIP, "This AWS does not tell the time.")
        return
    yield from judge_clock(parsedate_to_datetime(told), described["at"] + skew)


def judge_clock(theirs: datetime, ours: datetime) -> Iterator[Finding]:
    apart = abs(theirs - ours)
    seconds = int(apart.total_seconds())
    if apart < _APART:
        yield Finding(CLOCK, Level.OK, "This machine and AWS agree about the time.")
        return
    direction = "behind" if ours < theirs else "ahead"
    yield Finding(
        CLOCK,
        Level.FAIL if apart >= _TOO_FAR_APART else Level.WARN,
        f"This machine is {seconds} s {direction} of AWS, which refuses requests from 300 s on.",
        "Set its clock: switch NTP on (`timedatectl set-ntp true`).",
    )


def examine_versions(deployment: Deployment, command: str) -> Iterator[Finding]:
    if not deployment.url:
        yield Finding(VERSIONS, Level.SKIP, "Not looked at: nobody said where.", "Say --stack.")
        return
    yield from judge_versions(Versions(command, _served(deployment.url), _layers(deployment)))


def _served(url: str) -> str:
    try:
        answer = httpx.get(f"{url.rstrip('/')}{HEALTH_PATH}", timeout=_ASK_SECONDS, trust_env=False)
        return str(answer.json()["version"]) if answer.is_success else ""
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        return ""


def _layers(deployment: Deployment) -> frozenset[str]:
    client = deployment.connections.functions()
    configured: list[Any] = [
        client.get_function_configuration(FunctionName=name) for name in deployment.functions
    ]
    return frozenset(
        layer["Arn"].rpartition(":")[2]
        for one in configured
        for layer in one.get("Layers", ())
        if _LAYER in layer["Arn"]
    )


def judge_versions(versions: Versions) -> Iterator[Finding]:
    problems = 0
    if not versions.served:
        problems += 1
        yield Finding(
            VERSIONS,
            Level.FAIL,
            "Nobody answers /healthz at the address of the deployment.",
            "On one machine, start `forge dev`. Else look at the API's log and the router's, or say --url.",
        )
    elif versions.served != versions.command:
        problems += 1
        yield Finding(
            VERSIONS,
            Level.WARN,
            f"This command is {versions.command}, and what answers is {versions.served}.",
            "Install the command of that version, or deploy this one.",
        )
    if len(versions.layers) > 1:
        problems += 1
        yield Finding(
            VERSIONS,
            Level.FAIL,
            f"Functions have different versions of the shared layer: {listed(sorted(versions.layers))}.",
            "A deployment did not come to its end: deploy again.",
        )
    if not problems:
        yield Finding(VERSIONS, Level.OK, f"Command and deployment are {versions.command}.")


def examine_secret(deployment: Deployment) -> Iterator[Finding]:
    if not deployment.token_secret:
        where = "It is in the home." if deployment.is_local else "Not looked at: nobody said which."
        yield Finding(SECRET, Level.SKIP, where)
        return
    described = deployment.connections.secrets().describe_secret(SecretId=deployment.token_secret)
    if described.get("DeletedDate"):
        yield Finding(
            SECRET,
            Level.FAIL,
            "It is about to be deleted: tokens stop working.",
            "`aws secretsmanager restore-secret` brings it back.",
        )
    else:
        yield Finding(SECRET, Level.OK, "It is there.")


def examine_bucket(deployment: Deployment) -> Iterator[Finding]:
    if not deployment.bucket:
        yield Finding(BUCKET, Level.SKIP, "Not looked at: nobody said which.", "Say --stack.")
        return
    client = deployment.connections.s3()
    try:
        client.head_bucket(Bucket=deployment.bucket)
    except client.exceptions.ClientError as error:
        if error.response["Error"]["Code"] != "404":
            raise
        yield Finding(
            BUCKET,
            Level.FAIL,
            f"{deployment.bucket} is missing: files and long texts can't be read.",
            "Restore it, or deploy into another stack and bring the data there.",
        )
    else:
        yield Finding(BUCKET, Level.OK, f"{deployment.bucket} is there.")
