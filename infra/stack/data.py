"""Where state lives: the table, the bucket, the queues, the token secret."""

from forge.store.physical import ANSWER_DAYS, ANSWERS, QUEUES, TTL, Queue, table_definition
from infra.stack.shapes import Resource, Resources, attribute, pascal, sub

TABLE, BUCKET, TOKEN_SECRET = "Table", "Bucket", "TokenSecret"
RELAY_FAILURES = "RelayFailures"
"""Which records of the stream the relay gave up on."""

# A stack that never came to be leaves nothing behind, since nobody wrote anything; but a table that is
# protected from deletion stays even then.
_KEPT = "RetainExceptOnCreate"
_DEAD_LETTER_SECONDS = 14 * 24 * 3600


def data_resources() -> Resources:
    resources = {
        TABLE: _table(),
        BUCKET: _bucket(),
        "BucketPolicy": _bucket_policy(),
        TOKEN_SECRET: {
            "Type": "AWS::SecretsManager::Secret",
            "Properties": {
                "Description": "Signs short-lived tokens.",
                "GenerateSecretString": {"PasswordLength": 64, "ExcludePunctuation": True},
            },
        },
    }
    resources[RELAY_FAILURES] = _dead_letters({"SqsManagedSseEnabled": True})
    for queue in QUEUES:
        resources |= _queue(queue)
    return resources


def queue_id(name: str) -> str:
    return f"{pascal(name)}Queue"


def _table() -> Resource:
    return {
        "Type": "AWS::DynamoDB::Table",
        "DeletionPolicy": _KEPT,
        "UpdateReplacePolicy": "Retain",
        "Properties": {
            **table_definition(),
            "TimeToLiveSpecification": {"AttributeName": TTL, "Enabled": True},
            "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
            "SSESpecification": {"SSEEnabled": True},
            "DeletionProtectionEnabled": {"Fn::If": ["KeepsData", True, False]},
        },
    }


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
            "BucketEncryption": {
                "ServerSideEncryptionConfiguration": [
                    {"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}
                ]
            },
            "LifecycleConfiguration": {
                "Rules": [
                    {
                        "Id": "unfinished",
                        "Status": "Enabled",
                        "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 2},
                        "NoncurrentVersionExpiration": {"NoncurrentDays": 90},
                    },
                    {
                        "Id": "answers",
                        "Status": "Enabled",
                        "Prefix": ANSWERS,
                        "ExpirationInDays": ANSWER_DAYS,
                        "NoncurrentVersionExpiration": {"NoncurrentDays": 1},
                    },
                ]
            },
        },
    }


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


def _queue(queue: Queue) -> Resources:
    dead = f"{queue_id(queue.name)}Dead"
    kind = {"SqsManagedSseEnabled": True} | ({"FifoQueue": True} if queue.is_fifo else {})
    return {
        queue_id(queue.name): {
            "Type": "AWS::SQS::Queue",
            "Properties": {
                **kind,
                "VisibilityTimeout": queue.visibility_seconds,
                "RedrivePolicy": {
                    "deadLetterTargetArn": attribute(dead, "Arn"),
                    "maxReceiveCount": queue.max_receive_count,
                },
            },
        },
        dead: _dead_letters(kind),
    }


def _dead_letters(kind: dict[str, bool]) -> Resource:
    return {
        "Type": "AWS::SQS::Queue",
        "Properties": {**kind, "MessageRetentionPeriod": _DEAD_LETTER_SECONDS},
    }
