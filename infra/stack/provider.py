"""The OpenID provider that people sign in with: what the function is told of it, and its client's secret."""

from typing import Any

from infra.stack.policies import SECRETS, Statement
from infra.stack.shapes import ref, sub

_TOLD = {
    "ISSUER": "OidcIssuer",
    "CLIENT_ID": "OidcClientId",
    "SECRET_NAME": "OidcSecret",
    "NAME": "OidcName",
    "GROUPS_CLAIM": "OidcGroupsClaim",
    "WORKSPACE": "OidcWorkspace",
}
"""By the last word of the variable, the parameter."""


def environment() -> dict[str, Any]:
    return {f"FORGE_OIDC_{name}": ref(parameter) for name, parameter in _TOLD.items()}


def read_secret() -> Statement:
    """Whatever it is called beneath the names that are kept for it."""
    place = "arn:${AWS::Partition}:secretsmanager:${AWS::Region}:${AWS::AccountId}:secret:"
    return {
        "Sid": "ReadProviderSecret",
        "Effect": "Allow",
        "Action": ["secretsmanager:GetSecretValue"],
        "Resource": [sub(f"{place}{SECRETS}oidc/*")],
    }
