"""Update expressions: every name and every value behind a placeholder of its own."""

from forge.store.expressions import Expression


def test_a_clause_puts_names_and_values_behind_placeholders() -> None:
    writer = Expression()

    writer.clause("ADD", {"count": 1, "tags": frozenset({"a"})}, " ")

    assert writer.request() == {
        "UpdateExpression": "ADD #n0 :v0, #n1 :v1",
        "ExpressionAttributeNames": {"#n0": "count", "#n1": "tags"},
        "ExpressionAttributeValues": {":v0": {"N": "1"}, ":v1": {"SS": ["a"]}},
    }


def test_assigning_sets_what_is_given_and_removes_what_is_none() -> None:
    writer = Expression()

    writer.assign({"name": "x", "note": None})

    assert writer.request()["UpdateExpression"] == "SET #n0 = :v0 REMOVE #n1"
    assert writer.request()["ExpressionAttributeNames"] == {"#n0": "name", "#n1": "note"}


def test_an_expression_without_values_brings_none() -> None:
    writer = Expression()

    writer.assign({"note": None})

    assert "ExpressionAttributeValues" not in writer.request()


def test_false_and_zero_and_an_empty_text_are_values_not_removals() -> None:
    writer = Expression()

    writer.assign({"flag": False, "count": 0, "note": ""})

    assert writer.request()["UpdateExpression"] == "SET #n0 = :v0, #n1 = :v1, #n2 = :v2"


def test_a_clause_without_changes_is_left_out() -> None:
    writer = Expression()
    writer.clause("ADD", {}, " ")
    writer.clause("DELETE", {"tags": frozenset({"a"})}, " ")

    assert writer.request()["UpdateExpression"] == "DELETE #n0 :v0"


def test_the_same_name_twice_has_two_placeholders() -> None:
    writer = Expression()
    writer.clause("ADD", {"count": 1}, " ")

    condition = f"{writer.name('count')} < {writer.value(5)}"

    assert condition == "#n1 < :v1"
    assert writer.request()["ExpressionAttributeNames"] == {"#n0": "count", "#n1": "count"}
