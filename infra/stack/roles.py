"""Roles: one for each set of rights, which every function with these rights takes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from infra.stack import policies
from infra.stack.encryption import use_key
from infra.stack.logs import FUNCTIONS_LOG
from infra.stack.parameters import if_given
from infra.stack.policies import Statement
from infra.stack.shapes import Resource, Resources, ref


@dataclass(frozen=True, slots=True)
class Rights:
    name: str
    policies: list[Any]
    """A condition may choose between two."""

    @property
    def role(self) -> str:
        return f"{self.name}Role"


def role_resources(all_rights: Iterable[Rights]) -> Resources:
    roles: Resources = {}
    for rights in all_rights:
        made = _role(rights)
        if roles.setdefault(rights.role, made) != made:
            raise ValueError(f"two functions mean different rights by {rights.name}")
    return roles


def role(service: str, granted: list[Any]) -> Resource:
    """What a service of AWS may do for the stack, within the account's boundary where it has one."""
    return {
        "Type": "AWS::IAM::Role",
        "Properties": {
            "AssumeRolePolicyDocument": _assumed_by(service),
            "Policies": granted,
            "PermissionsBoundary": if_given("HasBoundary", ref("PermissionsBoundary")),
        },
    }


def _assumed_by(service: str) -> Resource:
    return {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"}],
    }


def policy(name: str, statements: list[Statement]) -> Resource:
    return {"PolicyName": name, "PolicyDocument": {"Version": "2012-10-17", "Statement": statements}}


def _role(rights: Rights) -> Resource:
    telling = policy("Telling", [policies.write_log(FUNCTIONS_LOG), policies.trace()])
    return role("lambda.amazonaws.com", [telling, *rights.policies, use_key()])
