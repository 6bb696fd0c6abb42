"""The OpenID provider that people sign in with: what the function is told of it, and its client's secret.

As a secret that is read when somebody signs in, and not as variables: those are part of a version, whose
description has no room for so many values.
"""

from typing import Any

from infra.stack.encryption import key_property
from infra.stack.policies import SECRETS, Statement
from infra.stack.shapes import Resources, sub

SETTINGS = "ProviderSettings"
_NAME = f"{SECRETS}oidc/settings"
_TOLD = {
    "ISSUER": "OidcIssuer",
    "CLIENT_ID": "OidcClientId",
    "SECRET_NAME": "OidcSecret",
    "NAME": "OidcName",
    "GROUPS_CLAIM": "OidcGroupsClaim",
    "WORKSPACE": "OidcWorkspace",
}
"""By the last word of the variable that a machine of one's own has, the parameter."""


def provider_resources() -> Resources:
    lines = [f"FORGE_OIDC_{name}=${{{parameter}}}" for name, parameter in _TOLD.items()]
    return {
        SETTINGS: {
            "Type": "AWS::SecretsManager::Secret",
            "Condition": "HasProvider",
            "Properties": {
                "Description": "The OpenID provider that people sign in with.",
                # The function knows it by its name: whether it is there must be nothing that a version says.
                "Name": sub(_NAME),
                "SecretString": sub("\n".join(lines)),
                **key_property("KmsKeyId"),
            },
        }
    }


def environment() -> dict[str, Any]:
    return {"FORGE_OIDC_SETTINGS": sub(_NAME)}


def read_secrets() -> Statement:
    """These settings, and whatever the client's own secret is called beneath the same."""
    place = "arn:${AWS::Partition}:secretsmanager:${AWS::Region}:${AWS::AccountId}:secret:"
    return {
        "Sid": "ReadProviderSecrets",
        "Effect": "Allow",
        "Action": ["secretsmanager:GetSecretValue"],
        "Resource": [sub(f"{place}{SECRETS}oidc/*")],
    }
