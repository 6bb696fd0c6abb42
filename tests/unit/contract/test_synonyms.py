"""The one issue of a call is `id` and `issueId`, whichever is published; others say so themselves."""

from typing import Annotated

import pytest

from forge.contract.arguments import parse
from forge.contract.fields import Id, IssueId
from forge.contract.models import Model
from forge.contract.synonyms import AlsoCalled
from forge.errors import InvalidInput


class Close(Model):
    id: IssueId
    note: str | None = None


class Take(Model):
    issue_id: IssueId | None = None


class Attach(Model):
    id: Id
    issue_id: IssueId | None = None


class Link(Model):
    external_url: Annotated[str, AlsoCalled("url")]
    link_title: Annotated[str | None, AlsoCalled("title")] = None


def refused(model: type[Model], arguments: dict[str, object]) -> set[str]:
    with pytest.raises(InvalidInput) as caught:
        parse(model, arguments, tool="issues.close")
    return set(caught.value.issues or ())


@pytest.mark.parametrize(
    "arguments",
    [
        {"id": "DEMO-1"},
        {"issueId": "DEMO-1"},
        {"id": "DEMO-1", "issueId": "DEMO-1"},
        {"id": "DEMO-1", "issueId": None},
        {"id": None, "issueId": "DEMO-1"},
    ],
)
def test_either_name_will_do_and_so_do_both_of_one_value(arguments: dict[str, object]) -> None:
    assert parse(Close, arguments, tool="issues.close").id == "DEMO-1"
    assert parse(Take, arguments, tool="issues.take").issue_id == "DEMO-1"


def test_two_values_are_a_mistake() -> None:
    assert refused(Close, {"id": "DEMO-1", "issueId": "DEMO-2"}) == {"issueId"}
    assert refused(Take, {"id": "DEMO-1", "issueId": "DEMO-2"}) == {"id"}


def test_without_either_the_published_name_is_missing() -> None:
    assert refused(Close, {"note": "Done."}) == {"id"}


def test_a_name_that_means_something_else_is_no_synonym() -> None:
    attached = parse(Attach, {"id": "art_1"}, tool="artifacts.attach")

    assert (attached.id, attached.issue_id) == ("art_1", None)
    assert refused(Attach, {"issueId": "DEMO-1"}) == {"id"}


def test_an_argument_may_have_another_name_of_its_own() -> None:
    linked = parse(Link, {"url": "https://a.example", "title": "A"}, tool="links.add")

    assert (linked.external_url, linked.link_title) == ("https://a.example", "A")
    assert refused(Link, {"url": "https://a.example", "externalUrl": "https://b.example"}) == {"url"}


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ({"url": 5}, {"url"}),
        ({"externalUrl": 5}, {"externalUrl"}),
        ({"url": "https://a.example", "title": 5}, {"title"}),
        ({"title": "Plans"}, {"externalUrl"}),
    ],
)
def test_a_refusal_names_an_argument_as_the_caller_did(arguments: dict[str, object], wrong: set[str]) -> None:
    assert refused(Link, arguments) == wrong
