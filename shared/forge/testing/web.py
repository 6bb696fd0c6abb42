"""The web of a test: the few hosts that it has, each a port of this machine; nothing else is anywhere."""

from socket import create_connection, socket

from forge.outbound.outbound import Outbound

_PUBLIC = "93.184.215.14"


class Web:
    """Say `web.hosts["docs.example.com"] = port`: that name leads to a public address, which is that port."""

    def __init__(self) -> None:
        self.hosts: dict[str, int] = {}
        self.here: set[int] = set()
        """Ports of this machine that may be asked as such."""
        self.outbound = Outbound(resolve=self.resolve, connect=self.connect)
        self._last = 0

    def resolve(self, name: str, port: int) -> list[str]:
        if name not in self.hosts:
            raise OSError(f"there is no {name} in this test")
        self._last = self.hosts[name]
        return [_PUBLIC]

    def connect(self, address: str, port: int, *, seconds: float) -> socket:
        if address == "127.0.0.1" and port in self.here:
            return create_connection((address, port), timeout=seconds)
        if address != _PUBLIC:
            raise OSError(f"there is no {address} in this test")
        return create_connection(("127.0.0.1", self._last), timeout=seconds)
