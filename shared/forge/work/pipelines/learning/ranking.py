"""BM25 over a growing collection of short texts.

Importing this imports numpy, which takes a fifth of a second and is in the pipeline function's layer alone:
so only `similar` imports it, when there is something to rank.
"""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from rank_bm25 import BM25Okapi

K1, B = 1.5, 0.75
_NUMBERS = "i"


class Ranking(BM25Okapi):  # type: ignore[misc]  # the library has no types
    """The library's own scores, with each word leading to its texts.

    The library looks into every text for each word of a query, which takes ten times as long at ten thousand
    texts, and it takes no more texts once it is made.
    """

    def __init__(self) -> None:
        self._holders: dict[str, tuple[array[int], array[int]]] = {}
        """For each word, the numbers of the texts that have it, and how often each of them does."""
        self._lengths = array(_NUMBERS)
        super().__init__([], k1=K1, b=B)

    def add(self, texts: Iterable[Sequence[str]]) -> None:
        for text in texts:
            number = len(self._lengths)
            self._lengths.append(len(text))
            for word, times in Counter(text).items():
                known = self._holders.get(word)
                if known is None:
                    known = self._holders[word] = (array(_NUMBERS), array(_NUMBERS))
                known[0].append(number)
                known[1].append(times)
        self.corpus_size = len(self._lengths)
        self.avgdl = sum(self._lengths) / self.corpus_size if self.corpus_size else 0

    def best(self, query: Sequence[str], most: int) -> list[tuple[int, float]]:
        """The numbers of the best texts with their scores; of equal ones, the later first."""
        scores = self.get_scores(query)
        ranked = np.argsort(scores, kind="stable")[::-1][:most]
        return [(int(number), float(scores[number])) for number in ranked if scores[number] > 0]

    def get_scores(self, query: Sequence[str]) -> Any:
        scores = np.zeros(self.corpus_size)
        lengths = np.array(self._lengths)
        for word in query:
            if word not in self._holders:
                continue
            holders, times = map(np.array, self._holders[word])
            length_norm = self.k1 * (1 - self.b + self.b * lengths[holders] / self.avgdl)
            scores[holders] += self._idf(len(holders)) * (times * (self.k1 + 1) / (times + length_norm))
        return scores

    def _initialize(self, corpus: Iterable[Sequence[str]]) -> Mapping[str, int]:
        self.add(corpus)
        return {}

    def _calc_idf(self, nd: Mapping[str, int]) -> None:
        """Nothing ahead of a query: with each text that is added, every word weighs something else."""

    def _idf(self, holders: int) -> float:
        """Never negative, unlike the library's."""
        return math.log((self.corpus_size - holders + 0.5) / (holders + 0.5) + 1)
