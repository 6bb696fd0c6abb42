"""Words, what they say of a tool, and the file that carries it into the router."""

from forge.contract.catalog import load_catalog
from forge.contract.finding import Finder, load_finder
from forge.contract.terms import Surface
from forge.contract.wording import words
from infra.finding import Findable, weigh

TOOLS = [
    Findable("issues.move", "Move an issue.\n\nIts comments stay.", ("id", "statusId"), ("close a ticket",)),
    Findable("issues.get", "Return an issue.\n\nA moved issue keeps its id.", ("id",)),
    Findable("comments.add", "Add a comment to an issue.", ("id", "text")),
    Findable("labels.list", "List labels.", ()),
    Findable("projects.list", "List projects.", ()),
]


def test_a_word_by_which_a_tool_is_asked_for_says_nothing_of_one_that_mentions_it() -> None:
    weights = weigh(TOOLS).weights

    assert weights["transition"].keys() == {"issues.move"}


def test_a_word_by_which_no_tool_is_asked_for_leads_to_whoever_mentions_it() -> None:
    weights = weigh(TOOLS).weights

    assert weights["keep"].keys() == {"issues.get"}


def test_a_tool_is_not_found_by_the_names_of_others_that_it_mentions() -> None:
    mentioning = Findable("issues.close", "Close it; projects.list shows where. Or use labels.list.")

    weights = weigh([*TOOLS, mentioning]).weights

    assert "issues.close" not in weights["project"]
    assert "issues.close" not in weights["label"]


def test_a_rare_word_says_more_than_a_common_one() -> None:
    weights = weigh(TOOLS).weights

    assert weights["project"]["projects.list"] > weights["list"]["projects.list"]


def test_declared_phrases_and_arguments_are_weighed_too() -> None:
    weights = weigh(TOOLS).weights

    assert weights[words("close")[0]].keys() == {"issues.move"}
    assert weights["text"].keys() == {"comments.add"}


def test_what_is_written_is_read_back() -> None:
    finder = weigh(TOOLS)

    assert Finder.from_text(finder.to_text()) == finder


def test_the_shipped_file_knows_every_offered_tool_and_no_operators_tool() -> None:
    known = {name for weights in load_finder().weights.values() for name in weights}

    assert known == {tool.name for tool in load_catalog().on(Surface.MCP)}
