"""The template as it is committed, and as CloudFormation gets it, after SAM's transform."""

import copy
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import boto3
import yaml
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator

from infra.registry import find_namespaces
from infra.stack.functions import LAYER, Target
from infra.template import template

TEXT = (Path(__file__).parents[2] / "template.yaml").read_text()
# Every process that collects tests waits for this; without C it would be for seconds.
TEMPLATE: dict[str, Any] = yaml.load(TEXT, yaml.CSafeLoader)
RESOURCES: dict[str, Any] = TEMPLATE["Resources"]


@cache
def transformed(layer: str = "layer", canary: str = "false") -> dict[str, Any]:
    """Resources of the stack, as if its code had been uploaded."""
    return translated(copy.deepcopy(template(find_namespaces(), Target())), layer, {"Canary": canary})


def translated(
    document: dict[str, Any], layer: str = "layer", parameters: dict[str, str] | None = None
) -> dict[str, Any]:
    """The same of any template, which this changes."""
    for name, resource in document["Resources"].items():
        if resource["Type"] == "AWS::Serverless::Function":
            resource["Properties"]["CodeUri"] = f"s3://bucket/{name}"
        if resource["Type"] == "AWS::Serverless::LayerVersion":
            resource["Properties"]["ContentUri"] = f"s3://bucket/{name}"
    document["Resources"][LAYER]["Properties"]["ContentUri"] = f"s3://bucket/{layer}"
    translator = Translator({}, Parser(), boto_session=boto3.Session(region_name="us-east-1"))
    resources: dict[str, Any] = translator.translate(document, parameters or {})["Resources"]
    return resources


def of_type(resources: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return {name: one for name, one in resources.items() if one["Type"] == kind}
