"""Update expressions: every name and every value behind a placeholder of its own."""

import pytest

from forge.store.expressions import Expression


@pytest.fixture
def writer() -> Expression:
    return Expression()


def test_a_clause_puts_names_and_values_behind_placeholders(writer: Expression) -> None:
    writer.clause("ADD", {"count": 1, "tags": frozenset({"a"})}, " ")

    assert writer.request() == {
        "UpdateExpression": "ADD #n0 :v0, #n1 :v1",
        "ExpressionAttributeNames": {"#n0": "count", "#n1": "tags"},
        "ExpressionAttributeValues": {":v0": {"N": "1"}, ":v1": {"SS": ["a"]}},
    }


@pytest.mark.parametrize(
    ("changes", "expression"),
    [
        ({"name": "x", "note": None}, "SET #n0 = :v0 REMOVE #n1"),
        ({"note": None}, "REMOVE #n0"),
        ({"flag": False, "count": 0, "note": ""}, "SET #n0 = :v0, #n1 = :v1, #n2 = :v2"),
    ],
)
def test_assigning_sets_what_is_given_and_removes_only_what_is_none(
    writer: Expression, changes: dict[str, object], expression: str
) -> None:
    writer.assign(changes)

    request = writer.request()
    assert request["UpdateExpression"] == expression
    assert list(request["ExpressionAttributeNames"].values()) == list(changes)
    assert ("ExpressionAttributeValues" in request) is ("SET" in expression)


def test_a_clause_without_changes_is_left_out(writer: Expression) -> None:
    writer.clause("ADD", {}, " ")
    writer.clause("DELETE", {"tags": frozenset({"a"})}, " ")

    assert writer.request()["UpdateExpression"] == "DELETE #n0 :v0"


def test_the_same_name_twice_has_two_placeholders(writer: Expression) -> None:
    writer.clause("ADD", {"count": 1}, " ")

    condition = f"{writer.name('count')} < {writer.value(5)}"

    assert condition == "#n1 < :v1"
    assert writer.request()["ExpressionAttributeNames"] == {"#n0": "count", "#n1": "count"}
