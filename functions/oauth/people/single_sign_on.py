"""The provider at work: where a person is sent, and who came back."""

from base64 import b64encode
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote, urlencode

from forge.context import Services
from forge.errors import Unavailable
from forge.store.secrets import NoSecret
from functions.oauth.people import id_tokens
from functions.oauth.people.attempts import Departure
from functions.oauth.people.discovery import Discovery, Metadata
from functions.oauth.people.id_tokens import Expected
from functions.oauth.people.identities import Identity, identity_of
from functions.oauth.people.providers import IdentityProvider, read

CALLBACK_PATH = "/oauth/oidc/callback"
_SCOPE = "openid email profile"


class CodeRefused(Exception):
    """The provider gave nothing for the code."""


class SingleSignOn(NamedTuple):
    provider: IdentityProvider
    discovery: Discovery
    services: Services

    @property
    def redirect_uri(self) -> str:
        return f"{self.services.public_url}{CALLBACK_PATH}"

    def address_of(self, attempt: Departure) -> str:
        asked = {
            "response_type": "code",
            "client_id": self.provider.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": _SCOPE,
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": attempt.challenge,
            "code_challenge_method": "S256",
        }
        endpoint = self.discovery.metadata().authorization_endpoint
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(asked)}"

    def identity(self, code: str, attempt: Departure) -> Identity:
        """Who comes back with a code; CodeRefused or `id_tokens.BadToken` where that is nobody."""
        metadata = self.discovery.metadata()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": attempt.verifier,
        }
        headers, proof = self._proof(metadata)
        body = urlencode({**form, **proof}).encode()
        headers = {"content-type": "application/x-www-form-urlencoded", **headers}
        answer = self.discovery.post(metadata.token_endpoint, headers=headers, body=body)
        token = answer.get("id_token") if answer else None
        if not isinstance(token, str):
            raise CodeRefused
        expected = Expected(self.provider, attempt.nonce, self.services.now())
        return identity_of(id_tokens.verified(token, self.discovery.keys, expected), self.provider)

    def _proof(self, metadata: Metadata) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """How the provider knows us: headers, and fields of the form."""
        client_id, secret = self.provider.client_id, self._secret()
        if not secret:
            return {}, {"client_id": client_id}
        if not metadata.takes_basic:
            return {}, {"client_id": client_id, "client_secret": secret}
        pair = f"{quote(client_id, safe='')}:{quote(secret, safe='')}"
        return {"authorization": f"Basic {b64encode(pair.encode()).decode()}"}, {}

    def _secret(self) -> str:
        if self.provider.secret or not self.provider.secret_name:
            return self.provider.secret
        try:
            return self.services.store.secrets.text(
                self.provider.secret_name, now=self.services.now()
            ).strip()
        except NoSecret:
            raise Unavailable(
                "The secret of the OpenID client can't be read.",
                hint="An operator looks at OidcSecret of the stack; a key still signs you in.",
            ) from None


def single_sign_on(settings: Mapping[str, str], services: Services) -> SingleSignOn | None:
    """What the settings say; Misconfigured where it can't work."""
    provider = read(settings, own_machine=services.own_machine)
    if provider is None:
        return None
    return SingleSignOn(provider, Discovery(provider, services.outbound, services.now), services)
