"""What tests of signing in work with: a workspace, a browser, and what both are asked for."""

import json
from typing import Any, NamedTuple

from forge.auth.entrance import KeyCheck
from forge.testing.world import World
from forge.wire.http import Request
from forge.wire.journal import Journal
from forge.wire.sign_in import Ground
from forge.work.workspace.workspaces import WorkspaceItem
from functions.oauth.visits import Visit
from tests.workshop.browser import Browser, Page

ORIGIN = "https://forge.example"


class Desk(NamedTuple):
    world: World
    workspace: WorkspaceItem
    browser: Browser

    @property
    def owner_key(self) -> str:
        return self.world.owner_key(self.workspace)

    def sign_in(self, key: str | None = None, *, onward: str = "") -> Page:
        page = self.browser.open(f"/oauth/sign-in?next={onward}")
        return self.browser.submit(page, {"key": key or self.owner_key})

    def visit(self, path: str) -> Visit:
        """A request as what answers it sees it, for what happens between two looks of one."""
        services = self.world.services
        ground = Ground(services, self.world.keeper.keys, Journal(services.now, self.world.log.append))
        return Visit(Request("POST", path, {}, "", "req_1"), ground, KeyCheck(ground.keys, services.tokens))

    def admin(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = self.world.admin(tool, arguments, key=self.owner_key)
        found: dict[str, Any] = json.loads(answer.body)
        assert answer.status == 200, found
        return found

    def keys(self, name: str) -> list[dict[str, Any]]:
        """Those in the list that are called so."""
        return [one for one in self.admin("keys.list", limit=100)["data"] if one["name"] == name]
