"""What each function may do, derived from the effects of its tools. Only who exports or erases scans."""

from collections.abc import Iterable, Sequence
from typing import Any

from forge.contract.terms import Effect
from forge.contract.tools import AnyTool
from forge.store.physical import ANSWERS, EXPORTS, MACHINES, PARTITION, SORT
from forge.store.secrets import ROOT
from forge.work.workspace.people.authentication import TOUCHED
from forge.work.workspace.people.key_copies import FOLLOWING
from infra.stack.data import BUCKET, RELAY_FAILURES, TABLE, TOKEN_SECRET, machine_id, queue_id
from infra.stack.shapes import attribute, ref, sub

Statement = dict[str, Any]

PREFERRING = "notification"
"""The namespace whose tools write what people prefer everywhere."""

MINTING = "agents"
"""The namespace in which an agent makes a key for a run of its own."""

_READ = ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"]
_WRITE = ["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:ConditionCheckItem"]
_WRITE_MANY = "dynamodb:BatchWriteItem"
_OF_OPERATORS = ["KEY#*", "USER#*", "EMAIL#*", "WSNAME#*", "MAPPING#*"]
_PREFERENCES = "USER#*#PREFS"
"""What people prefer in every workspace: beside the people themselves, who are the operators' to write."""
WORKSPACES = "WS#*"
_LOG = ["WS#*#LOG", "WS#*#LOG#*"]
_OUTBOX = ["WS#*#OUTBOX", "WS#*#OUTBOX#*"]
"""Both with their shards."""
_CALLS = "WS#*#CALLS"
"""What keys take of their workspace's ceiling."""

_FILES = "*/attachments/*"
"""Names of the objects that attachments are, of all workspaces."""
_ANSWERS_OF_TASKS = "texts/*/task_*/answer"
"""Names of what workers keep for whoever asks for the result of a task, where it is long."""
ATTACHMENTS = "attachments"
SECRETS = f"{ROOT}${{AWS::StackName}}/"
"""Before the names of the stack's secrets, so that no other one in the account may read them."""
ASKING_GITHUB = frozenset({"backlog", "errands", "github", "tasks"})
"""The folders of functions that ask GitHub with the tokens of workspaces; the last one runs long tools."""


def tool_statements(tools: Iterable[AnyTool], *, is_admin: bool) -> list[Statement]:
    """Readers read and count the call; writers also write in workspaces; operators also people and keys."""
    known = [*tools]
    namespaces = {tool.namespace for tool in known}
    writing = {tool.namespace for tool in known if tool.effect is not Effect.READ_ONLY}
    # Its URLs are signed with its own rights, so these are for files alone, and for answers that are kept.
    objects = [_FILES, f"{ANSWERS}*"] if namespaces == {ATTACHMENTS} else ["*"]
    statements = [read_table(), *read_bucket(objects), authenticate(), read_token_secret()]
    if writing:
        keys = [WORKSPACES, *(_OF_OPERATORS if is_admin else ())]
        statements += [write_keys("WriteItems", keys), write_bucket(objects)]
    if PREFERRING in writing:
        statements.append(_write_preferences())
    if MINTING in writing:
        statements.append(_mint_keys())
    if ASKING_GITHUB & namespaces:
        statements.append(read_github_secrets())
    if ATTACHMENTS in namespaces:
        statements.append(delete_files())
    if is_admin:
        # What they have tried again is tried at once, and what they order is begun at once.
        statements.append(send_to("dispatch", "exports"))
    return statements


def gateway_statements() -> list[Statement]:
    """For the router, which the gateway is a part of: the gates of runs, their log, and what it hands out."""
    gates = ["WS#*#GATED#*", "WS#*#GATE#*"]
    return [
        write_keys("WriteGates", [*gates, "WS#*#TASK#*", *_LOG, *_OUTBOX, "WS#*#IDEMPOTENCY#*"]),
        hand_out(),
        *read_bucket([f"{ANSWERS}*", _ANSWERS_OF_TASKS]),
        write_bucket([f"{ANSWERS}*"]),
    ]


def hand_out() -> Statement:
    """For the gateway, wherever it runs: what takes long is a worker's."""
    return send_to("tasks")


def tasks_statements(queue: str) -> list[Statement]:
    """Who executes what was put off: whatever tools may in workspaces, for callers who were admitted."""
    return [
        read_table(),
        *read_bucket(["*"]),
        write_keys("WriteItems", [WORKSPACES]),
        end_keys(),
        write_bucket(["*"]),
        read_github_secrets(),
        take_from(queue),
    ]


def worker_statements() -> list[Statement]:
    """The relay and the sweep: no callers to authenticate, but texts to index and queues to fill."""
    return [
        read_table(),
        *read_bucket(["*"]),
        write_keys("WriteItems", [WORKSPACES], more=[_WRITE_MANY]),
        send_to("dispatch", "waits", "tasks", "errands", "words", "exports", "erasures"),
    ]


def dispatch_statements(queue: str) -> list[Statement]:
    """Who posts: it reads the receivers, writes what became of each, and takes and sends messages."""
    return [read_table(), write_keys("WriteItems", [WORKSPACES]), send_to(queue), take_from(queue)]


def errands_statements(queue: str) -> list[Statement]:
    """Who runs errands: it reads what is to be done, and writes what became of it."""
    return [
        read_table(),
        write_keys("WriteErrands", ["WS#*#ERRAND#*", *_LOG]),
        read_github_secrets(),
        take_from(queue),
    ]


def exports_statements(queue: str) -> list[Statement]:
    """Who exports: it alone reads the whole table, and it writes files of its own, its orders and the log."""
    return [
        _allow("ReadTable", ["dynamodb:GetItem", "dynamodb:Scan"], [attribute(TABLE, "Arn")]),
        write_keys("WriteOrders", ["WS#*#EXPORT#*", *_LOG]),
        *read_bucket(["texts/*", "pipelines/*"]),
        write_bucket([f"{EXPORTS}*"]),
        take_from(queue),
    ]


def erasures_statements(queue: str) -> list[Statement]:
    """Who erases: it finds whatever is of a person or a workspace, and deletes it; it makes nothing new.

    What it changes are names in rows that stay, and its own orders.
    """
    table = [attribute(TABLE, "Arn")]
    changed = ["WS#*#ERASURE#*", *_LOG, "WS#*#KEYS"]
    return [
        read_table(),
        _allow("LookEverywhere", ["dynamodb:Scan"], table),
        _allow("Erase", ["dynamodb:DeleteItem"], table) | _leading([WORKSPACES, *_OF_OPERATORS]),
        _allow("WriteNames", ["dynamodb:PutItem", "dynamodb:UpdateItem"], table) | _leading(changed),
        _allow("ListBucket", ["s3:ListBucket"], [attribute(BUCKET, "Arn")]),
        _allow("EraseObjects", ["s3:DeleteObject"], _named(["*"])),
        send_to(queue),
        take_from(queue),
    ]


def waits_statements(queue: str) -> list[Statement]:
    """Who tends waits: it does what a stage asks for, starts executions, and ends their waiting."""
    return [
        read_table(),
        *read_bucket(["*"]),
        write_keys("WriteItems", [WORKSPACES]),
        end_keys(),
        write_bucket(["*"]),
        take_from(queue),
        _allow("Start", ["states:StartExecution"], [ref(machine_id(name)) for name in MACHINES]),
        # The token is the right: IAM knows no smaller thing than all tasks that wait.
        _allow("Answer", ["states:SendTaskSuccess"], ["*"]),
    ]


def mind_keys() -> list[Statement]:
    """For the sweep: what authenticates a session goes when it has expired, and keys follow their workspace.

    Nothing that a key grants changes with that.
    """
    table = [attribute(TABLE, "Arn")]
    attributes = {"ForAllValues:StringEquals": {"dynamodb:Attributes": sorted(FOLLOWING)}}
    return [
        _allow("PurgeKeys", ["dynamodb:DeleteItem"], table) | _leading([WORKSPACES, "KEY#*"]),
        _allow("TellKeys", ["dynamodb:UpdateItem"], table)
        | {"Condition": _leading(["KEY#*"])["Condition"] | attributes},
    ]


def read_table() -> Statement:
    return _allow("ReadTable", _READ, [attribute(TABLE, "Arn"), sub(f"${{{TABLE}.Arn}}/index/*")])


def authenticate() -> Statement:
    """Whoever answers callers counts their calls on the key's own item.

    IAM sees which attributes a request names, not what it does with them. So it does keep scopes, narrowing,
    workspace and role of a key as operators wrote them. It can't tell the condition that a key is neither
    revoked nor expired from a change of either, nor counting from setting a count: those stay with the code.
    An item that an update makes out of these attributes alone is no key. What comes back is not restricted:
    these roles may read the item anyway, and nothing restricts what a failed condition returns.
    """
    allowed = _allow("Authenticate", ["dynamodb:UpdateItem"], [attribute(TABLE, "Arn")])
    attributes = {"ForAllValues:StringEquals": {"dynamodb:Attributes": sorted(TOUCHED)}}
    return allowed | {"Condition": _leading(["KEY#*", _CALLS])["Condition"] | attributes}


def read_token_secret() -> Statement:
    """For whoever answers callers: each verifies tokens itself, and one secret both signs and verifies."""
    return _allow("ReadTokenSecret", ["secretsmanager:GetSecretValue"], [ref(TOKEN_SECRET)])


def read_github_secrets() -> Statement:
    """Of all workspaces of this stack: a function serves them all, and secret_names tells whose is whose."""
    place = "arn:${AWS::Partition}:secretsmanager:${AWS::Region}:${AWS::AccountId}:secret:"
    return _allow("ReadGitHubSecrets", ["secretsmanager:GetSecretValue"], [sub(f"{place}{SECRETS}github/*")])


def write_bucket(objects: Iterable[str]) -> Statement:
    return _allow("WriteBucket", ["s3:PutObject"], _named(objects))


def delete_files() -> Statement:
    """For who attaches files, and for the sweep, which removes what is left of them."""
    return _allow("DeleteFiles", ["s3:DeleteObject"], _named([_FILES]))


def read_bucket(objects: Iterable[str]) -> list[Statement]:
    return [
        _allow("ReadBucket", ["s3:GetObject"], _named(objects)),
        # Whoever may not list hears of an object that is not there that it is forbidden.
        _allow("TellWhatIsMissing", ["s3:ListBucket"], [attribute(BUCKET, "Arn")]),
    ]


def send_to(*queues: str) -> Statement:
    return _allow("Send", ["sqs:SendMessage"], [attribute(queue_id(queue), "Arn") for queue in queues])


def take_from(queue: str) -> Statement:
    actions = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"]
    return _allow("Take", actions, [attribute(queue_id(queue), "Arn")])


def follow_stream() -> list[Statement]:
    """For the event source: Lambda finds the stream, reads it and sets aside what the function refuses."""
    actions = ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"]
    return [
        _allow("FollowStream", actions, [attribute(TABLE, "StreamArn")]),
        # About all streams of the table: IAM knows no smaller thing to list.
        _allow("FindStream", ["dynamodb:ListStreams"], [sub(f"${{{TABLE}.Arn}}/stream/*")]),
        _allow("SetAside", ["sqs:SendMessage"], [attribute(RELAY_FAILURES, "Arn")]),
    ]


def invoke(arns: Iterable[Any]) -> Statement:
    return _allow("InvokeTools", ["lambda:InvokeFunction"], list(arns))


def write_log(log_group: str) -> Statement:
    actions = ["logs:CreateLogStream", "logs:PutLogEvents"]
    return _allow("WriteLog", actions, [sub(f"${{{log_group}.Arn}}")])


def trace() -> Statement:
    """X-Ray knows no resources: whoever tells it of a call may tell it of any."""
    return _allow("Trace", ["xray:PutTraceSegments", "xray:PutTelemetryRecords"], ["*"])


def _mint_keys() -> Statement:
    """For a run's key, which is never wider than its maker's: the code sees to that, and rewrites none."""
    allowed = _allow("MintKeys", ["dynamodb:PutItem"], [attribute(TABLE, "Arn")])
    return allowed | _leading([WORKSPACES, "KEY#*"])


def end_keys() -> Statement:
    """For whoever ends runs without authenticating callers: a run's key ends with it."""
    attributes = {"ForAllValues:StringEquals": {"dynamodb:Attributes": [PARTITION, SORT, "revoked_at"]}}
    allowed = _allow("EndKeys", ["dynamodb:UpdateItem"], [attribute(TABLE, "Arn")])
    return allowed | {"Condition": _leading(["KEY#*"])["Condition"] | attributes}


def _write_preferences() -> Statement:
    """Nobody's preference is ever deleted, and none is checked without being written."""
    allowed = _allow("WritePreferences", ["dynamodb:PutItem"], [attribute(TABLE, "Arn")])
    return allowed | _leading([WORKSPACES, _PREFERENCES])


def _named(objects: Iterable[str]) -> list[Any]:
    return [sub(f"${{{BUCKET}.Arn}}/{name}") for name in objects]


def write_keys(sid: str, keys: list[str], *, more: Sequence[str] = ()) -> Statement:
    """All of a role's in one statement: about a transaction, IAM may be asked for all of its keys at once."""
    return _allow(sid, [*_WRITE, *more], [attribute(TABLE, "Arn")]) | _leading(keys)


def _leading(keys: list[str]) -> Statement:
    return {"Condition": {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": keys}}}


def _allow(sid: str, actions: list[str], resources: list[Any]) -> Statement:
    return {"Sid": sid, "Effect": "Allow", "Action": actions, "Resource": resources}
