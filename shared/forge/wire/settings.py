"""Settings of a running process: one frozen value, read from the environment once."""

import importlib
import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from forge.jsontext import decode
from forge.wire.edge import Backend, Options
from forge.wire.identity import Build
from forge.wire.journal import write_to_stdout
from forge.wire.methods import Eras
from forge.wire.switchboard import Runner

SIGN_IN = "functions.oauth.routes"
"""By name: nothing here imports a function, and only who is asked for it loads it."""


class Settings(NamedTuple):
    backend: str
    """`module:function` that opens the deployment's backend."""
    build: Build
    team: str
    """Tells deployments apart in metrics; a machine of one's own has none."""
    has_namespace_metrics: bool
    """Whether durations are told by namespace, too."""
    allowed_hosts: frozenset[str]
    has_conformance_fixtures: bool
    oauth: str
    """What signs people in: see `forge.wire.edge.Options`."""
    oidc: Mapping[str, str]
    """With which provider, if with any."""
    functions: Mapping[str, str]
    """The functions that the router invokes, by folder; none when tools run in the router itself."""

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Settings":
        shipped = Build.shipped()
        return cls(
            backend=environment.get("FORGE_BACKEND", "forge.wire.backend:open_backend"),
            build=Build(
                environment.get("FORGE_GIT_SHA", shipped.git_sha),
                environment.get("FORGE_BUILD_TIME", shipped.time),
            ),
            team=environment.get("FORGE_TEAM", ""),
            has_namespace_metrics=environment.get("FORGE_NAMESPACE_METRICS") == "true",
            allowed_hosts=frozenset(environment.get("FORGE_ALLOWED_HOSTS", "").split()),
            has_conformance_fixtures=environment.get("FORGE_CONFORMANCE_FIXTURES") == "1",
            oauth="" if environment.get("FORGE_OAUTH") == "off" else SIGN_IN,
            oidc={name: value for name, value in environment.items() if name.startswith("FORGE_OIDC_")},
            functions=_functions(environment),
        )

    def open_backend(self) -> Backend:
        module, _, function = self.backend.partition(":")
        if not function:
            raise ValueError("FORGE_BACKEND must be module:function")
        backend: Backend = getattr(importlib.import_module(module), function)()
        return backend

    def options(self, write_log: Callable[[str], object] = write_to_stdout) -> Options:
        return Options(
            team=self.team,
            by_namespace=self.has_namespace_metrics,
            write_log=write_log,
            build=self.build,
            allowed_hosts=self.allowed_hosts,
            oauth=self.oauth,
            oidc=self.oidc,
            extend=_with_fixtures if self.has_conformance_fixtures else _as_it_is,
            runner=self._remote_runner() if self.functions else None,
        )

    def _remote_runner(self) -> Runner:
        # Only where it is used: most functions run their own tools.
        from forge.wire.backend import connections_of
        from forge.wire.remote import RemoteRunner

        return RemoteRunner(self.functions, connections_of(os.environ).functions)


def _functions(environment: Mapping[str, str]) -> Mapping[str, str]:
    if environment.get("FORGE_ROUTER_MODE") != "invoke":
        return {}
    functions: Mapping[str, str] = decode(environment["FORGE_FUNCTIONS"])
    return functions


def _as_it_is(eras: Eras) -> Eras:
    return eras


def _with_fixtures(eras: Eras) -> Eras:
    # By name: the fixtures are a test instrument, and no production import may reach them.
    extended: Eras = importlib.import_module("forge.testing.conformance.extension").extend(eras)
    return extended
