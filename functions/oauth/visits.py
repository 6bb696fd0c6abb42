"""One request of a browser or a client, taken apart, and what it is answered on."""

from secrets import token_urlsafe
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from forge.auth.entrance import KeyCheck
from forge.context import Caller, KeyKind, Services
from forge.errors import Conflict
from forge.store.table import Table
from forge.store.transactions import Origin, Transaction
from forge.wire.cookies import is_https, own_name
from forge.wire.hosts import LOOPBACK
from forge.wire.http import Request
from forge.wire.sign_in import Ground
from functions.oauth.forms import Form, read_form

if TYPE_CHECKING:
    from functions.oauth.people.deployed import Deployed
    from functions.oauth.people.single_sign_on import SingleSignOn

TRIES = 25
"""At each, one of those who are at it comes through: so many clients of one person may wake at once."""
OVERTAKEN = Conflict("Somebody changed this at the same time.", hint="Try again.")


class Visit:
    __slots__ = ("_deployed", "gate", "ground", "outcome", "request", "who")

    def __init__(
        self,
        request: Request,
        ground: Ground,
        gate: KeyCheck,
        deployed: "Deployed | None" = None,
    ) -> None:
        self.request = request
        self._deployed = deployed
        self.ground = ground
        self.gate = gate
        self.outcome = "ok"
        """For the log: how it ended, in the words of whichever protocol it was."""
        self.who: Caller | None = None

    @property
    def services(self) -> Services:
        return self.ground.services

    @property
    def table(self) -> Table:
        return self.ground.services.store.table

    @property
    def sso(self) -> "SingleSignOn | None":
        """With whom people sign in, besides with keys."""
        return self._deployed.single_sign_on() if self._deployed else None

    @property
    def sso_problem(self) -> str:
        return self._deployed.problem if self._deployed and not self.sso else ""

    def form(self) -> Form:
        return read_form(self.request)

    def cookie(self, name: str) -> str | None:
        """One of this host's own."""
        wanted = own_name(name, is_secure=self.is_secure)
        for pair in self.request.headers.get("cookie", "").split(";"):
            known, _, value = pair.strip().partition("=")
            if known == wanted:
                return value
        return None

    @property
    def at(self) -> str:
        """Where this server is, as its operator says."""
        return self.ground.at

    @property
    def is_secure(self) -> bool:
        return is_https(self.services.public_url)

    @property
    def is_by_another_name(self) -> bool:
        """Whether a page of one's own machine was opened as localhost where its forms come from 127.0.0.1."""
        own, host = urlsplit(self.at), self.request.headers.get("host")
        return own.hostname in LOOPBACK and host is not None and host != own.netloc

    @property
    def has_way_out(self) -> bool:
        """Whether documents of clients can be fetched: a server on a machine of one's own asks nobody."""
        return not self.services.own_machine

    @property
    def address(self) -> str:
        """Where it comes from, as whoever is in front of us says; of several, the last one is theirs."""
        return self.request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip()

    @property
    def operation(self) -> str:
        """What was asked for, as logs call it."""
        return f"oauth.{self.request.path.rpartition('/')[2]}"

    @property
    def is_from_own_page(self) -> bool:
        """Whether a page of ours sent it: browsers say where a form comes from."""
        headers = self.request.headers
        came_from = headers.get("origin")
        if came_from is not None:
            return came_from == _origin_of(self.services.public_url)
        return headers.get("sec-fetch-site") == "same-origin"

    def begin(self, caller: Caller, tool: str) -> Transaction:
        services = self.services
        origin = Origin(caller, tool, self.request.id, services.now(), services.new_id)
        return Transaction(self.table.name, origin)


def _origin_of(public_url: str) -> str:
    parts = urlsplit(public_url)
    return f"{parts.scheme}://{parts.netloc}"


def nobody(workspace_id: str = "-") -> Caller:
    """Of what happens before anybody is known."""
    return Caller("oauth", workspace_id, KeyKind.SESSION, frozenset(), "oauth")


def new_secret() -> str:
    """256 bits, as text that stands in an address."""
    return token_urlsafe(32)
