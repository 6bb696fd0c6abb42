"""The template of `make invoke SAM=1`: that of this machine, and what SAM needs declared."""

import copy

from infra.generate import this_machine
from infra.invoking.containers import DECLARED, invoked_template
from infra.registry import find_namespaces
from infra.template import template


def test_it_declares_what_the_environment_file_fills_in_and_differs_in_nothing_else() -> None:
    found = copy.deepcopy(invoked_template())
    functions = [one for one in found["Resources"].values() if one["Type"] == "AWS::Serverless::Function"]

    declared = [
        {name: one["Properties"]["Environment"]["Variables"].pop(name, None) for name in DECLARED}
        for one in functions
    ]

    assert len(functions) > 30
    assert all(one == dict.fromkeys(DECLARED, "") for one in declared)
    assert found == template(find_namespaces(), this_machine())
