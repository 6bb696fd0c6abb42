"""Where somebody was on the way to when they were asked to sign in."""

import re

GRANTS_PATH = "/oauth/grants"
_ONWARD = re.compile(r"/(oauth|console)(/[!-~]*|\?[!-~]*)?")


def next_path(given: str) -> str:
    """A page of ours, and nothing that a browser reads as another host."""
    return given if _ONWARD.fullmatch(given) and "\\" not in given else GRANTS_PATH
