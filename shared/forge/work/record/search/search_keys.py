"""The keys of the text index."""

from forge.store.keys import Key, SharedKey, references


def term(workspace_id: str, word: str, issue_id: str) -> SharedKey:
    return SharedKey(terms(workspace_id, word), issue_id)


def terms(workspace_id: str, word: str) -> str:
    return f"WS#{workspace_id}#TERM#{word}"


def indexed_terms(workspace_id: str, issue_id: str) -> Key:
    """Which words an issue is found by now, so that those it lost can be taken back."""
    return Key(references(workspace_id, issue_id), "TERMS")
