"""A standup in the words and signs of Slack and Discord.

Titles are anybody's, and whoever posts the draft speaks to a whole channel. So what a chat would act on is
replaced by signs that look alike. Escapes would not do: each chat has its own, and shows the other's.
"""

import re
from collections.abc import Sequence

from functions.standup.rules.grouping import Group, Groups

LONGEST_TITLE = 120

_LOOK_ALIKES = str.maketrans(
    {
        "@": "＠",
        "<": "‹",
        ">": "›",
        "*": "∗",
        "~": "∼",
        "`": "ˋ",
        "|": "ǀ",
        "[": "［",
        "]": "］",
        "\\": "＼",
    }
)
# They turn the text around that follows.
_TURNING = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Not that of a snake_case name, which no chat minds.
_UNDERSCORE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_ADDRESS = re.compile(r":(?=//)")
# Chats make links of what looks like the name of a host.
_DOT_OF_HOST = re.compile(r"(?<=\w)\.(?=[^\W\d_]{2})")

_SPANS = {24: "last 24h", 72: "last 3 days", 168: "last week"}


def span(hours: int) -> str:
    return _SPANS.get(hours, f"last {hours}h")


def harmless(text: str, *, longest: int = LONGEST_TITLE) -> str:
    """One line that mentions nobody, links nowhere and formats nothing, in Slack and in Discord."""
    line = " ".join(_TURNING.sub("", text).split()).translate(_LOOK_ALIKES)
    line = _UNDERSCORE.sub("＿", line)
    line = _DOT_OF_HOST.sub("․", _ADDRESS.sub("∶", line))
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def markdown(groups: Groups, *, prefix: str, hours: int) -> str:
    headings = (
        ("Closed", groups.closed),
        ("Opened", groups.opened),
        ("Continuing", groups.in_progress),
        ("Blocked", groups.blocked),
    )
    sections = [_section(heading, group, prefix) for heading, group in headings if group.total]
    return "\n\n".join([f"*Standup — {span(hours)}*", *(sections or [_nothing(groups.moved)])])


def _section(heading: str, group: Group, prefix: str) -> str:
    lines = [f"• {prefix}-{issue.number} — {harmless(issue.title)}" for issue in group.shown]
    left_out = group.total - len(group.shown)
    return "\n".join([f"*{heading} ({group.total})*", *lines, *_more(left_out)])


def _more(left_out: int) -> Sequence[str]:
    return [f"_… and {left_out} more_"] if left_out else []


def _nothing(moved: int) -> str:
    if moved:
        return f"_Nothing opened or closed; {moved} changes to issues_"
    return "_No activity_"
