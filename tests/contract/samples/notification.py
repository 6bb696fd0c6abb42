"""Calls of the notification tools."""

from tests.contract.stage import Arguments, Stage, sample

_STALLED = {"eventKind": "ISSUE_STALLED", "enabled": False}


def _with_both(stage: Stage) -> Arguments:
    for scope in ("workspace", "global"):
        stage.call("notification.setPreference", {**_STALLED, "scope": scope})
    return {}


SAMPLES = (
    sample("notification.listPreferences", _with_both),
    sample("notification.setPreference", lambda stage: {**_STALLED, "scope": "workspace"}),
    sample("notification.setPreference", lambda stage: {**_STALLED, "scope": "global"}, variant="everywhere"),
    sample(
        "notification.setPreference",
        lambda stage: _with_both(stage) | {"eventKind": "issue_stalled", "enabled": True},
        variant="again",
    ),
)
