from forge.testing.world import World


def test_a_formal_greeting_says_good_day() -> None:
    world = World()

    result = world.call("greetings.hello", {"name": "Ada", "isFormal": True}, key=world.a_key())

    assert result["structuredContent"] == {"text": "Good day, Ada.", "workspace": "Demo"}


def test_a_greeting_without_a_name_is_refused_with_the_field() -> None:
    world = World()

    result = world.call("greetings.hello", {}, key=world.a_key())

    assert result["isError"]
    assert list(result["structuredContent"]["issues"]) == ["name"]
