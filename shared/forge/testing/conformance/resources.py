"""Fixture resources, and one template of them."""

import re

from forge.jsontext import encode
from forge.testing.conformance.content import PNG
from forge.testing.conformance.fixtures import Answer, Result
from forge.wire.protocol import INVALID_PARAMS, Params, ProtocolError

_CONTENTS: dict[str, Result] = {
    "test://static-text": {
        "mimeType": "text/plain",
        "text": "This is the content of the static text resource.",
    },
    "test://static-binary": {"mimeType": "image/png", "blob": PNG},
    "test://watched-resource": {"mimeType": "text/plain", "text": "Nothing here ever changes."},
}
_TEMPLATE = "test://template/{id}/data"
_TEMPLATE_URI = re.compile(r"test://template/([^/]+)/data")

LISTING: Result = {
    "resources": [
        {
            "uri": uri,
            "name": uri.removeprefix("test://"),
            "description": "A resource for the conformance suite.",
            "mimeType": content["mimeType"],
        }
        for uri, content in _CONTENTS.items()
    ]
}
TEMPLATES: Result = {
    "resourceTemplates": [
        {
            "uriTemplate": _TEMPLATE,
            "name": "template",
            "description": "A resource template for the conformance suite.",
            "mimeType": "application/json",
        }
    ]
}


def read(params: Params) -> Answer:
    uri = params.get("uri")
    return Answer({"contents": [{"uri": uri, **_content(uri)}]})


def _content(uri: object) -> Result:
    if isinstance(uri, str):
        if uri in _CONTENTS:
            return _CONTENTS[uri]
        match = _TEMPLATE_URI.fullmatch(uri)
        if match:
            data = {"id": match[1], "templateTest": True, "data": f"Data for ID: {match[1]}"}
            return {"mimeType": "application/json", "text": encode(data)}
    raise ProtocolError(INVALID_PARAMS, "There is no such resource.", {"uri": uri})
