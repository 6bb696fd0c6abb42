"""Where a delivery may go."""

import pytest

from forge.errors import InvalidInput
from forge.outbound.addresses import Exceptions
from forge.testing.builders import a_workspace
from forge.testing.clock import NOON
from forge.work.content.destinations.destinations import (
    Destination,
    Nobody,
    exceptions_of,
    of_agent,
    of_webhook,
    require_reachable,
)
from tests.unit.work.background.deliveries.test_fanning import a_webhook, an_agent

URL = "https://agent.example.com/hook"


def test_an_agent_is_reached_by_its_url_and_secret_of_now() -> None:
    agent = an_agent("agt_1", URL).changed(webhook_secret="secret")

    assert of_agent(agent) == Destination(URL, "secret")


def test_who_is_gone_is_nobody() -> None:
    agent, webhook = an_agent("agt_1", URL), a_webhook("whk_1", active=False)

    found = [
        of_agent(None),
        of_agent(agent.changed(archived_at=NOON)),
        of_agent(agent.changed(webhook_url=None)),
        of_webhook(None),
        of_webhook(webhook),
    ]

    assert all(isinstance(one, Nobody) for one in found)
    assert len({*found}) == len(found)


def test_hosts_that_operators_named_and_at_home_this_machine_are_excepted() -> None:
    workspace = a_workspace(webhook_allowed_hosts=[" CI.Internal. "])

    assert exceptions_of(workspace, own_machine=False) == Exceptions(frozenset({"ci.internal"}))
    assert exceptions_of(workspace, own_machine=True).loopback


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com",
        "http://127.0.0.1:8000/",
        "http://169.254.169.254/latest",
        "http://localhost/",
        "http://ci.internal/",
        "https://user@example.com/",
    ],
)
def test_a_url_that_may_not_be_asked_is_refused_by_its_field(url: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        require_reachable(url, Exceptions(), field="url")

    assert set(refused.value.issues or ()) == {"url"}


def test_spellings_of_one_url_are_asked_alike() -> None:
    called = {
        require_reachable(url, Exceptions(), field="url")
        for url in ("https://Example.com", "HTTPS://example.com:443/", "https://example.com./")
    }

    assert called == {"https://example.com/"}
