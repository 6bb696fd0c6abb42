"""Where the stack is reached: at its API's own address, or where its operators say."""

from typing import Any

from infra.stack.shapes import ref, sub

API = "HttpApi"
URL = f"https://${{{API}}}.execute-api.${{AWS::Region}}.${{AWS::URLSuffix}}"


def public_url() -> dict[str, Any]:
    """What answers put before the path of a page."""
    own_name = {"Fn::If": ["HasDomain", sub("https://${DomainName}"), sub(URL)]}
    return {"Fn::If": ["HasPublicUrl", ref("PublicUrl"), own_name]}


def api_url() -> dict[str, Any]:
    """The API's own address, while it answers there."""
    return {"Fn::If": ["OnlyOwnName", public_url(), sub(URL)]}
