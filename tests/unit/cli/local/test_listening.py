"""Ports for processes that are started next."""

from forge.cli.local.listening import free_port, is_free, listening


def test_a_free_port_can_be_listened_at_and_is_none_that_the_system_gives_away() -> None:
    port = free_port()

    with listening(0) as given:
        assert port < given.getsockname()[1]
    with listening(port):
        assert not is_free(port)
