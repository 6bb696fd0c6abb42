"""What is stored is encrypted with AWS's keys, or with one of the account's own, which roles then may use."""

from typing import Any

from infra.stack.parameters import if_given
from infra.stack.shapes import Resource, ref

_KEY = "KmsKeyArn"


def key_property(name: str) -> Resource:
    """The property that names the key, where there is one."""
    return {name: if_given("HasKey", ref(_KEY))}


def table_encryption() -> Resource:
    own = {"SSEEnabled": True, "SSEType": "KMS", "KMSMasterKeyId": ref(_KEY)}
    return {"SSESpecification": {"Fn::If": ["HasKey", own, {"SSEEnabled": True}]}}


def bucket_encryption() -> Resource:
    by_key = {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": ref(_KEY)}
    by_default = {"Fn::If": ["HasKey", by_key, {"SSEAlgorithm": "AES256"}]}
    # With a key of its own for the bucket, S3 asks KMS once in a while instead of for each object.
    rule = {"ServerSideEncryptionByDefault": by_default, "BucketKeyEnabled": if_given("HasKey", True)}
    return {"BucketEncryption": {"ServerSideEncryptionConfiguration": [rule]}}


def queue_encryption() -> Resource:
    # SQS takes one of them, not both.
    own = {"Fn::If": ["HasKey", ref("AWS::NoValue"), True]}
    return {"SqsManagedSseEnabled": own, **key_property("KmsMasterKeyId")}


def use_key() -> dict[str, Any]:
    """A policy for every role that reads or writes what is stored; DynamoDB, S3 and SQS ask on its behalf."""
    statement = {
        "Sid": "UseKey",
        "Effect": "Allow",
        "Action": ["kms:Decrypt", "kms:Encrypt", "kms:GenerateDataKey", "kms:DescribeKey"],
        "Resource": [ref(_KEY)],
    }
    document = {"Version": "2012-10-17", "Statement": [statement]}
    return if_given("HasKey", {"PolicyName": "Key", "PolicyDocument": document})
