"""Our own words name tools as the reader's door lists them; what others wrote is left alone."""

from typing import Any

import pytest

from forge.contract.catalog import load_catalog
from forge.contract.profiles import Selection
from forge.contract.spelling import AS_WRITTEN, Spelling
from forge.contract.terms import Scope
from forge.errors import Conflict, NotFound
from forge.jsontext import decode
from forge.wire.identity import instructions_for

PORTABLE = Spelling({"issues.list": "issues_list", "agent.context.bundle": "agent_context_bundle"})


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("issues.list shows them.", "issues_list shows them."),
        ("See issues.list.", "See issues_list."),
        ("(agent.context.bundle)", "(agent_context_bundle)"),
        ("`issues.list {}`, then", "`issues_list {}`, then"),
        ('{"names": ["issues.list"]}', '{"names": ["issues_list"]}'),
        ("issues.list.limit", "issues_list.limit"),
        ("It can't be read: issues.list won't show it", "It can't be read: issues_list won't show it"),
    ],
)
def test_a_name_in_our_own_words_is_respelt(written: str, read: str) -> None:
    assert PORTABLE.text(written) == read
    assert AS_WRITTEN.text(written) == written


@pytest.mark.parametrize(
    "text",
    [
        "keys.create",
        "issues.lists and tissues.list and my.issues.list",
        "POST /api/mcp/issues.list",
        "There is no tool 'issues.list'.",
        "A project called 'why issues.list fails' exists.",
        'A project called "don\'t use issues.list" exists.',
        "e.g. DEMO-12, or 3.14",
    ],
)
def test_nothing_else_is_touched(text: str) -> None:
    assert PORTABLE.text(text) == text


def test_of_a_schema_only_descriptions_are_respelt() -> None:
    schema = {
        "description": "As issues.list does.",
        "properties": {
            "description": {"type": "string", "description": "See issues.list."},
            "kind": {"type": "string", "enum": ["issues.list"]},
        },
        "required": ["issues.list"],
    }

    assert PORTABLE.published(schema) == {
        "description": "As issues_list does.",
        "properties": {
            "description": {"type": "string", "description": "See issues_list."},
            "kind": {"type": "string", "enum": ["issues.list"]},
        },
        "required": ["issues.list"],
    }


def test_an_error_is_respelt_in_its_sentences_and_suggestions_alone() -> None:
    error = Conflict(
        "Use issues.list.",
        hint="Or issues.list {}",
        issues={"issues.list": "issues.list shows them"},
        details={"text": "issues.list"},
    )
    unknown = NotFound("No such tool.", details={"didYouMean": ["issues.list"]})

    assert PORTABLE.error(error.as_object("req_1")) == error.as_object("req_1") | {
        "message": "Use issues_list.",
        "hint": "Or issues_list {}",
        "issues": {"issues.list": "issues_list shows them"},
    }
    assert PORTABLE.error(unknown.as_object("req_1"))["details"] == {"didYouMean": ["issues_list"]}


def test_an_error_is_respelt_in_the_form_of_its_contract() -> None:
    told: dict[str, Any] = {
        "type": "VALIDATION",
        "message": "Use issues.list.",
        "suggestion": "Or issues.list {}",
        "details": {
            "didYouMean": ["issues.list"],
            "issues": {"id": "See issues.list."},
            "error": "issues.list",
        },
    }
    request = {"action": "issues.list"}

    assert PORTABLE.error({"ok": False, "request": request, "error": told | {"hint": None}}) == {
        "ok": False,
        "request": request,
        "error": {
            "type": "VALIDATION",
            "message": "Use issues_list.",
            "suggestion": "Or issues_list {}",
            "hint": None,
            "details": {
                "didYouMean": ["issues_list"],
                "issues": {"id": "See issues_list."},
                "error": "issues.list",
            },
        },
    }
    assert PORTABLE.error({"success": False, "error": "See issues.list."})["error"] == "See issues_list."


def descriptions(node: Any) -> list[str]:
    if isinstance(node, list):
        return [text for one in node for text in descriptions(one)]
    if not isinstance(node, dict):
        return []
    own = [node["description"]] if isinstance(node.get("description"), str) else []
    return own + [text for value in node.values() for text in descriptions(value)]


@pytest.mark.parametrize("is_canonical", [False, True])
def test_no_list_tells_of_a_name_that_it_does_not_spell_so(is_canonical: bool) -> None:
    catalog = load_catalog()
    everything = frozenset(scope.value for scope in Scope)
    other_way = [
        (tool.portable_name if is_canonical else tool.name)
        for tool in catalog.tools
        if tool.surface == "mcp" and tool.name != tool.portable_name
    ]

    listed = decode(catalog.listing(Selection("full", canonical_names=is_canonical), everything))

    spelling = catalog.spelling(canonical_names=is_canonical)
    told = [
        *descriptions(listed),
        *(spelling.text(instructions_for(Selection(name))) for name in ("runtime", "pipeline", "backlog")),
    ]
    assert len(told) > len(listed) > 0
    assert [(name, text) for name in other_way for text in told if name in text] == []
