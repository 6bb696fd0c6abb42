"""The AWS account that a command reaches, and whether it does: looked at before anything takes time."""

from dataclasses import dataclass
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError


class NoAccount(Exception):
    """Why AWS can't be asked, and what to do."""


@dataclass(frozen=True, slots=True)
class Account:
    """As whom AWS knows whoever runs this."""

    id: str
    caller: str

    @classmethod
    def reached(cls) -> "Account":
        session = boto3.Session()
        try:
            if session.get_credentials() is None:
                raise NoAccount(
                    "There are no AWS credentials. Set AWS_PROFILE to a profile (`aws configure sso` "
                    "makes one), or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; in CI, take a role by "
                    "OIDC."
                )
            # The one region that answers for all of them.
            told = session.client("sts", region_name=session.region_name or "us-east-1").get_caller_identity()
        except (BotoCoreError, ClientError) as problem:
            raise NoAccount(
                f"AWS does not take the credentials: {problem}. Sign in again: aws sso login."
            ) from None
        return cls(told["Account"], told["Arn"])


def default_region() -> str | None:
    """What the profile or the environment of whoever runs this says."""
    return boto3.Session().region_name


def client(service: str, region: str) -> Any:
    session: Any = boto3.Session()
    return session.client(service, region_name=region)
