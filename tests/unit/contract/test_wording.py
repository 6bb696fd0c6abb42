"""What a text says: words in all their forms, sayings, and whether somebody asks or acts."""

import pytest

from forge.contract.wording import gist, is_asking, is_of_one, meanings, stem, words


@pytest.mark.parametrize(
    "forms",
    [
        ("close", "closes", "closed", "closing"),
        ("issue", "issues"),
        ("status", "statuses"),
        ("plan", "plans", "planned", "planning"),
        ("reply", "replies", "replied"),
        ("take", "took", "taken", "taking"),
        ("process", "processes", "processing"),
        ("label", "labels", "labeled"),
    ],
)
def test_a_word_is_the_same_in_all_its_forms(forms: tuple[str, ...]) -> None:
    assert len({*map(stem, forms)}) == 1


@pytest.mark.parametrize(
    ("word", "other"),
    [("runner", "running"), ("running", "run"), ("note", "not"), ("news", "new"), ("assigned", "assign")],
)
def test_a_word_that_only_looks_like_another_is_not_taken_for_it(word: str, other: str) -> None:
    assert stem(word) != stem(other)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("ticket", "issue"),
        ("bugs", "issue"),
        ("ACME-12", "issue"),
        ("erase", "delete"),
        ("runner", "runtime"),
        ("give it a sign off", "approve"),
        ("handing over", "reassign"),
    ],
)
def test_what_means_the_same_is_known_by_the_same_word(said: str, meant: str) -> None:
    assert stem(meant) in words(said)


def test_the_longest_saying_counts_and_not_its_words() -> None:
    (either,) = meanings("pick up")

    assert ("claim",) in either
    assert "pick" not in words("pick up")


def test_what_can_mean_several_things_is_known_by_each() -> None:
    (either,) = meanings("conversation")

    assert {("comment",), ("chat",)} <= {*either}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("issues.listWatchers", {"issu", "list", "watch"}),
        ("set_status_id", {"updat", "status", "id"}),
        ("what should I do", set()),
        ("x 42 ☃", {"42"}),
    ],
)
def test_names_and_sentences_come_down_to_their_telling_words(text: str, found: set[str]) -> None:
    assert gist(text) == found


@pytest.mark.parametrize(
    ("text", "asking"),
    [
        ("which tickets are late", True),
        ("is there a plan?", True),
        ("can you show the plan", True),
        ("files of the ticket", True),
        ("tickets that I follow", True),
        ("close the ticket", False),
        ("please could you close the ticket", False),
        ("how do I close a ticket", False),
        ("I am done", False),
        ("sprint", None),
        ("", None),
    ],
)
def test_whoever_asks_is_told_from_whoever_acts(text: str, asking: bool | None) -> None:
    assert is_asking(text) is asking


@pytest.mark.parametrize(
    ("text", "one"), [("show the ticket", True), ("show tickets", False), ("which status", False)]
)
def test_one_thing_is_told_from_many(text: str, one: bool) -> None:
    assert is_of_one(text) is one
