"""Where state lives: the table, the bucket, the queues, the token secret."""

from forge.store.physical import EXPIRIES, QUEUES, TTL, Queue, table_definition
from infra.stack.encryption import bucket_encryption, key_property, queue_encryption, table_encryption
from infra.stack.parameters import if_given
from infra.stack.shapes import Resource, Resources, attribute, pascal, ref, sub

TABLE, BUCKET, TOKEN_SECRET = "Table", "Bucket", "TokenSecret"
DEAD_LETTERS = "DeadLetters"
"""What consumers of any queue failed to handle; each message knows the queue that it came from."""
FIFO_DEAD_LETTERS = "FifoDeadLetters"
"""The same of queues that keep an order."""
RELAY_FAILURES = "RelayFailures"
"""Which records of the stream the relay gave up on."""

# A stack that never came to be leaves nothing behind, since nobody wrote anything; but a table that is
# protected from deletion stays even then.
_KEPT = "RetainExceptOnCreate"
_DEAD_LETTER_SECONDS = 14 * 24 * 3600


def data_resources() -> Resources:
    resources: Resources = {
        TABLE: _table(),
        BUCKET: _bucket(),
        "BucketPolicy": _bucket_policy(),
        TOKEN_SECRET: {
            "Type": "AWS::SecretsManager::Secret",
            "Properties": {
                "Description": "Signs short-lived tokens.",
                "GenerateSecretString": {"PasswordLength": 64, "ExcludePunctuation": True},
                **key_property("KmsKeyId"),
            },
        },
    }
    resources |= {name: _dead_letters(is_fifo=False) for name in (RELAY_FAILURES, DEAD_LETTERS)}
    if any(queue.is_fifo for queue in QUEUES):
        resources[FIFO_DEAD_LETTERS] = _dead_letters(is_fifo=True)
    return resources | {queue_id(queue.name): _queue(queue) for queue in QUEUES}


def queue_id(name: str) -> str:
    return f"{pascal(name)}Queue"


def machine_id(name: str) -> str:
    return f"{pascal(name)}Machine"


def _table() -> Resource:
    definition = table_definition()
    indexes = [index | _warm() for index in definition["GlobalSecondaryIndexes"]]
    return {
        "Type": "AWS::DynamoDB::Table",
        "DeletionPolicy": _KEPT,
        "UpdateReplacePolicy": "Retain",
        "Properties": {
            **definition,
            "GlobalSecondaryIndexes": indexes,
            **_warm(),
            "TimeToLiveSpecification": {"AttributeName": TTL, "Enabled": True},
            "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
            **table_encryption(),
            "DeletionProtectionEnabled": {"Fn::If": ["KeepsData", True, False]},
        },
    }


def _warm() -> Resource:
    """What is there from the first second on; left out, it grows with what is asked of it."""
    reads, writes = ({"Fn::Select": [place, ref("WarmThroughput")]} for place in (0, 1))
    ready = {"ReadUnitsPerSecond": reads, "WriteUnitsPerSecond": writes}
    return {"WarmThroughput": if_given("IsWarm", ready)}


def _bucket() -> Resource:
    return {
        "Type": "AWS::S3::Bucket",
        "DeletionPolicy": _KEPT,
        "UpdateReplacePolicy": "Retain",
        "Properties": {
            "VersioningConfiguration": {"Status": "Enabled"},
            "PublicAccessBlockConfiguration": {
                "BlockPublicAcls": True,
                "BlockPublicPolicy": True,
                "IgnorePublicAcls": True,
                "RestrictPublicBuckets": True,
            },
            **bucket_encryption(),
            "LifecycleConfiguration": {
                "Rules": [
                    {
                        "Id": "unfinished",
                        "Status": "Enabled",
                        "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 2},
                        "NoncurrentVersionExpiration": {"NoncurrentDays": 90},
                        # What is left of a deleted file when its versions are gone, too.
                        "ExpiredObjectDeleteMarker": True,
                    },
                    *_expiries(),
                ]
            },
        },
    }


def _expiries() -> list[dict[str, object]]:
    """Of what nobody asks for any more after some days."""
    return [
        {
            "Id": prefix.rstrip("/"),
            "Status": "Enabled",
            "Prefix": prefix,
            "ExpirationInDays": days,
            "NoncurrentVersionExpiration": {"NoncurrentDays": 1},
        }
        for prefix, days in EXPIRIES.items()
    ]


def _bucket_policy() -> Resource:
    return {
        "Type": "AWS::S3::BucketPolicy",
        "Properties": {
            "Bucket": {"Ref": BUCKET},
            "PolicyDocument": {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Sid": "OnlyOverTls",
                        "Effect": "Deny",
                        # A denial for everybody: the one place where all principals and actions are meant.
                        "Principal": "*",
                        "Action": "s3:*",
                        "Resource": [attribute(BUCKET, "Arn"), sub(f"${{{BUCKET}.Arn}}/*")],
                        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
                    }
                ],
            },
        },
    }


def _queue(queue: Queue) -> Resource:
    # Messages that keep their order have to keep it among the dead, too.
    dead = FIFO_DEAD_LETTERS if queue.is_fifo else DEAD_LETTERS
    return {
        "Type": "AWS::SQS::Queue",
        "Properties": {
            **_kind(is_fifo=queue.is_fifo),
            "VisibilityTimeout": queue.visibility_seconds,
            "RedrivePolicy": {
                "deadLetterTargetArn": attribute(dead, "Arn"),
                "maxReceiveCount": queue.max_receive_count,
            },
        },
    }


def _dead_letters(*, is_fifo: bool) -> Resource:
    return {
        "Type": "AWS::SQS::Queue",
        "Properties": {**_kind(is_fifo=is_fifo), "MessageRetentionPeriod": _DEAD_LETTER_SECONDS},
    }


def _kind(*, is_fifo: bool) -> Resource:
    return queue_encryption() | ({"FifoQueue": True} if is_fifo else {})
