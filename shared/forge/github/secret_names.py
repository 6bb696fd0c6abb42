"""Which secrets are a workspace's own, by their names: one tenant never uses another's.

`root` is what the names of the deployment's secrets begin with: another one in the same account has another.
"""

import re

_ARN = re.compile(r"arn:[a-z0-9-]+:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:(.+)")
_NAME = re.compile(r"[A-Za-z0-9/_+=.@-]{1,512}")


def prefix_of(root: str, workspace_id: str) -> str:
    """What the name of each of its secrets begins with."""
    return f"{root}github/{workspace_id}/"


def app_of(root: str, workspace_id: str) -> str:
    """The secret that holds the id and the private key of the workspace's GitHub App."""
    return f"{prefix_of(root, workspace_id)}app"


def is_own(root: str, workspace_id: str, given: str) -> bool:
    """Whether a name or an ARN is of this workspace; what is neither is nobody's."""
    found = _ARN.fullmatch(given)
    name = found[1] if found else given
    prefix = prefix_of(root, workspace_id)
    return _NAME.fullmatch(name) is not None and name.startswith(prefix) and len(name) > len(prefix)
