"""How long it takes to find similar pipelines among ten thousand, beside the library asked plainly."""

from collections.abc import Callable, Iterator
from itertools import accumulate
from random import Random
from time import process_time

from rank_bm25 import BM25Okapi

from forge.clock import system_now
from forge.work.pipelines.learning.packs import Ended, told_by
from forge.work.pipelines.learning.similar import SimilarMark, SimilarPast
from forge.work.pipelines.learning.words import words
from tests.bench.rows import MILLISECONDS, Contest, Row

PIPELINES = 10_000
ROUNDS = 8
SECONDS = 0.05

_VOCABULARY = 8_000
_WORDS_OF_A_REQUEST = 120
_PLAIN = Contest("similar among 10,000 pipelines : rank-bm25", "ours", "peer", 0.2)
_BOUND = Contest("similar among 10,000 pipelines : 50 ms", "ours", "bound", 1.0)


def similar_rows() -> Iterator[Row]:
    """Twelve of the commonest words: more than a slug holds, and each leads to nearly every pipeline."""
    chance = Random(7)  # noqa: S311 - the same texts every time
    vocabulary = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=8)) for _ in range(_VOCABULARY)]
    weights = list(accumulate(1 / (rank + 1) for rank in range(_VOCABULARY)))
    ended = []
    for number in range(PIPELINES):
        request = " ".join(chance.choices(vocabulary, cum_weights=weights, k=_WORDS_OF_A_REQUEST))
        one_liner, tags = told_by(request)
        blank = Ended(f"pipe_{number}", f"spec-{number}", "M", "standard", "completed", 0, 0, system_now())
        ended.append(blank._replace(one_liner=one_liner, tags=tags))
    past, plain = SimilarPast(), BM25Okapi([one.text for one in ended])
    past.add(ended, SimilarMark())
    query = "-".join(vocabulary[:12])
    ours = _best(lambda: past.most_similar(query))
    peer = _best(lambda: plain.get_scores(words(query)))
    yield Row.of(_PLAIN, ours, peer, MILLISECONDS)
    yield Row.of(_BOUND, ours, SECONDS, MILLISECONDS)


def _best(task: Callable[[], object]) -> float:
    """Noise only adds."""
    taken = []
    for _ in range(ROUNDS):
        started = process_time()
        task()
        taken.append(process_time() - started)
    return min(taken)
