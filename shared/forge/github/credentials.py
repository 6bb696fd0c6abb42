"""The token that GitHub is asked with: a workspace's own, from a secret of its own, or made by its App.

What an App's private key signs is good for minutes, and gets a token for one installation that is good for
an hour.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import quote

from forge import jsontext
from forge.errors import Unavailable
from forge.github import secret_names
from forge.github.calls import Calls, Site
from forge.github.failures import GitHubRefused, OutOfReach
from forge.github.records import moment
from forge.outbound.outbound import Outbound
from forge.store.secrets import Kept, NoSecret, Secrets

_SIGNED_BEFORE = timedelta(seconds=60)
"""GitHub's clock may be behind ours, and what is signed later than now is refused there."""
_SIGNED_FOR = timedelta(minutes=9)
_RENEWED_BEFORE_END = timedelta(minutes=5)


class GitHubGrant(NamedTuple):
    """What an operator said of a repository's credentials."""

    workspace_id: str
    token_secret: str | None = None
    """A name or an ARN."""
    installation_id: str | None = None
    own_token: str | None = None
    """On a machine of somebody's own: the one of its environment."""


class Means(NamedTuple):
    """What it takes to come by a token."""

    secrets: Secrets
    outbound: Outbound
    site: Site
    now: Callable[[], datetime]


def token_for(grant: GitHubGrant, means: Means) -> str:
    """A token that is good now; a GitHubFailure says why there is none, and what an admin can do."""
    if grant.token_secret:
        return _stored_token(grant.workspace_id, grant.token_secret, means)
    if grant.installation_id:
        return _installation_token(grant.workspace_id, grant.installation_id, means)
    if grant.own_token:
        return grant.own_token
    wanted = f"{secret_names.prefix_of(means.secrets.root, grant.workspace_id)}token"
    raise GitHubRefused(
        f"There is no token for this repository. An admin keeps one in the secret {wanted}, and gives its "
        "ARN to repositories.update as connection.tokenSecretArn; on a machine of one's own, the variable "
        "FORGE_GITHUB_TOKEN will do."
    )


def _stored_token(workspace_id: str, name: str, means: Means) -> str:
    """The secret's text, or what it calls `token` where it is an object."""
    root = means.secrets.root
    if not secret_names.is_own(root, workspace_id, name):
        prefix = secret_names.prefix_of(root, workspace_id)
        raise GitHubRefused(
            f"The secret of this repository's token must be one whose name begins with {prefix}. An admin "
            "makes it, and gives its ARN to repositories.update as connection.tokenSecretArn."
        )
    text = _secret(name, means)
    if not text.lstrip().startswith("{"):
        return text.strip()
    token = _object_in(text).get("token")
    if not isinstance(token, str):
        raise GitHubRefused(f"The secret {name} must be a token, or a JSON object that has it as token.")
    return token


def _installation_token(workspace_id: str, installation_id: str, means: Means) -> str:
    name = f"installation {workspace_id} {installation_id} {means.site.base_url}"
    return means.secrets.kept(
        name, now=means.now(), make=lambda: _new_token(workspace_id, installation_id, means)
    )


def _new_token(workspace_id: str, installation_id: str, means: Means) -> Kept:
    signed = _signed_by_app(secret_names.app_of(means.secrets.root, workspace_id), means)
    calls = Calls(means.outbound, lambda: signed, means.site)
    # Two are as good as one: the first is not used, and ends by itself.
    made = calls.post(f"/app/installations/{quote(installation_id, safe='')}/access_tokens", {}, repeats=True)
    try:
        return Kept(str(made["token"]), moment(made["expires_at"]) - _RENEWED_BEFORE_END)
    except (KeyError, TypeError, ValueError):
        raise OutOfReach("GitHub's answer holds no token.") from None


def _signed_by_app(name: str, means: Means) -> str:
    import jwt  # on first use, as cryptography, which it imports then: few calls are an App's

    app = _object_in(_secret(name, means))
    app_id, key = app.get("appId"), app.get("privateKey")
    now = means.now()
    claims = {
        "iat": int((now - _SIGNED_BEFORE).timestamp()),
        "exp": int((now - _SIGNED_BEFORE + _SIGNED_FOR).timestamp()),
        "iss": str(app_id),
    }
    try:
        if isinstance(key, str) and app_id:
            return jwt.encode(claims, key, algorithm="RS256")
    except (jwt.PyJWTError, ValueError, TypeError):
        # What the library says of a key that is none may hold a part of it.
        pass
    raise GitHubRefused(
        f"The secret {name} must be a JSON object of appId and privateKey, which is in PEM format."
    )


def _secret(name: str, means: Means) -> str:
    try:
        return means.secrets.text(name, now=means.now())
    except NoSecret as reason:
        raise GitHubRefused(
            f"{reason} An admin makes it, or names another one in repositories.update."
        ) from None
    except Unavailable:
        raise OutOfReach(f"The secret {name} could not be fetched in time.") from None


def _object_in(text: str) -> dict[str, Any]:
    try:
        found = jsontext.decode(text)
    except jsontext.BadJson:
        return {}
    return found if isinstance(found, dict) else {}
