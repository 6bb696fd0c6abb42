"""What is secret is left out of what is shown, whatever it is called, and what is not stays."""

from typing import Any

import pytest

from forge.work.record.log.secrecy import is_secret, without


@pytest.mark.parametrize(
    "name",
    [
        "secret",
        "webhookSecret",
        "dbPassword",
        "passphrase",
        "token",
        "GITHUB_TOKEN",
        "refreshTokens",
        "Authorization",
        "x-api-key",
        "apiKeys",
        "privateKey",
        "AWS_ACCESS_KEY",
        "key",
        "auth",
        "Set-Cookie",
    ],
)
def test_what_is_named_a_secret_is_one(name: str) -> None:
    assert is_secret(name, "hunter2")
    assert is_secret(name, ["hunter2"])


@pytest.mark.parametrize(
    "value",
    [
        "Bearer abc",
        "https://user:pass@host.example/x",
        "postgres://:pass@db",
        "--api-key=abc",
        "sk-abcdefgh12",
        "ghp_abcdefgh",
        "-----BEGIN RSA PRIVATE KEY-----",
        "X-Api-Key: abc",
        "forge_sk_abcdefgh",
    ],
)
def test_what_looks_like_a_secret_is_one(value: str) -> None:
    assert is_secret("anything", value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("token", None),
        ("token", ""),
        ("usesToken", True),
        ("maxTokens", 4000),
        ("profileKey", "worker"),
        ("workspaceRoot", "/srv/tokens"),
        ("endpoint", "https://a.example:8443/x@y"),
        ("author", "Ada"),
        ("task", "task-force-one"),
    ],
)
def test_what_is_no_secret_is_shown(name: str, value: object) -> None:
    assert not is_secret(name, value)


def test_only_what_is_secret_is_left_out_however_deep() -> None:
    config: Any = {
        "sandbox": {
            "env": [{"name": "API_KEY", "value": "x"}, {"name": "HOME", "value": "/root"}],
            "token": "x",
        },
        "args": ["--quiet", "--token=x"],
        "root": "/srv",
    }

    assert without(config) == {
        "sandbox": {"env": [{"name": "API_KEY"}, {"name": "HOME", "value": "/root"}]},
        "args": ["--quiet"],
        "root": "/srv",
    }
