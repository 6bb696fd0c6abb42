"""Where the stack is reached: at its API's own address, or where its operators say."""

from typing import Any

from infra.stack.shapes import ref, sub

API = "HttpApi"
URL = f"https://${{{API}}}.execute-api.${{AWS::Region}}.${{AWS::URLSuffix}}"


def public_url() -> dict[str, Any]:
    """What answers put before the path of a page."""
    return {"Fn::If": ["HasPublicUrl", ref("PublicUrl"), sub(URL)]}
