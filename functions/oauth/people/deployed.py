"""The single sign-on of a deployment as it is now: its settings may change while a process lives."""

from collections.abc import Mapping

from forge.context import Services
from forge.errors import Unavailable
from forge.store.secrets import KEPT_FOR, Kept, NoSecret
from functions.oauth.people.providers import Misconfigured
from functions.oauth.people.single_sign_on import SingleSignOn, single_sign_on

_SECRET = "FORGE_OIDC_SETTINGS"
"""Names the secret that has the other settings, one on a line; in a stack, where they are parameters."""


class Deployed:
    def __init__(self, settings: Mapping[str, str], services: Services) -> None:
        self._settings = settings
        self._services = services
        self._text: str | None = None
        self._found: SingleSignOn | None = None
        self.problem = ""
        """Why there is none, where the settings mean one."""

    def single_sign_on(self) -> SingleSignOn | None:
        """What has been learned of the provider is kept for as long as the settings are the same."""
        name = self._settings.get(_SECRET, "")
        text = self._fetched(name) if name else ""
        if text != self._text:
            self._text = text
            self._found = self._made(text)
        return self._found

    def _fetched(self, name: str) -> str:
        """Where there is no such secret there is no provider; asked again as seldom as for one that is."""
        secrets, now = self._services.store.secrets, self._services.now()

        def fetch() -> Kept:
            try:
                return Kept(secrets.text(name, now=now), now + KEPT_FOR)
            except NoSecret:
                return Kept("", now + KEPT_FOR)

        try:
            return secrets.kept(f"provider {name}", now=now, make=fetch)
        except Unavailable:
            return self._text or ""

    def _made(self, text: str) -> SingleSignOn | None:
        pairs = (line.partition("=") for line in text.splitlines())
        told = {name: value.strip() for name, _, value in pairs}
        self.problem = ""
        try:
            return single_sign_on({**self._settings, **told}, self._services)
        except Misconfigured as problem:
            # Keys sign people in all the same, and the page says what is wrong.
            self.problem = str(problem)
            return None
