"""The keys of threads, of what is said in them, and of replies that are being written."""

from datetime import datetime

from forge.store.keys import Key, sortable_time

MESSAGES = "M#"
HEAD = "X#META"
PARTS = "P#"


def partition(workspace_id: str, thread_id: str) -> str:
    """Messages sort before the head: a descending Query gives the thread and its newest messages."""
    return f"WS#{workspace_id}#THREAD#{thread_id}"


def thread(workspace_id: str, thread_id: str) -> Key:
    return Key(partition(workspace_id, thread_id), HEAD)


def threads_of(workspace_id: str, user_id: str) -> str:
    """A person's threads, by when something was last said."""
    return f"WS#{workspace_id}#THREADS#{user_id}"


def message(workspace_id: str, thread_id: str, *, created_at: datetime, message_id: str) -> Key:
    return Key(partition(workspace_id, thread_id), f"{MESSAGES}{sortable_time(created_at)}#{message_id}")


def message_place(workspace_id: str, message_id: str) -> Key:
    """Where a message is that is named without its thread."""
    return Key(f"WS#{workspace_id}#MESSAGE#{message_id}", "PLACE")


def stream(workspace_id: str, thread_id: str) -> str:
    """What is gone after a while: drafts and their parts. Apart from the thread, which stays."""
    return f"WS#{workspace_id}#THREAD#{thread_id}#STREAM"


def part(workspace_id: str, thread_id: str, *, moment: datetime, part_id: str) -> Key:
    return Key(stream(workspace_id, thread_id), f"{PARTS}{sortable_time(moment)}#{part_id}")


def draft(workspace_id: str, thread_id: str, draft_id: str) -> Key:
    return Key(stream(workspace_id, thread_id), f"D#{draft_id}")


def numbered(workspace_id: str, thread_id: str, *, draft_id: str, seq: int) -> Key:
    """One place for each number that the writer of a draft gives, so that a chunk sent again finds it."""
    return Key(stream(workspace_id, thread_id), f"S#{draft_id}#{seq}")
