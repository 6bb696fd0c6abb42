"""Words, what they say of a tool, and the file that carries it into the router."""

import pytest
from rank_bm25 import BM25Okapi

from forge.contract.catalog import load_catalog
from forge.contract.finding import Finder, load_finder
from forge.contract.terms import Surface
from forge.contract.wording import words
from infra.finding import PARTS, Findable, finding_document

TOOLS = [
    Findable("issues.move", "Move an issue.\n\nIts comments stay.", ("id", "statusId"), ("close a ticket",)),
    Findable("issues.get", "Return an issue.\n\nA moved issue keeps its id.", ("id",)),
    Findable("comments.add", "Add a comment to an issue.", ("id", "text")),
    Findable("labels.list", "List labels.", ()),
    Findable("projects.list", "List projects.", ()),
]


def test_a_word_by_which_a_tool_is_asked_for_says_nothing_of_one_that_mentions_it() -> None:
    weights = Finder(finding_document(TOOLS)).weights

    assert weights("transition").keys() == {"issues.move"}


def test_a_word_by_which_no_tool_is_asked_for_leads_to_whoever_mentions_it() -> None:
    weights = Finder(finding_document(TOOLS)).weights

    assert weights("keep").keys() == {"issues.get"}


def test_a_tool_is_not_found_by_the_names_of_others_that_it_mentions() -> None:
    mentioning = Findable("issues.close", "Close it; projects.list shows where. Or use labels.list.")

    weights = Finder(finding_document([*TOOLS, mentioning])).weights

    assert "issues.close" not in weights("project")
    assert "issues.close" not in weights("label")


def test_a_rare_word_says_more_than_a_common_one() -> None:
    weights = Finder(finding_document(TOOLS)).weights

    assert weights("project")["projects.list"] > weights("list")["projects.list"]


def test_declared_phrases_and_arguments_are_weighed_too() -> None:
    weights = Finder(finding_document(TOOLS)).weights

    assert weights(words("close")[0]).keys() == {"issues.move"}
    assert weights("text").keys() == {"comments.add"}


def test_a_tool_that_comes_changes_nothing_that_is_written_of_the_others() -> None:
    before, after = finding_document(TOOLS[1:]), finding_document(TOOLS)

    assert {name: entry for name, entry in after.items() if name != TOOLS[0].name} == before


def test_a_word_weighs_what_bm25_makes_it_weigh() -> None:
    texts = [["alpha"] * number + ["beta"] * length for number, length in ((1, 9), (2, 90), (7, 30))]
    texts += [["gamma"]] * 4
    library = BM25Okapi(texts, b=PARTS["said"].length_matters)
    library.avgdl = PARTS["said"].usual_length

    tools = [Findable(f"tools.t{number}", " ".join(text)) for number, text in enumerate(texts)]
    weights = Finder(finding_document(tools)).weights("alpha")

    ours = [weight / weights["tools.t0"] for weight in weights.values()]
    expected = library.get_scores(["alpha"])
    assert ours == pytest.approx(expected[:3] / expected[0], rel=0.001)


def test_the_shipped_file_knows_every_offered_tool_and_no_operators_tool() -> None:
    finder = load_finder()
    known = {name for word in finder.words for name in finder.weights(word)}

    assert known == {tool.name for tool in load_catalog().on(Surface.MCP)}
