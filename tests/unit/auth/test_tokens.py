"""A token stands for its key as long as both are good, and nothing else passes for one."""

import json
from base64 import urlsafe_b64encode
from datetime import timedelta
from typing import Any

import jwt
import pytest

from forge.auth.tokens import LIFETIME, SigningSecrets, Tokens
from forge.errors import ErrorCode, Forbidden, Unauthorized, Unavailable
from forge.testing.clock import NOON
from tests.unit.auth.entered import AGENT_KEY, SECRET, Entrance

OTHER_SECRET = "another secret, of somebody who wants to be let in"
ABSENT = object()


def claims_for(entrance: Entrance, **changes: object) -> dict[str, Any]:
    """The claims of a token that works, changed."""
    claims: dict[str, object] = {
        "iss": "forge",
        "aud": "forge-plugins",
        "sub": "plugin",
        "workspaceId": "ws_1",
        "keyHash": entrance.record_of().key_hash,
        "iat": int(NOON.timestamp()),
        "exp": int(NOON.timestamp()) + 300,
    }
    return {name: value for name, value in (claims | changes).items() if value is not ABSENT}


def segment(value: object) -> str:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def assert_refused(entrance: Entrance, token: str) -> None:
    with pytest.raises(Unauthorized) as caught:
        entrance.admit(token)
    assert caught.value.code is ErrorCode.UNAUTHORIZED
    assert caught.value.key_was_sent


def test_a_token_lets_its_key_in_with_all_that_is_the_keys(entrance: Entrance) -> None:
    raw = entrance.a_key(AGENT_KEY)

    assert entrance.admit(entrance.a_token(AGENT_KEY)) == entrance.admit(raw).replaced(is_token=True)


def test_a_token_made_by_hand_to_the_contract_works(entered: Entrance) -> None:
    token = jwt.encode(claims_for(entered), SECRET, algorithm="HS256")

    assert entered.admit(token).key_id == "key_laptop"


def test_a_token_says_when_it_expires() -> None:
    _, expires_at = Tokens(lambda: SigningSecrets(SECRET)).mint(
        subject="s", workspace_id="w", key_hash="h", now=NOON
    )

    assert expires_at == NOON + LIFETIME == NOON + timedelta(seconds=300)


def test_a_token_holds_no_key(raw: str, entrance: Entrance) -> None:
    claims = jwt.decode(entrance.a_token(), options={"verify_signature": False})

    assert raw not in str(claims)


@pytest.mark.parametrize("was_seen_before", [False, True])
def test_a_token_works_for_its_lifetime_and_not_a_moment_longer(
    entered: Entrance, was_seen_before: bool
) -> None:
    token = entered.a_token()
    entered.clock.advance(seconds=299.999)
    if was_seen_before:
        entered.admit(token)

    entered.clock.advance(seconds=0.001)

    assert_refused(entered, token)
    assert_refused(entered, token)


@pytest.mark.parametrize("was_seen_before", [False, True])
def test_a_valid_token_of_a_revoked_key_is_refused(entered: Entrance, was_seen_before: bool) -> None:
    token = entered.a_token()
    if was_seen_before:
        entered.admit(token)

    entered.revoke()

    assert_refused(entered, token)


def test_a_valid_token_of_a_removed_member_is_forbidden(entrance: Entrance) -> None:
    entrance.a_key(is_member=False)

    with pytest.raises(Forbidden) as caught:
        entrance.admit(entrance.a_token())

    assert caught.value.code is ErrorCode.FORBIDDEN


@pytest.mark.parametrize(
    "changes",
    [
        {"aud": "forge"},
        {"aud": ["somebody", "else"]},
        {"aud": 5},
        {"aud": ABSENT},
        {"iss": "someone"},
        {"iss": ABSENT},
        {"exp": ABSENT},
        {"exp": "tomorrow"},
        {"exp": None},
        {"exp": True},
        {"exp": int(NOON.timestamp())},
        {"exp": int(NOON.timestamp()) - 1},
        {"iat": ABSENT},
        {"sub": ABSENT},
        {"sub": 5},
        {"keyHash": ABSENT},
        {"keyHash": None},
        {"keyHash": ["h"]},
        {"keyHash": ""},
        {"keyHash": "0" * 64},
    ],
)
def test_a_signed_token_with_wrong_claims_is_refused(entered: Entrance, changes: dict[str, object]) -> None:
    token = jwt.encode(claims_for(entered, **changes), SECRET, algorithm="HS256")

    assert_refused(entered, token)


def test_a_token_signed_with_another_secret_is_refused(entered: Entrance) -> None:
    token = jwt.encode(claims_for(entered), OTHER_SECRET, algorithm="HS256")

    assert_refused(entered, token)


def test_a_token_of_another_algorithm_is_refused(entered: Entrance) -> None:
    long_secret = SECRET * 2
    entered.tokens = Tokens(lambda: SigningSecrets(long_secret))
    token = jwt.encode(claims_for(entered), long_secret, algorithm="HS512")

    assert_refused(entered, token)


@pytest.mark.parametrize("signature", ["", "x", "eHh4"])
@pytest.mark.parametrize("algorithm", ["none", "None", "NONE", "", None])
def test_a_token_that_needs_no_signature_is_refused(
    entered: Entrance, algorithm: str | None, signature: str
) -> None:
    header = {"alg": algorithm, "typ": "JWT"}

    assert_refused(entered, f"{segment(header)}.{segment(claims_for(entered))}.{signature}")


def test_a_token_with_its_claims_exchanged_is_refused(entered: Entrance) -> None:
    header, _, signature = entered.a_token().split(".")
    later = claims_for(entered, exp=int(NOON.timestamp()) + 999_999)

    assert_refused(entered, f"{header}.{segment(later)}.{signature}")


@pytest.mark.parametrize(
    "token",
    [
        "..",
        "a.b.c",
        "e30.e30.",
        f"{segment([])}.e30.eHh4",
        f"{segment({'alg': ['HS256']})}.e30.eHh4",
        f"{segment({'alg': 'HS256', 'crit': ['exp']})}.e30.eHh4",
        f"{segment({'alg': 'HS256', 'kid': {'$ne': 1}})}.e30.eHh4",
        f"{segment({'alg': 'HS256', 'jku': 'https://example.com/keys'})}.e30.eHh4",
        f"{segment(bytes([0xFF, 0xFE]))}.e30.eHh4",
        f"{segment(b'[' * 5000)}.e30.eHh4",
        f"{segment(b'9' * 5000)}.e30.eHh4",
        "=.=.=",
        "a" * 50_000 + ".b.c",
    ],
)
def test_whatever_merely_looks_like_a_token_is_refused(entered: Entrance, token: str) -> None:
    assert_refused(entered, token)


def test_a_deployment_with_a_weak_secret_signs_nothing() -> None:
    weak = Tokens(lambda: SigningSecrets("x" * 31))

    with pytest.raises(ValueError):  # noqa: PT011 - the wording is not the contract
        weak.mint(subject="s", workspace_id="w", key_hash="h", now=NOON)


def test_the_tokens_that_are_remembered_are_bounded() -> None:
    tokens = Tokens(lambda: SigningSecrets(SECRET))

    for number in range(1100):
        token, _ = tokens.mint(subject=f"s{number}", workspace_id="w", key_hash="h", now=NOON)
        tokens.key_hash_of(token, NOON)

    assert len(tokens._verified) <= 1024


def test_a_new_secret_signs_only_when_every_process_knows_it(entered: Entrance) -> None:
    rotated_at = NOON - timedelta(seconds=1)
    entered.tokens = Tokens(lambda: SigningSecrets(OTHER_SECRET, SECRET, rotated_at))
    # A process that has not looked since.
    slow = Tokens(lambda: SigningSecrets(SECRET))
    slow.mint(subject="s", workspace_id="w", key_hash="h", now=NOON)

    token = entered.a_token()
    assert slow.key_hash_of(token, NOON) == entered.tokens.key_hash_of(token, NOON)

    entered.clock.advance(minutes=10)
    with pytest.raises(jwt.InvalidSignatureError):
        jwt.decode(entered.a_token(), SECRET, algorithms=["HS256"], audience="forge-plugins")
    assert entered.admit(entered.a_token()).key_id == "key_laptop"


def test_what_the_secret_before_signed_is_good_until_it_ends_and_no_longer(entered: Entrance) -> None:
    entered.tokens = Tokens(lambda: SigningSecrets(OTHER_SECRET, SECRET, NOON))
    end = int((NOON + timedelta(hours=1)).timestamp())
    old = jwt.encode(claims_for(entered, exp=end), SECRET, algorithm="HS256")

    assert entered.admit(old).key_id == "key_laptop"

    entered.tokens = Tokens(lambda: SigningSecrets(OTHER_SECRET, SECRET, NOON))
    entered.clock.advance(minutes=15)
    assert_refused(entered, old)


def test_secrets_are_looked_at_again_and_kept_where_they_can_not_be_had(entered: Entrance) -> None:
    said: list[SigningSecrets | Exception] = [
        SigningSecrets(SECRET),
        Unavailable("not now"),
        SigningSecrets(OTHER_SECRET),
    ]

    def fetch() -> SigningSecrets:
        found = said.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    entered.tokens = Tokens(fetch)
    entered.admit(entered.a_token())
    assert len(said) == 2
    entered.clock.advance(minutes=5)
    entered.admit(entered.a_token())
    assert len(said) == 1
    entered.clock.advance(minutes=5)
    assert Tokens(lambda: SigningSecrets(OTHER_SECRET)).key_hash_of(entered.a_token(), entered.clock())
