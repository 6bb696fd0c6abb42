"""How the pages look: plain forms in the console's dress, without scripts, in nobody's frame."""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from forge.wire.http import Response

_HTML = "text/html; charset=utf-8"
_PAGE = re.compile(r"/oauth/[a-z-]+")
_OWN_STYLE = """
main { max-width: 36rem; margin: 0 auto; padding: 1.25rem 1rem 4rem; }
h1 { margin-bottom: .75rem; }
.bar { padding: .625rem max(1rem, calc((100vw - 34rem) / 2)); background: var(--sheet);
  border-bottom: 1px solid var(--line); font-weight: 700; }
form > * + *, section + section { margin-top: 1rem; }
form + form { margin-top: 2rem; }
fieldset:not(:has(option[value=new]:checked)) > .new { display: none; }
section, fieldset { border: 1px solid var(--line); border-radius: .5rem; background: var(--sheet);
  padding: .875rem 1rem; margin: 0 0 1rem; }
legend { padding: 0 .375rem; font-weight: 650; font-size: .8125rem; color: var(--faint); }
label { display: block; padding: .1875rem 0; }
label:has(> [type=checkbox]) { padding-left: 1.5rem; }
label > [type=checkbox] { margin: 0 .25rem 0 -1.375rem; }
input + .faint, select + .faint { margin: .375rem 0 .75rem; }
input + button { margin-top: .25rem; }
label small { color: var(--faint); display: block; }
input[type=text], input[type=password], input[type=email], select { font: inherit; width: 100%;
  font-size: 16px; /* of smaller ones phones make the page larger */
  padding: .5rem .625rem; border: 1px solid var(--line); border-radius: .375rem;
  background: var(--ground); color: var(--ink); }
button { white-space: nowrap; font: inherit; font-weight: 600; padding: .5rem 1rem; border-radius: .375rem;
  border: 1px solid var(--line); background: var(--sheet); color: var(--ink); cursor: pointer; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
.row { display: flex; gap: .75rem; flex-wrap: wrap; align-items: center; }
.warn { background: var(--warn-ground); color: var(--warn); border-radius: .375rem; padding: .625rem .75rem; }
.bad { background: var(--bad-ground); color: var(--bad); border-radius: .375rem; padding: .625rem .75rem; }
.faint, summary { color: var(--faint); }
.who { overflow-wrap: anywhere; }
code { overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; }
td:last-child { text-align: right; padding-right: 0; }
td, th { text-align: left; padding: .375rem .5rem .375rem 0; vertical-align: top; overflow-wrap: anywhere; }
"""


class Markup(str):
    """Text that is markup already, and not escaped again."""

    __slots__ = ()


def html(template: str, **values: object) -> Markup:
    """A template with its values escaped; only what is markup itself goes in as it stands."""
    return Markup(template.format_map({name: _safe(value) for name, value in values.items()}))


def joined(parts: Iterable[Markup]) -> Markup:
    return Markup("".join(parts))


def _safe(value: object) -> str:
    return value if isinstance(value, Markup) else escape(str(value), quote=True)


def page(
    title: str,
    body: Markup,
    *,
    status: int = 200,
    forms_lead_to: Iterable[str] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """`forms_lead_to`: where the answer to a form sends the browser on; browsers hold that to the policy."""
    text = html(
        """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>{title} · Forge</title><style>{style}</style></head>
<body><header class="bar"><span class="brand">Forge</span></header>
<main id="main"><h1>{title}</h1>{body}</main></body></html>""",
        title=title,
        style=Markup(_style()),
        body=body,
    )
    targets = " ".join(["'self'", *forms_lead_to])
    policy = [
        "default-src 'none'",
        f"style-src 'sha256-{_style_digest()}'",
        "base-uri 'none'",
        f"form-action {targets}",
        "frame-ancestors 'none'",
    ]
    safe = {
        "content-type": _HTML,
        "content-security-policy": "; ".join(policy),
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        # Where a form comes from is told to us alone: it is how a forged one is known.
        "referrer-policy": "same-origin",
        "cache-control": "no-store",
        "cross-origin-opener-policy": "same-origin",
    }
    return Response(status, text, safe | dict(headers or {}))


def problem(status: int, title: str, what: str, hint: str = "") -> Response:
    """What went wrong, as a page: nobody is sent anywhere."""
    told = html('<p class="bad" role="alert">{what}</p><p>{hint}</p>', what=what, hint=linked(hint))
    return page(title, told, status=status)


def linked(text: str) -> Markup:
    """With pages of ours that it names to be followed."""
    return Markup(_PAGE.sub(r'<a href="\g<0>">\g<0></a>', escape(text)))


def sent_on(location: str, headers: Mapping[str, str] | None = None) -> Response:
    """With GET, whatever was asked with."""
    return Response(303, "", {"location": location, "cache-control": "no-store", **(headers or {})})


@cache
def _style() -> str:
    return (files("forge") / "console" / "css" / "base.css").read_text(encoding="utf-8") + _OWN_STYLE


@cache
def _style_digest() -> str:
    return b64encode(sha256(_style().encode()).digest()).decode()
