"""Calls to a fake GitHub that remember how long they would have slept."""

from forge.github.calls import Calls, Site
from forge.github.client import GitHubRepository
from forge.outbound.addresses import Exceptions
from forge.outbound.outbound import Outbound
from forge.testing.github import FakeGitHub

THIS_MACHINE = Exceptions(loopback=True)


class Asker:
    def __init__(self, github: FakeGitHub, *, token: str | None = None) -> None:
        self.slept: list[float] = []
        site = Site(github.base_url, THIS_MACHINE)
        self.calls = Calls(Outbound(), lambda: token or github.token, site, sleep=self.slept.append)

    def repository(self, full_name: str) -> GitHubRepository:
        return GitHubRepository(self.calls, full_name)
