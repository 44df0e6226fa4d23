"""The surveyors' screen: AM3 and AM4 with their effect, and surveys that arrive once after an hour away.

A shell of the test stands in for the telephone: each scan has other strengths.
"""

import time

from keys import ENTER
from page import Page
from screens_tests import LANGUAGES, Screens
from staff_subject import SIZES, StaffSubject

# Each scan differs from the one before, as on a telephone. `shell.silent` gives none.
SHELL = """
    window.shell = { scans: 0, silent: false };
    window.whereaboutsShell = {
        scanNow: function () {
            setTimeout(function () {
                if (!shell.silent && window.whereaboutsScanned) whereaboutsScanned();
            }, 30);
        },
        results: function () {
            shell.scans += 1;
            var wifi = [1, 2, 3, 4, 5, 6].map(function (number) {
                return { bssid: '02:00:00:00:01:0' + number, ssid: 'house',
                    rssi: -40 - 6 * number - (shell.scans * number) % 7 };
            });
            return JSON.stringify({ wifi: wifi, ble: [{ uuid:
                '0f0e0d0c-0b0a-0908-0706-050403020100', major: 1, minor: 2, rssi: -70 - shell.scans % 5 }] });
        },
        permission: function () { return true; },
        share: function () {}, background: function () {},
    };"""
SENT = "return /^All surveys are sent/.test(document.querySelector('.status').textContent)"
RESULT = "return document.querySelector('.survey-result') !== null"
# A tap of a finger in the middle of what the panel leaves free, so many pixels beside it.
TAP = """
    var view = whereabouts.view;
    var map = view.leaflet;
    var at = map.latLngToContainerPoint(view.middle());
    var rect = map.getContainer().getBoundingClientRect();
    var x = rect.left + at.x + arguments[0], y = rect.top + at.y + arguments[1];
    ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'].forEach(function (name) {
      map.getContainer().dispatchEvent(new MouseEvent(name, { bubbles: true, view: window,
        clientX: x, clientY: y })); });"""
# A logger's file of the last half minute, as Sensor Logger writes it, goes into the field for files.
LOG = """
    var lines = ['time,seconds_elapsed,z,y,x'];
    for (var at = Date.now() - 30000; at < Date.now(); at += 20) {
      var wave = Math.sin(at / 700) * 8;
      lines.push([at + '000000', 0, -40 + wave, 5 - wave / 2, 20 + wave].join(','));
    }
    var files = new DataTransfer();
    files.items.add(new File([lines.join('\\n')], 'Magnetometer.csv', { type: 'text/csv' }));
    var input = document.querySelector('#field-file');
    input.files = files.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));"""
PIXELS = """
    var map = whereabouts.view.leaflet;
    var middle = map.getCenter();
    var north = [middle.lat + 0.0001, middle.lng];
    return Math.abs(map.latLngToContainerPoint(north).y - map.latLngToContainerPoint(middle).y) / 11.13;"""
VIEWS = ("", "&panel=places", "&panel=path", "&panel=radio", "&panel=field", "&panel=connect",
         "&panel=waiting")


class StaffSurvey(StaffSubject):
    def _page(self, size: str = "phone") -> Page:
        return Page(self.at, SIZES[size], before=SHELL)

    def _open(self, page: Page, person, site: str, more: str = "") -> None:
        self.open(page, person, f"/staff/{site}?screen=survey{more}")
        page.until("return whereabouts.survey && whereabouts.survey.floor !== null")

    def _surveyor(self, site: str):
        return self.staff.person("Sam", "surveyor", site)

    def _surveys(self, site: str) -> list[dict]:
        found = self.staff.ask(f"/v1/sites/{site}/surveys?limit=1000")["surveys"]
        return [one for one in found if one["state"] != "withdrawn"]

    def _within(self, found, seconds: float = 60):
        """The first true value of a question to the service."""
        end = time.monotonic() + seconds
        while True:
            value = found()
            if value:
                return value
            assert time.monotonic() < end, f"not within {seconds} s"
            time.sleep(0.3)

    def _fingerprint(self, site: str, place: str) -> dict | None:
        """What the radio map has of a place."""
        def all_of(after=""):
            path = f"/v1/sites/{site}/fingerprints?limit=1000&after={after}"
            try:
                page = self.staff.ask(path)
            except Exception:
                return []
            return page["fingerprints"] + (all_of(page["next"]) if page["next"] else [])
        return next((one for one in all_of() if one["place"] == place
                     or one["place"].endswith("/" + place)), None)

    def _of_three(self, site: str, place: str) -> dict | None:
        """The same once it has all three surveys: a radio map may be made between two of them."""
        found = self._fingerprint(site, place)
        return found if found and found["fingerprint"]["surveys"] == 3 else None

    def _publish(self, site: str) -> None:
        self.staff.send("POST", f"/v1/sites/{site}/publish", {"audience": "everyone"}, **{"if-match": "*"})

    def _location(self, site: str) -> dict:
        return self.staff.ask(f"/v1/sites/{site}/locations?limit=1")["locations"][0]

    def _survey(self, page: Page) -> None:
        """Surveys what is open, with the least number of scans."""
        self.press(page, "survey.here")
        page.until(RESULT)

    def am3_a_survey_by_the_screen_is_in_the_radio_map(self):
        site = self.fresh()
        sam = self._surveyor(site)
        place = self._location(site)
        with self._page() as page:
            self._open(page, sam, site, f"&panel=place&record={place['id']}&floor={place['floor']}")
            self._survey(page)
            assert "3 scans" in page.text(".survey-result"), page.text(".survey-result")
            page.until(SENT)
            found = self._within(lambda: self._of_three(site, place["id"]))
            assert len(found["fingerprint"]["readings"]) >= 6, found
            # And the screen has it: not one that waits any more.
            page.until("return /3 surveys/.test(document.querySelector('.survey-state').textContent)")
            page.until("return !/not sent/.test(document.querySelector('.survey-state').textContent)")

    def am4_cleared_is_out_of_the_radio_map(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        place = self._location(site)
        with self._page() as page:
            self._open(page, anna, site, f"&panel=place&record={place['id']}&floor={place['floor']}")
            self._survey(page)
            page.until(SENT)
            self._within(lambda: self._fingerprint(site, place["id"]))
            # A survey's time of arrival is before that of the discard.
            self.press(page, "survey.clear")
            self.press(page, "survey.yes.clear")
            page.until("return /no survey/.test(document.querySelector('.survey-state').textContent)")
            # Undone, they count again; then it is done for good.
            page.click(".tool.undo")
            page.until("return /3 surveys/.test(document.querySelector('.survey-state').textContent)")
            self.press(page, "survey.clear")
            self.press(page, "survey.yes.clear")
            page.until("return /no survey/.test(document.querySelector('.survey-state').textContent)")
            self._publish(site)
            self._within(lambda: self._fingerprint(site, place["id"]) is None)
            states = {one["state"] for one in self.staff.ask(f"/v1/sites/{site}/surveys")["surveys"]}
            assert states == {"cleared"}, states

    def a_tap_makes_a_place_whose_surveys_count_once_it_is_published(self):
        site = self.fresh()
        sam = self._surveyor(site)
        with self._page() as page:
            self._open(page, sam, site)
            page.run(TAP, 0, 0)
            page.until("return document.querySelector('#survey-name') !== null")
            self.type(page, "#survey-name", "Beside the window")
            self.press(page, "survey.makeAndSurvey")
            page.until(RESULT)
            page.until(SENT)
            made = page.run("return new URLSearchParams(location.search).get('record')")
            assert "not published" in page.text(".survey-state"), page.text(".survey-state")
            draft = self._within(lambda: self.draft(site, "locations", made))
            assert draft["name"] == "Beside the window", draft
            assert len(self._within(lambda: self._surveys(site))) == 3
            assert self._fingerprint(site, made) is None, "a place of the draft is in no radio map"
            self._publish(site)
            self._within(lambda: self._of_three(site, made))

    def a_point_of_the_plan_takes_one_press(self):
        site = self.fresh()
        sam = self._surveyor(site)
        with self._page() as page:
            self._open(page, sam, site)
            page.until("return document.querySelector('.survey-next h2') !== null")
            figures = page.text(".survey-figures")
            assert "points are left: about" in figures, figures
            count = int(figures.split()[0])
            self.press(page, "survey.here")
            page.until(RESULT)
            page.until(f"return parseInt(document.querySelector('.survey-figures').textContent) < {count}")
            assert len(self._within(lambda: self._surveys(site))) == 3

    def an_hour_away_surveys_arrive_once(self):
        site = self.fresh()
        sam = self._surveyor(site)
        place = self._location(site)
        path = f"&panel=place&record={place['id']}&floor={place['floor']}"
        with self._page() as page:
            self._open(page, sam, site, path)
            self.between.leave("/v1/surveys")
            self._survey(page)
            page.until("return /3 surveys wait/.test(document.querySelector('.status').textContent)")
            # The tab is closed and opened again; its time passes.
            page.load(f"/staff/{site}?screen=survey{path}")
            self.ready(page)
            page.until("return /3 surveys wait/.test(document.querySelector('.status').textContent)")
            page.until("return /3 surveys/.test(document.querySelector('.survey-state').textContent)")
            self._survey(page)
            page.until("return /6 surveys wait/.test(document.querySelector('.status').textContent)")
            assert self._surveys(site) == []
            # The first answers are lost on their way: they are sent again.
            self.between.lost["/v1/surveys"] = 2
            self.between.away = None
            page.run("window.dispatchEvent(new Event('online'))")
            page.until(SENT)
            time.sleep(2)
            found = self._surveys(site)
            assert len(found) == 6 and len({one["id"] for one in found}) == 6, found
            assert all(one["location"] == place["id"] for one in found), found

    def a_walk_is_surveyed_between_its_taps(self):
        site = self.fresh()
        sam = self._surveyor(site)
        with self._page() as page:
            self._open(page, sam, site, "&panel=path")
            self.press(page, "survey.path.begin")
            page.run(TAP, 0, 0)
            page.until("return whereabouts.survey.queue.walk().walk.scans.length >= 2")
            page.run(TAP, 60, 0)
            # The tab is closed in the middle of the walk, which goes on afterwards.
            page.load(f"/staff/{site}?screen=survey&panel=path")
            self.ready(page)
            self.press(page, "survey.path.resume")
            page.until("return whereabouts.survey.queue.walk().walk.scans.length >= 4")
            self.press(page, "survey.path.tapMiddle")
            self.press(page, "survey.path.finish")
            page.until(SENT)
            found = self._within(lambda: [one for one in self._surveys(site) if "floor" in one])
            assert len(found) >= 3, found
            spots = {(one["latitude"], one["longitude"]) for one in found}
            assert len(spots) == len(found), "each scan has its own place"
            count = len(found)
            page.click(".tool.undo")
            self._within(lambda: self._surveys(site) == [], 90)
            assert count > 0

    def a_withdrawn_survey_comes_back_by_undo(self):
        site = self.fresh()
        sam = self._surveyor(site)
        place = self._location(site)
        with self._page() as page:
            self._open(page, sam, site, f"&panel=place&record={place['id']}&floor={place['floor']}")
            self._survey(page)
            page.until(SENT)
            self._within(lambda: len(self._surveys(site)) == 3)
            page.until("return document.querySelectorAll('.survey-row .link').length === 3")
            page.click(".survey-row .link")
            self._within(lambda: len(self._surveys(site)) == 2)
            page.click(".tool.undo")
            self._within(lambda: len(self._surveys(site)) == 3)

    def places_are_renamed_moved_and_removed(self):
        site = self.fresh()
        sam = self._surveyor(site)
        place = self._location(site)
        with self._page() as page:
            self._open(page, sam, site, f"&panel=place&record={place['id']}&floor={place['floor']}")
            page.until("return document.querySelector('#survey-name') !== null")
            self.type(page, "#survey-name", "Behind the clocks")
            self.press(page, "form.save")
            self._within(lambda: self.draft(site, "locations", place["id"]).get("name") == "Behind the clocks")
            self.press(page, "survey.move")
            page.run(TAP, 30, 10)
            moved = self._within(lambda: [one for one in [self.draft(site, "locations", place["id"])]
                                          if (one["x"], one["y"]) != (place["x"], place["y"])])[0]
            assert moved["floor"] == place["floor"], moved
            page.click(".tool.undo")
            self._within(lambda: self.draft(site, "locations", place["id"])["x"] == place["x"])
            self.press(page, "survey.remove")
            self.press(page, "survey.yes.remove")
            page.until("return location.search.indexOf('panel=places') > 0")
            kinds = [one["do"] for one in self._within(
                lambda: [one for one in self.journal(site) if one["do"] == "remove"])]
            assert kinds == ["remove"], kinds

    def two_places_are_connected_over_two_floors(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        floors = [one["id"] for one in self.staff.ask(f"/v1/sites/{site}/floors")["floors"]]
        for number, floor in enumerate(floors[:2]):
            room = next(one for one in self.staff.ask(f"/v1/sites/{site}/rooms?floor={floor}")["rooms"]
                        if one.get("outline"))
            x, y = (sum(corner[axis] for corner in room["outline"]) / len(room["outline"])
                    for axis in (0, 1))
            self.staff.send("PUT", f"/v1/sites/{site}/locations/landing-{number}",
                            {"floor": floor, "x": x, "y": y, "name": f"Landing {number}"},
                            **{"if-match": "*"})
        with self._page() as page:
            self._open(page, anna, site, f"&panel=connect&floor={floors[0]}")
            row = "[data-at=end-landing-%d]"
            page.until("return document.querySelector(arguments[0]) !== null", 60, row % 0)
            page.click(row % 0)
            page.until("return /From Landing 0/.test(document.querySelector('.survey-big').textContent)")
            page.show(f"/staff/{site}?screen=survey&panel=connect&floor={floors[1]}")
            page.until("return document.querySelector(arguments[0]) !== null", 60, row % 1)
            page.click(row % 1)
            made = self._within(lambda: [one for one in self.journal(site) if one["kind"] == "connections"])
            found = self.draft(site, "connections", made[-1]["record"])
            assert found["kind"] == "stairs", found
            assert [one["floor"] for one in found["stops"]] == floors[:2], found

    def what_is_received_is_shown_and_beacons_get_their_places(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        with self._page() as page:
            self._open(page, anna, site, "&panel=radio")
            self.press(page, "survey.radio.listen")
            page.until("return /2 scans/.test(document.querySelector('.content').textContent)")
            rows = page.run("return [].map.call(document.querySelectorAll('.survey-row'), "
                            "function (one) { return one.textContent; })")
            assert len(rows) == 7 and "house" in rows[0] and "dBm" in rows[0], rows
            self.press(page, "survey.stop")
            page.click("[data-at^='place-ble']")
            page.run(TAP, 20, -20)
            made = self._within(lambda: [one for one in self.journal(site) if one["kind"] == "beacons"])
            found = self.draft(site, "beacons", made[0]["record"])
            assert (found["major"], found["minor"]) == (1, 2), found

    def a_magnetic_route_is_walked_and_handed_in(self):
        site = self.fresh()
        sam = self._surveyor(site)
        with self._page() as page:
            self._open(page, sam, site, "&panel=field")
            page.until("return document.querySelector('[data-at=pass]') !== null")
            metre = page.run(PIXELS)
            for side in (-4, 4):
                page.run(TAP, side * metre, 0)
            page.until("return !document.querySelector('[data-at=pass]').disabled")
            page.click("[data-at=pass]")
            time.sleep(6)
            page.click("[data-at=pass]")
            page.until("return document.querySelector('#field-file') !== null")
            page.run(LOG)
            page.until("return /is recorded/.test(document.querySelector('.content').textContent)")
            found = self.staff.ask(f"/v1/magnetic-routes?site={site}")["magneticRoutes"]
            assert [one["state"] for one in found] == ["recorded"], found
            assert found[0]["samples"] > 250, found
            (x, y), (u, v) = found[0]["polyline"]
            assert 7 < ((x - u) ** 2 + (y - v) ** 2) ** 0.5 < 9, found

    def a_telephone_that_does_not_scan_says_so(self):
        site = self.fresh()
        sam = self._surveyor(site)
        with Page(self.at, SIZES["phone"]) as page:
            self._open(page, sam, site)
            page.until("return /can scan/.test(document.querySelector('.content').textContent)")
            assert page.run("return document.querySelector('[data-at=survey]').disabled")

    def surveying_works_by_the_keyboard(self):
        site = self.fresh()
        sam = self._surveyor(site)
        with self._page("desk") as page:
            self._open(page, sam, site)
            page.focus("#map")
            page.keys(ENTER)
            page.until("return document.querySelector('[data-at=survey]') !== null"
                       " && location.search.indexOf('panel=place') > 0")
            page.focus("[data-at=survey]")
            page.keys(ENTER)
            page.until(RESULT)
            page.until(SENT)
            assert len(self._within(lambda: self._surveys(site))) == 3

    def screens_of_surveyors_are_legible(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        screens = Screens(self.between, self.given)
        screens.words = self.words
        faults = []
        place = self._location(site)
        views = VIEWS + (f"&panel=place&record={place['id']}&floor={place['floor']}",)
        with self._page("desk") as page:
            self._open(page, anna, site)
            for turn, view in enumerate(views):
                language = LANGUAGES[turn % 3]
                path = f"/staff/{site}?screen=survey{view}&lang={language}"
                names = list(SIZES) if turn % 2 else list(reversed(SIZES))
                for name in names:
                    page.resize(SIZES[name])
                    if name == names[0]:
                        page.load(path)
                        self.ready(page)
                        page.until("return whereabouts.survey.floor !== null")
                    page.settled()
                    found = screens._faults(page, language, name == names[0])
                    screens._keep(page, "/s/staff?survey" + view, name)
                    faults += [f"{name} {path}: {one}" for one in found]
            faults += [one for one in page.console() if "Content Security Policy" in one]
        assert not faults, "\n".join(faults[:30])
