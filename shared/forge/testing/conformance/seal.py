"""State that a client keeps for us between two calls, signed so that it can't change it."""

from typing import Any

import jwt

from forge.wire.protocol import INVALID_PARAMS, ProtocolError

_ALGORITHM = "HS256"


class Seal:
    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def close(self, subject: str, step: int) -> str:
        """The state of one subject's dialogue; no other subject can open it."""
        return jwt.encode({"aud": subject, "step": step}, self._secret, algorithm=_ALGORITHM)

    def open(self, subject: str, state: object) -> int:
        try:
            claims: dict[str, Any] = jwt.decode(
                state if isinstance(state, str) else "",
                self._secret,
                algorithms=[_ALGORITHM],
                audience=subject,
            )
        except jwt.InvalidTokenError:
            raise ProtocolError(INVALID_PARAMS, "The requestState is not one that was given here.") from None
        step: int = claims["step"]
        return step
