from forge.testing.mocked import mocked_world


def test_a_label_can_be_found_again_and_not_made_twice() -> None:
    with mocked_world() as world:
        key = world.owner_key()

        world.call("labels.create", {"name": "bug"}, key=key)
        again = world.call("labels.create", {"name": "bug"}, key=key)
        listed = world.call("labels.list", key=key)

    assert again["structuredContent"]["error"] == "conflict"
    assert [label["name"] for label in listed["structuredContent"]["data"]] == ["bug"]
