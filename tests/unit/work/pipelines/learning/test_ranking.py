"""The ranking gives the library's own numbers, and asks it for less."""

import math
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from forge.work.pipelines.learning.ranking import Ranking


class Plain(BM25Okapi):  # type: ignore[misc]  # the library has no types
    """The library as it is, with the idf of the specification."""

    def _calc_idf(self, nd: Mapping[str, int]) -> None:
        size = self.corpus_size
        self.idf = {
            word: math.log((size - holders + 0.5) / (holders + 0.5) + 1) for word, holders in nd.items()
        }


A_TEXT = st.lists(st.sampled_from(["auth", "timeout", "login", "queue", "fix"]), min_size=1, max_size=8)


@given(
    st.lists(A_TEXT, min_size=1, max_size=20), st.data(), st.lists(st.sampled_from(["auth", "login", "new"]))
)
def test_scores_are_the_librarys_own_however_the_texts_were_added(
    texts: list[list[str]], data: st.DataObject, query: list[str]
) -> None:
    split = data.draw(st.integers(min_value=0, max_value=len(texts) - 1))
    ranking = Ranking()
    if split:
        ranking.add(texts[:split])
        ranking.best(query, 3)
    ranking.add(texts[split:])

    best = ranking.best(query, len(texts))

    expected = enumerate(Plain(texts, k1=1.5, b=0.75).get_scores(query).tolist())
    assert dict(best) == {number: score for number, score in expected if score > 0}


def test_the_best_come_first_and_the_later_of_equal_ones() -> None:
    ranking = Ranking()
    ranking.add([["auth"], ["auth", "login"], ["auth", "login"], ["queue"]])

    best = ranking.best(["auth", "login"], 2)

    assert [number for number, _ in best] == [2, 1]


def test_words_of_a_query_count_as_often_as_they_stand_there() -> None:
    ranking = Ranking()
    ranking.add([["auth"], ["login"]])

    (once,), (twice,) = ranking.best(["auth"], 3), ranking.best(["auth", "auth"], 3)

    assert twice[1] == 2 * once[1]


def test_nothing_is_similar_where_no_word_is_shared_or_nothing_is_there() -> None:
    ranking = Ranking()
    assert ranking.best(["auth"], 3) == []

    ranking.add([["login"], []])

    assert ranking.best(["auth"], 3) == ranking.best([], 3) == []
