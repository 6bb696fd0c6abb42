"""How a thing is found that is named without its parent: an issue by its number, a comment by its id."""

import re

from forge.store.items import Item
from forge.store.keys import REFERENCES, At

IDENTIFIER = re.compile(r"([A-Za-z0-9]{2,8})-([0-9]{1,10})")
"""An issue as people write it: the workspace's prefix and the issue's number."""


class ReferenceItem(Item):
    """Finds a thing that is named without its parent: an issue by its number, a comment by its id."""

    stored = At(REFERENCES, "REF")

    workspace_id: str
    name: str
    issue_id: str
    sort: str = ""
    """Where in the issue's partition the thing is; nothing for the issue itself."""
