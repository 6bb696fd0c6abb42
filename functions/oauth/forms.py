"""What comes in a form: fields that may be there several times, and most of which must not."""

from urllib.parse import parse_qsl

from forge.errors import InvalidInput
from forge.wire.http import Request, require_size

_MOST_FIELDS = 300


class Form(dict[str, list[str]]):
    """Each field as often as it was sent."""

    def one(self, name: str) -> str:
        """What is said once; nothing where it is said twice."""
        values = self.get(name, [])
        return values[0] if len(values) == 1 else ""

    def single(self) -> dict[str, str]:
        """All of them, of programs: with them nothing may be there twice."""
        if any(len(values) > 1 for values in self.values()):
            raise InvalidInput("A parameter is there twice.")
        return {name: values[0] for name, values in self.items()}


def read_form(request: Request) -> Form:
    require_size(request)
    body = request.body
    try:
        text = body.decode() if isinstance(body, bytes) else body
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict")
    except ValueError:
        raise InvalidInput("The body must be a form, in UTF-8.") from None
    found = Form()
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found


def printable(text: str) -> str:
    """As it is shown: nothing in it turns the line around or hides."""
    return "".join(one for one in text if one.isprintable()).strip()
