"""Settings of a running process: one frozen value, read from the environment once."""

import importlib
from collections.abc import Callable, Mapping
from typing import NamedTuple

from forge.wire.edge import Backend, Options
from forge.wire.identity import Build
from forge.wire.journal import write_to_stdout
from forge.wire.methods import Eras


class Settings(NamedTuple):
    backend: str
    """`module:function` that opens the deployment's backend."""
    git_sha: str
    build_time: str
    allowed_hosts: frozenset[str]
    has_conformance_fixtures: bool

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Settings":
        return cls(
            backend=environment.get("FORGE_BACKEND", "forge.wire.backend:open_backend"),
            git_sha=environment.get("FORGE_GIT_SHA", "unknown"),
            build_time=environment.get("FORGE_BUILD_TIME", "unknown"),
            allowed_hosts=frozenset(environment.get("FORGE_ALLOWED_HOSTS", "").split()),
            has_conformance_fixtures=environment.get("FORGE_CONFORMANCE_FIXTURES") == "1",
        )

    def open_backend(self) -> Backend:
        module, _, function = self.backend.partition(":")
        if not function:
            raise ValueError("FORGE_BACKEND must be module:function")
        backend: Backend = getattr(importlib.import_module(module), function)()
        return backend

    def options(self, write_log: Callable[[str], object] = write_to_stdout) -> Options:
        return Options(
            write_log=write_log,
            build=Build(self.git_sha, self.build_time),
            allowed_hosts=self.allowed_hosts,
            extend=_with_fixtures if self.has_conformance_fixtures else _as_it_is,
        )


def _as_it_is(eras: Eras) -> Eras:
    return eras


def _with_fixtures(eras: Eras) -> Eras:
    # By name: the fixtures are a test instrument, and no production import may reach them.
    extended: Eras = importlib.import_module("forge.testing.conformance.extension").extend(eras)
    return extended
