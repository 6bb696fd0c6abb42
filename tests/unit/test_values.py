"""Values: declared like a named tuple, equal to their like, changed only as copies."""

import pytest

from forge.values import Value


class Place(Value):
    city: str
    street: str
    number: int = 1


class Address(Value):
    city: str
    street: str
    number: int = 1


def test_a_value_takes_its_fields_in_their_order_or_by_name() -> None:
    assert Place("Rome", "Via Appia", 3) == Place(number=3, street="Via Appia", city="Rome")


def test_a_field_with_a_default_can_be_left_out_and_no_other() -> None:
    assert Place("Rome", "Via Appia").number == 1
    with pytest.raises(TypeError):
        Place("Rome")  # type: ignore[call-arg]  # the type checker refuses it, too


def test_a_field_that_does_not_exist_is_refused() -> None:
    with pytest.raises(TypeError):
        Place("Rome", "Via Appia", country="Italy")  # type: ignore[call-arg]  # as above


def test_values_are_equal_if_they_are_of_one_kind_and_all_fields_are() -> None:
    assert Place("Rome", "Via Appia") == Place("Rome", "Via Appia")
    assert Place("Rome", "Via Appia") != Place("Rome", "Via Appia", 2)
    assert Place("Rome", "Via Appia") != Address("Rome", "Via Appia")
    assert len({Place("Rome", "Via Appia"), Place("Rome", "Via Appia")}) == 1


def test_a_copy_has_what_was_changed_and_the_original_does_not() -> None:
    place = Place("Rome", "Via Appia")

    moved = place.replaced(street="Via Sacra")

    assert moved == Place("Rome", "Via Sacra")
    assert place == Place("Rome", "Via Appia")


def test_a_value_shows_its_fields() -> None:
    assert repr(Place("Rome", "Via Appia")) == "Place(city='Rome', street='Via Appia', number=1)"
    assert Place("Rome", "Via Appia").as_dict() == {"city": "Rome", "street": "Via Appia", "number": 1}
