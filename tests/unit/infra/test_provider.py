"""What the stack tells of the OpenID provider is what the function reads."""

from functions.oauth.people.providers import IdentityProvider, read
from infra.stack.parameters import CONDITIONS, PARAMETERS
from infra.stack.provider import SETTINGS, environment, provider_resources, read_secrets

_SECRET = provider_resources()[SETTINGS]
_TEXT = _SECRET["Properties"]["SecretString"]["Fn::Sub"]


def test_each_parameter_reaches_the_provider() -> None:
    values = {name: f"https://{name.lower()}.example.com" for name in PARAMETERS if name.startswith("Oidc")}
    text = _TEXT
    for name, value in values.items():
        text = text.replace(f"${{{name}}}", value)

    found = read(dict(line.split("=", 1) for line in text.splitlines()), own_machine=False)

    assert found == IdentityProvider(
        values["OidcIssuer"],
        values["OidcClientId"],
        secret_name=values["OidcSecret"],
        name=values["OidcName"],
        groups_claim=values["OidcGroupsClaim"],
        workspace=values["OidcWorkspace"],
    )


def test_what_is_not_given_is_what_it_would_be_without() -> None:
    text = _TEXT
    for name, parameter in PARAMETERS.items():
        text = text.replace(f"${{{name}}}", str(parameter.get("Default")))

    assert read(dict(line.split("=", 1) for line in text.splitlines()), own_machine=False) is None


def test_no_value_stands_in_a_variable_and_the_secret_is_there_only_with_a_provider() -> None:
    (name,) = environment().values()

    assert (
        name["Fn::Sub"] == _SECRET["Properties"]["Name"]["Fn::Sub"] == "forge/${AWS::StackName}/oidc/settings"
    )
    assert _SECRET["Condition"] in CONDITIONS
    assert read_secrets()["Resource"][0]["Fn::Sub"].endswith(":secret:forge/${AWS::StackName}/oidc/*")
