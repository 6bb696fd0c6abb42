"""Who exports, in the template: the one that may read everything, and how little else it may."""

from tests.contract.test_template import RESOURCES, actions_of, of_type, statements_of


def test_nobody_may_scan_but_who_exports() -> None:
    roles = of_type("AWS::IAM::Role")

    scanning = {name for name in roles if any("Scan" in action for action in actions_of(name))}
    taking = {name for name in of_type("AWS::Serverless::Function") if "ExportsRole" in str(RESOURCES[name])}
    everything = [one for one in statements_of(RESOURCES) if "Scan" in str(one["Action"])]

    assert scanning == {"ExportsRole"}
    assert taking == {"ExportsFunction"}
    # Of the table, and of no index.
    assert [one["Resource"] for one in everything] == [[{"Fn::GetAtt": ["Table", "Arn"]}]]


def test_who_exports_writes_nothing_but_orders_and_files_of_its_own() -> None:
    statements = [*statements_of(RESOURCES["ExportsRole"]["Properties"]["Policies"])]
    (items,) = (one for one in statements if "dynamodb:PutItem" in one["Action"])
    (files,) = (one for one in statements if "s3:PutObject" in one["Action"])

    leading = items["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
    assert leading == ["WS#*#EXPORT#*", "WS#*#LOG"]
    assert files["Resource"] == [{"Fn::Sub": "${Bucket.Arn}/exports/*"}]


def test_the_bucket_lets_go_of_what_was_exported() -> None:
    rules = RESOURCES["Bucket"]["Properties"]["LifecycleConfiguration"]["Rules"]

    (rule,) = (one for one in rules if one.get("Prefix") == "exports/")
    assert (rule["Status"], rule["ExpirationInDays"]) == ("Enabled", 7)
