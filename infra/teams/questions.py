"""What is asked of whoever deploys a place for the first time; parameters beyond it are in the file."""

from collections.abc import Callable, Mapping

from infra.teams.accounts import Account, default_region
from infra.teams.configurations import Configuration, Place, problem_of

_ALWAYS = {
    "AlarmEmail": "Mail alarms to (empty for nobody)",
    "DomainName": "A name of your own (empty for none)",
}
_OF_DOMAIN = {
    "CertificateArn": "The ARN of its certificate in ACM",
    "HostedZoneId": "Its zone in Route 53 (empty to make the record yourself)",
}


def asked(place: Place, account: Account, ask: Callable[[str], str]) -> Configuration:
    region = _region(place, account, ask)
    answers = _answers(_ALWAYS, ask)
    if "DomainName" in answers:
        answers |= _answers(_OF_DOMAIN, ask)
    return Configuration.of(place, account.id, region, **answers)


def _region(place: Place, account: Account, ask: Callable[[str], str]) -> str:
    usual = default_region()
    while True:
        region = ask(f"Region{f' [{usual}]' if usual else ''}: ").strip() or usual or ""
        problems = Configuration.of(place, account.id, region).problems()
        if not problems:
            return region
        print(f"  {problems[0]}")


def _answers(questions: Mapping[str, str], ask: Callable[[str], str]) -> dict[str, str]:
    """What was answered; each is asked until it is something that the template takes."""
    answers = {}
    for name, question in questions.items():
        while problem := problem_of(name, answer := ask(f"{question}: ").strip()):
            print(f"  {problem}")
        if answer:
            answers[name] = answer
    return answers
