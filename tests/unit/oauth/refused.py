"""How tests see that something was refused, and where that is kept."""

import json

from forge.testing.world import World
from tests.unit.oauth.desk import ORIGIN, Desk
from tests.workshop.browser import Page

EVIL = "https://evil.example/callback"


def audited(desk: Desk) -> list[tuple[str, str | None]]:
    rows = desk.admin("audit.list", entity="key", limit=100)["data"]
    return [(row["tool"], row.get("code")) for row in rows]


def logged(world: World) -> list[str]:
    return [json.loads(line)["outcome"] for line in world.log if '"door":"oauth"' in line]


def nobody_was_sent(page: Page) -> bool:
    return page.url.startswith(ORIGIN) and page.status == 400 and "location" not in page.headers
