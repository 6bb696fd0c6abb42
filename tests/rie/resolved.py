"""Run by the Python that SAM is installed in: which variables `sam local invoke` would hand to a function."""

import json
import sys

from samcli.commands.local.cli_common.invoke_context import InvokeContext
from samcli.commands.local.lib.local_lambda import LocalLambdaRunner
from samcli.lib.providers.sam_function_provider import SamFunctionProvider
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider


def main() -> None:
    template, env_vars, name = sys.argv[1:]
    stacks, _ = SamLocalStackProvider.get_stacks(template)
    functions = SamFunctionProvider(stacks)
    overrides = InvokeContext._get_env_vars_value(env_vars)
    runner = LocalLambdaRunner(None, functions, ".", ".", env_vars_values=overrides)
    function = functions.get(name)
    found = {
        "variables": runner._make_env_vars(function).resolve(),
        "architecture": function.architecture,
        "runtime": function.runtime,
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
