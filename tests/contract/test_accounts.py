"""The stack keeps to what an account demands of it, and takes no more of the account than it needs."""

from tests.contract.stacks import RESOURCES, of_type, transformed


def test_the_log_of_the_api_takes_no_room_in_the_one_log_policy_of_the_account() -> None:
    parts = RESOURCES["ApiLog"]["Properties"]["LogGroupName"]["Fn::Join"][1]

    assert parts[0].startswith("/aws/vendedlogs/")
    assert {"Ref": "AWS::StackName"} in parts


def test_every_role_has_the_boundary_that_an_account_demands() -> None:
    bounded = {"Fn::If": ["HasBoundary", {"Ref": "PermissionsBoundary"}, {"Ref": "AWS::NoValue"}]}

    made = {name: one for name, one in transformed().items() if one["Type"] == "AWS::IAM::Role"}

    assert made.keys() == of_type(RESOURCES, "AWS::IAM::Role").keys()
    for name, role in made.items():
        assert role["Properties"]["PermissionsBoundary"] == bounded, name


STORING = {
    "AWS::DynamoDB::Table",
    "AWS::S3::Bucket",
    "AWS::SQS::Queue",
    "AWS::Logs::LogGroup",
    "AWS::SecretsManager::Secret",
    "AWS::SNS::Topic",
}


def test_a_key_of_ones_own_is_for_whatever_is_stored_and_who_uses_that_may_use_it() -> None:
    for name, one in RESOURCES.items():
        assert ("{'Ref': 'KmsKeyArn'}" in str(one["Properties"])) or one["Type"] not in STORING, name
    for name, role in of_type(RESOURCES, "AWS::IAM::Role").items():
        properties = role["Properties"]
        (trust,) = properties["AssumeRolePolicyDocument"]["Statement"]
        uses_data = trust["Principal"]["Service"] in {"lambda.amazonaws.com", "states.amazonaws.com"}
        keys = [one for one in properties["Policies"] if "Fn::If" in one and one["Fn::If"][0] == "HasKey"]
        assert len(keys) == uses_data, name


def test_table_and_indexes_can_be_made_ready_for_what_is_to_come() -> None:
    table = RESOURCES["Table"]["Properties"]

    for one in (table, *table["GlobalSecondaryIndexes"]):
        assert one["WarmThroughput"]["Fn::If"][0] == "IsWarm"


def test_who_only_waits_has_little_memory() -> None:
    functions = of_type(RESOURCES, "AWS::Serverless::Function")

    small = {name for name, one in functions.items() if one["Properties"]["MemorySize"] == 256}

    assert small == {"EventsFunction", "DispatchFunction", "WaitsFunction", "ErrandsFunction"}
