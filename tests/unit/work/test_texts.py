"""Long texts are shown in parts."""

import pytest

from forge.errors import InvalidInput
from forge.work.record.texts import part_of


def test_a_text_comes_in_parts_and_the_last_one_has_nothing_after_it() -> None:
    assert part_of("abcdef", offset=0, limit=4) == ("abcd", 4)
    assert part_of("abcdef", offset=4, limit=4) == ("ef", None)
    assert part_of("abcdef", offset=0, limit=6) == ("abcdef", None)
    assert part_of("", offset=0, limit=6) == ("", None)
    with pytest.raises(InvalidInput) as refused:
        part_of("abcdef", offset=6, limit=4, field="descriptionOffset")
    assert set(refused.value.issues or ()) == {"descriptionOffset"}
