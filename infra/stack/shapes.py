"""Small words that every part of the template uses."""

from typing import Any

Resource = dict[str, Any]
Resources = dict[str, Resource]


def ref(name: str) -> dict[str, str]:
    return {"Ref": name}


def attribute(name: str, attribute_name: str) -> dict[str, list[str]]:
    return {"Fn::GetAtt": [name, attribute_name]}


def sub(text: str) -> dict[str, str]:
    return {"Fn::Sub": text}


def pascal(name: str) -> str:
    """`action_requests` as a logical id: `ActionRequests`."""
    return "".join(part[:1].upper() + part[1:] for part in name.replace(".", "_").split("_"))


def stack_suffix() -> dict[str, Any]:
    """What no other stack has, not even one of the same name before or after it."""
    return {"Fn::Select": [2, {"Fn::Split": ["/", {"Ref": "AWS::StackId"}]}]}
