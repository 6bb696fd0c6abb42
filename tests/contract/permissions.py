"""What IAM would say: requests of a function against the policies of its role, as far as our template goes.

It knows Allow, exact actions, resources with `*`, and the two set operators that the template uses. Anything
else raises, so that nothing is let through for want of understanding.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from forge.testing.instruments import Sent
from infra.stack.data import BUCKET, TABLE

Statement = Mapping[str, Any]

_ARNS = {
    TABLE: "arn:aws:dynamodb:us-east-1:123456789012:table/forge",
    BUCKET: "arn:aws:s3:::forge",
}
_IN_TRANSACTIONS = {
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "ConditionCheck": "ConditionCheckItem",
}
_EXPRESSIONS = ("UpdateExpression", "ConditionExpression", "FilterExpression", "ProjectionExpression")
_WORD = re.compile(r"(?<![:#\w])[A-Za-z_]\w*(?!\w*\()")
_KEYWORDS = frozenset({"SET", "ADD", "REMOVE", "DELETE", "AND", "OR", "NOT", "BETWEEN", "IN"})


@dataclass(frozen=True, slots=True)
class Request:
    action: str
    resource: str
    keys: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Condition keys, and what the request holds under them."""


def allows(statements: Iterable[Statement], request: Request) -> bool:
    return any(_allows(statement, request) for statement in statements)


def statements_of(role: Mapping[str, Any], conditions: Mapping[str, bool]) -> list[Statement]:
    """Of a role, with the policies that these conditions choose."""
    policies = [_chosen(policy, conditions) for policy in role["Properties"]["Policies"]]
    return [statement for policy in policies if policy for statement in policy["PolicyDocument"]["Statement"]]


def requests_of(sent: Sent) -> Iterator[Request]:
    """What IAM is asked for one request to DynamoDB.

    Of a transaction nobody says whether it is asked about each part, or once about all that are alike: it has
    to be allowed either way.
    """
    if sent.operation == "TransactWriteItems":
        parts = [_part(write) for write in sent.parameters["TransactItems"]]
        yield from parts
        for action in {part.action for part in parts}:
            yield _together([part for part in parts if part.action == action])
        return
    if sent.operation == "BatchGetItem":
        for asked in sent.parameters["RequestItems"].values():
            for key in asked["Keys"]:
                yield _request("BatchGetItem", {"Key": key})
        return
    if sent.operation == "BatchWriteItem":
        for writes in sent.parameters["RequestItems"].values():
            for one in (one for write in writes for one in write.values()):
                yield _request("BatchWriteItem", {"Key": one.get("Key") or one["Item"]})
        return
    yield _request(sent.operation, sent.parameters)


def object_request(action: str, name: str = "a/key") -> Request:
    return Request(f"s3:{action}", f"{_ARNS[BUCKET]}/{name}")


def _part(write: Mapping[str, Any]) -> Request:
    ((kind, parameters),) = write.items()
    return _request(_IN_TRANSACTIONS[kind], parameters)


def _together(parts: list[Request]) -> Request:
    names = {name for part in parts for name in part.keys}
    keys = {name: frozenset().union(*(part.keys.get(name, frozenset()) for part in parts)) for name in names}
    return Request(parts[0].action, parts[0].resource, keys)


def _request(action: str, parameters: Mapping[str, Any]) -> Request:
    index = parameters.get("IndexName")
    resource = f"{_ARNS[TABLE]}/index/{index}" if index else _ARNS[TABLE]
    place = parameters.get("Key") or parameters.get("Item") or {}
    keys = {"dynamodb:Attributes": frozenset(_attributes(parameters))}
    if "pk" in place:
        keys["dynamodb:LeadingKeys"] = frozenset({place["pk"]["S"]})
    return Request(f"dynamodb:{action}", resource, keys)


def _attributes(parameters: Mapping[str, Any]) -> Iterator[str]:
    """Every top-level attribute that the request names."""
    yield from parameters.get("Item", ())
    yield from parameters.get("Key", ())
    names = parameters.get("ExpressionAttributeNames", {})
    yield from names.values()
    for expression in _EXPRESSIONS:
        yield from (word for word in _WORD.findall(parameters.get(expression, "")) if word not in _KEYWORDS)


def _allows(statement: Statement, request: Request) -> bool:
    unknown = statement.keys() - {"Sid", "Effect", "Action", "Resource", "Condition"}
    if statement["Effect"] != "Allow" or unknown:
        raise NotImplementedError(statement)
    if request.action not in statement["Action"]:
        return False
    if not any(fnmatchcase(request.resource, _arn(one)) for one in statement["Resource"]):
        return False
    return all(
        _holds(operator, wanted, request.keys.get(key, frozenset()))
        for operator, tests in statement.get("Condition", {}).items()
        for key, wanted in tests.items()
    )


def _holds(operator: str, wanted: list[str], given: frozenset[str]) -> bool:
    # Of no values all are right: so says IAM, and so does `all`.
    if operator == "ForAllValues:StringEquals":
        return given <= set(wanted)
    if operator == "ForAllValues:StringLike":
        return all(any(fnmatchcase(value, pattern) for pattern in wanted) for value in given)
    raise NotImplementedError(operator)


def _arn(resource: Any) -> str:
    if resource == "*":
        return "*"
    if "Fn::GetAtt" in resource:
        name, attribute = resource["Fn::GetAtt"]
        return _ARNS[name] if attribute == "Arn" and name in _ARNS else f"arn:{name}.{attribute}"
    if "Fn::Sub" in resource:
        return re.sub(r"\$\{(\w+)\.Arn\}", lambda found: _ARNS.get(found[1], found[1]), resource["Fn::Sub"])
    return f"arn:{resource['Ref']}"


def _chosen(policy: Mapping[str, Any], conditions: Mapping[str, bool]) -> Mapping[str, Any] | None:
    """None where there is none then; what no parameter asks for is not there."""
    if "Fn::If" not in policy:
        return policy
    name, chosen, otherwise = policy["Fn::If"]
    branch: Mapping[str, Any] = chosen if conditions.get(name) else otherwise
    return None if branch == {"Ref": "AWS::NoValue"} else branch
