"""The keys of repositories, of their backlogs, and of the work under locks."""

from datetime import datetime

from forge.store.keys import Key, sortable_time

ARCHIVED = "A#"


def repositories(workspace_id: str) -> str:
    return f"WS#{workspace_id}#REPOSITORIES"


def repository(workspace_id: str, repository_id: str) -> Key:
    return Key(repositories(workspace_id), repository_id)


def mapping(repository_id: str) -> Key:
    """Outside every workspace, because GitHub's webhooks bring no key: it leads to the workspace, no more."""
    return Key(f"MAPPING#{repository_id}", "MAPPING")


def free(workspace_id: str, repository_id: str, type_name: str | None = None) -> str:
    """What anybody may take: all of it, or of one type. Read ascending, the best class first."""
    of_type = f"#{type_name}" if type_name else ""
    return f"WS#{workspace_id}#BL#{repository_id}{of_type}"


def held(workspace_id: str, repository_id: str) -> str:
    return f"WS#{workspace_id}#HELD#{repository_id}"


def aside(workspace_id: str, repository_id: str) -> str:
    """What is open and free for some at most: assigned, claimed, in review or blocked."""
    return f"WS#{workspace_id}#BL#{repository_id}#ASIDE"


def in_class(place: int, number: int) -> str:
    return f"{class_prefix(place)}{number:010}"


def class_prefix(place: int) -> str:
    return f"{place:02}#"


def until(moment: datetime, number: int) -> str:
    return f"{sortable_time(moment)}#{number:010}"


def workflows(workspace_id: str, repository_id: str) -> str:
    return f"WS#{workspace_id}#WORKFLOW#{repository_id}"


def workflow(workspace_id: str, repository_id: str, number: int) -> Key:
    return Key(workflows(workspace_id, repository_id), f"{number:010}")


def archived_workflow(workspace_id: str, repository_id: str, *, number: int, ended_at: datetime) -> Key:
    place = f"{archived_of_issue(number)}{sortable_time(ended_at)}"
    return Key(workflows(workspace_id, repository_id), place)


def archived_of_issue(number: int) -> str:
    return f"{ARCHIVED}{number:010}#"


def locks(workspace_id: str, key_id: str, session_id: str) -> str:
    """What a session of a key holds, wherever it is."""
    return f"WS#{workspace_id}#LOCKS#{key_id}#{session_id}"


def lock(workspace_id: str, key_id: str, session_id: str, *, repository_id: str, number: int) -> Key:
    return Key(locks(workspace_id, key_id, session_id), f"{repository_id}#{number:010}")


def lease_name(repository_id: str, number: int) -> str:
    return f"backlog/{repository_id}/{number}"


def errands(workspace_id: str, repository_id: str) -> str:
    """What has to be done where the issues of a repository are kept."""
    return f"WS#{workspace_id}#ERRAND#{repository_id}"


def errand(workspace_id: str, repository_id: str, *, number: int, turn: int) -> Key:
    return Key(errands(workspace_id, repository_id), f"{errands_of_issue(number)}{turn:012}")


def errands_of_issue(number: int) -> str:
    return f"{number:010}#"


def creation(workspace_id: str, claim: str) -> Key:
    """What somebody set out to create elsewhere, by the call that asked for it."""
    return Key(f"WS#{workspace_id}#CREATION#{claim}", "CREATION")
