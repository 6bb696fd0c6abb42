"""Roles: one for each set of rights, which every function with these rights takes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from infra.stack import policies
from infra.stack.logs import FUNCTIONS_LOG
from infra.stack.policies import Statement
from infra.stack.shapes import Resource, Resources


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
        role = _role(rights)
        if roles.setdefault(rights.role, role) != role:
            raise ValueError(f"two functions mean different rights by {rights.name}")
    return roles


def assumed_by(service: str) -> Resource:
    return {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"}],
    }


def policy(name: str, statements: list[Statement]) -> Resource:
    return {"PolicyName": name, "PolicyDocument": {"Version": "2012-10-17", "Statement": statements}}


def _role(rights: Rights) -> Resource:
    telling = policy("Telling", [policies.write_log(FUNCTIONS_LOG), policies.trace()])
    return {
        "Type": "AWS::IAM::Role",
        "Properties": {
            "AssumeRolePolicyDocument": assumed_by("lambda.amazonaws.com"),
            "Policies": [telling, *rights.policies],
        },
    }
