"""Today has one entry, and today is what the calendar says where one lives."""

from datetime import timedelta

from tests.workshop.office import Office


def until(office: Office, hour: int, minute: int) -> None:
    """Moves the clock on to that time of UTC."""
    now = office.world.clock()
    then = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    office.world.clock.advance(seconds=((then - now) % timedelta(days=1)).total_seconds())


def test_the_same_day_gives_the_same_entry_with_its_whole_body(office: Office) -> None:
    first = office.call("notes.todayJournal")
    office.call("notes.update", {"id": first["id"], "body": "Standup. " * 100})

    again = office.call("notes.todayJournal")

    assert (first["kind"], first["body"]) == ("JOURNAL", "")
    assert (again["id"], again["body"], "truncated" in again) == (first["id"], "Standup. " * 100, False)
    until(office, 0, 0)
    assert office.call("notes.todayJournal")["id"] != first["id"]


def test_at_half_past_eleven_of_utc_it_is_tomorrow_in_tokyo(office: Office) -> None:
    until(office, 23, 30)
    today = office.world.clock().date()
    in_tokyo = office.a_colleague(timezone="Asia/Tokyo")
    in_honolulu = office.a_colleague(timezone="Pacific/Honolulu")
    agents_key = office.an_agents_key()

    days = [
        office.call("notes.todayJournal", key=key)["journalDate"]
        for key in (in_tokyo.key, in_honolulu.key, agents_key, office.owner_key)
    ]

    tomorrow = (today + timedelta(days=1)).isoformat()
    assert days == [tomorrow, today.isoformat(), today.isoformat(), today.isoformat()]


def test_two_who_open_it_at_once_open_one(office: Office) -> None:
    others: list[str] = []
    office.meanwhile(lambda: others.append(office.call("notes.todayJournal")["id"]))

    opened = office.call("notes.todayJournal")

    assert others == [opened["id"]]
    assert office.rows("notes.listJournal") == [opened]
