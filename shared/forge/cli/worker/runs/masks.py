"""Keys never leave this machine in a log, a summary, an artifact, a question or a reason."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from forge.cli.worker.agents.protocol import Outcome, Question

Mask = Callable[[str], str]

HIDDEN = "[hidden]"
_SHORTEST = 8
_NAMES = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_SHAPES = re.compile(
    r"\bforge_[a-z]{2}_[A-Za-z0-9_-]{20,}|\bsk-[A-Za-z0-9_-]{20,}|\bgh[opsu]_[A-Za-z0-9]{20,}"
    r"|\bgithub_pat_\w{20,}|\bAKIA[A-Z0-9]{16}\b|\bxox[abp]-[A-Za-z0-9-]{10,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----|(?<=://)[^\s/:@]*:[^\s/@]+(?=@)"
)


def masking(environment: Mapping[str, str], keys: Iterable[str] = ()) -> Mask:
    """Hides these keys, what variables with telling names hold, and whatever looks like a key."""
    telling = [value for name, value in environment.items() if _NAMES.search(name)]
    known = sorted({one for one in (*telling, *keys) if len(one) >= _SHORTEST}, key=len, reverse=True)

    def mask(text: str) -> str:
        for secret in known:
            text = text.replace(secret, HIDDEN)
        return _SHAPES.sub(HIDDEN, text)

    return mask


def masked(outcome: Outcome, mask: Mask) -> Outcome:
    """Before any of it is written down or told."""
    question = Question(*map(mask, outcome.question)) if outcome.question else None
    report = json.loads(mask(json.dumps(dict(outcome.report))))
    return replace(outcome, text=mask(outcome.text), question=question, report=report)
