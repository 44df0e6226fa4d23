"""UM2 to UM8 of the report on Bush House (chapter 3), each by its name and with a number.

UM1 is in walk_tests.py. docs/visitor-app.md has the table.
"""

import datetime
import re

from keys import ENTER
from page import Page
from subject import Subject

SITE = "bush-house"
FLOORS = ("floor-0", "floor-1", "floor-2")
ROUTES = (("0.N01", "2.S05"), ("2.S05", "0.K"), ("1.N03", "1.S09"), ("0.S02", "1.N08"))


class Requirements(Subject):
    def um2_all_registered_rooms_are_listed(self):
        """UM2: a list of registered rooms: each named room of three floors is in the list."""
        rooms = self._rooms()
        listed = 0
        with Page(self.at) as page:
            page.open(f"/s/{SITE}")
            for floor in FLOORS:
                page.show(f"/s/{SITE}?floor={floor}")
                page.until("return whereabouts.view.floorID === arguments[0]", 60, floor)
                page.run("document.querySelectorAll('.quick button')[1].click()")
                page.until("return document.querySelector('.group') !== null")
                page.run("document.querySelectorAll('.group').forEach(function (one) {"
                         "one.open = true; })")
                page.until("return document.querySelectorAll('.group .line').length > 10")
                page.settled()
                names = set(page.run("return [].map.call(document.querySelectorAll('.group .line'),"
                                     "function (one) { return one.textContent; })"))
                here = {one["name"] for one in rooms if one["floor"] == floor}
                assert here <= names, (floor, sorted(here - names))
                listed += len(here)
        print(f"      UM2: {listed} rooms are listed")
        assert listed >= 50

    def _rooms(self) -> list[dict]:
        """The rooms that have names and that one goes to."""
        found = []
        for floor in FLOORS:
            page = self.ask(f"/v1/sites/{SITE}/rooms?floor={floor}&limit=1000")
            found += page["rooms"]
        ways = {"corridor", "stairs", "lift"}
        return [one for one in found if one.get("name") and one.get("kind") not in ways]

    def um3_a_search_finds_each_room(self):
        """UM3: a search for a destination: 20 rooms, typed without the dot, come first."""
        rooms = sorted(self._rooms(), key=lambda one: one["id"])
        chosen = [one for one in rooms if re.fullmatch(r"\d\.[NS]\d\d", one["id"])][::3][:20]
        with Page(self.at) as page:
            page.open(f"/s/{SITE}")
            for room in chosen:
                page.focus(".search input")
                page.run("document.querySelector('.search input').select()")
                page.keys(room["id"].lower())
                page.until("return ((document.querySelector('.search [role=option]') || {})"
                           ".textContent || '').indexOf(arguments[0]) >= 0", 60, room["id"])
            page.keys(ENTER)
            page.until("return location.search.indexOf('room=' + arguments[0]) >= 0", 60, room["id"])
        print(f"      UM3: {len(chosen)} of {len(chosen)} rooms come first")
        assert len(chosen) == 20

    def um4_instructions_lead_to_the_destination(self):
        """UM4: instructions and a path: the list is the service's, and the line ends in the room."""
        with Page(self.at) as page:
            page.open(f"/s/{SITE}")
            for start, end in ROUTES:
                self.between.posted.clear()
                page.show(f"/s/{SITE}?from={start}&to={end}")
                page.until("return document.querySelectorAll('.steps li').length > 1")
                asked = self.between.until_posted("/v1/routes", **{"from": {"room": start}})
                told = page.run("return [].map.call(document.querySelectorAll('.steps .told'),"
                                "function (one) { return one.textContent; })")
                assert asked["to"] == [{"room": end}] and end in told[-1], (start, end, told)
                page.click(".steps li:last-child button")
                page.until("return whereabouts.view.floorID === 'floor-' + arguments[0]", 60, end[0])
                page.until("return document.querySelectorAll('path.route-line').length > 0")
        print(f"      UM4: {len(ROUTES)} of {len(ROUTES)} routes have steps and a line")

    def um5_the_arrival_is_told(self):
        """UM5: the estimated arrival: now and the seconds of the way, to the minute."""
        with Page(self.at) as page:
            page.open(f"/s/{SITE}?from=0.N01&to=2.S05")
            before = datetime.datetime.now(datetime.UTC)
            page.click(".profiles input[value=step-free-strict]")
            self.between.until_posted("/v1/routes", profile="step-free-strict")
            page.settled()
            after = datetime.datetime.now(datetime.UTC)
            text = page.text(".summary .big")
            minutes = int(re.search(r"(\d+) min", text)[1])
            hour, minute = map(int, re.search(r"(\d\d):(\d\d)", text).groups())
            offset = datetime.timedelta(minutes=page.run("return new Date().getTimezoneOffset()"))
        wrong = []
        for asked in (before, after):
            local = asked - offset
            ahead = (hour * 60 + minute) - (local.hour * 60 + local.minute)
            wrong.append((ahead - minutes + 720) % 1440 - 720)
        print(f"      UM5: {minutes} min, the arrival differs by {wrong[0]} min")
        assert minutes >= 1 and wrong[0] >= -1 and wrong[1] <= 1, (text, before, after)

    def um7_the_timetable_of_a_room_is_shown(self):
        """UM7: the timetable of a room: all bookings of its week that are still to come."""
        base = f"/v1/sites/{SITE}/rooms/0.N03"
        now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
        day = now.replace(hour=0, minute=0, second=0)
        hour = datetime.timedelta(hours=1)
        bookings = [self._booking(f"{at}", f"Practical {at} <b>x</b>", day + 24 * at * hour + 9 * hour)
                    for at in range(1, 7)]
        bookings.insert(0, self._booking("now", "Chemistry <b>2</b>", now - hour, 2))
        days = [{"date": "", "from": stamp(day + 24 * at * hour),
                 "until": stamp(day + 24 * (at + 1) * hour)} for at in range(7)]
        room = self.ask(base + "?coordinates=wgs84")
        lab = {"id": "lab", "kind": "department", "name": "Dyes", "places": [{"room": "0.N03"}],
               "telephone": "+44 20 7946 0000", "website": "javascript:alert(1)"}
        self.between.answers = {
            base: {**room, "openingHours": "Mo-Fr 08:00-18:00; Sa 10:00-14:00; Su off"},
            base + "/timetable": {
                "site": SITE, "room": "0.N03", "name": "", "language": "en", "week": "",
                "previousWeek": "", "nextWeek": "", "timeZone": "Etc/UTC", "known": True,
                "old": False, "bookings": bookings, "days": days},
            f"/v1/sites/{SITE}/directory": {"version": 1, "next": None, "directory": [lab]},
            f"/v1/sites/{SITE}/directory/lab": lab,
        }
        with Page(self.at) as page:
            page.open(f"/s/{SITE}?room=0.N03")
            page.until("return document.querySelector('.timetable .bookings') !== null")
            shown = page.run("return document.querySelectorAll('.bookings li').length")
            # One that crosses midnight is shown on both days.
            assert shown in (len(bookings), len(bookings) + 1), (shown, len(bookings))
            text = page.text(".content")
            for words in ("Monday to Friday", "08:00 to 18:00", "closed", "Chemistry <b>2</b>",
                          "Taken until", "Practical 6 <b>x</b>", "Dyes"):
                assert words in text, (words, text)
            page.open(f"/s/{SITE}?entry=lab")
            page.until("return (document.querySelector('.facts a') || { getAttribute: function () {}})"
                       ".getAttribute('href') === 'tel:+442079460000'")
            assert page.run("return document.querySelector('a[href^=javascript]') === null")
        print(f"      UM7: {len(bookings)} of {len(bookings)} bookings are shown")

    def _booking(self, name: str, title: str, starts: datetime.datetime, hours: int = 1) -> dict:
        return {
            "id": name, "title": title, "rooms": [], "starts": stamp(starts),
            "ends": stamp(starts + datetime.timedelta(hours=hours)), "startDate": "", "startTime": "",
            "endDate": "", "endTime": "", "allDay": False, "tentative": False, "feed": "f",
        }

    def um8_free_computers_of_a_room_are_shown(self):
        """UM8: the availability of computers: five states, each with its own sentence."""
        path = f"/v1/sites/{SITE}/rooms/0.N03/availability"
        hour_ago = datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=1)
        states = [
            ({"state": "free", "available": 3, "total": 20}, r"3 of 20 computers free.*an hour ago"),
            ({"state": "free", "available": 1, "total": 20}, r"1 of 20 computers? free"),
            ({"state": "none-free", "available": 0, "total": 20}, r"[Nn]o"),
            ({"state": "unknown", "available": 0, "total": 0}, r"."),
            ({"state": "not-counted", "available": 0, "total": 0}, None),
        ]
        with Page(self.at) as page:
            page.open(f"/s/{SITE}")
            for state, words in states:
                self.between.answers = {path: {**state, "source": [], "asOf": stamp(hour_ago)}}
                self.between.asked.clear()
                page.show(f"/s/{SITE}?room=0.N03")
                self.between.until_asked(path)
                page.settled()
                if words is None:
                    assert page.text(".more .facts.line") == ""
                    continue
                page.until("return document.querySelector('.more .facts.line') !== null")
                shown = page.text(".more .facts.line")
                assert re.search(words, shown), (state, shown)
                page.show(f"/s/{SITE}")
        print(f"      UM8: {len(states)} of {len(states)} states are told")


def stamp(time: datetime.datetime) -> str:
    return time.replace(microsecond=0).isoformat().replace("+00:00", "Z")
