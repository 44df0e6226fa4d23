"""Tests the visitor's app in headless Chromium against a running service.

    browser_test.py --at http://127.0.0.1:8080 [--screens FOLDER] [--axe axe.min.js] [NAME ...]

The service has to have sites that are open to visitors: bush-house (simulated), and of moorgate,
polytech and columbus those that there are. It needs chromium, chromium-driver and PyPI's selenium.
Exits with 0 when all checks pass.
"""

import argparse
import datetime
import json
import pathlib
import sys
import time
import traceback
import urllib.request

from between import MARKUP, Between
from selenium import webdriver
from selenium.common.exceptions import JavascriptException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys

HERE = pathlib.Path(__file__).resolve().parent
APP = HERE.parents[2] / "Services" / "site-editor" / "web" / "app"
SIZES = {"phone": (390, 844), "desk": (1400, 900)}
LANGUAGES = ("en", "cy", "de")
# The screens of each site. Each next one is in another language.
SCREENS = {
    "bush-house": [
        "", "?room=0.N03", "?from=0.N01&to=2.S05", "?panel=settings&profile=wheelchair",
        "?panel=mine", "?from=here&to=kind:toilet", "?panel=directory",
        "?from=1.N03&to=2.S05&profile=step-free-strict", "?kiosk=0.N01", "?embed=1&to=2.S05",
    ],
    "moorgate": [
        "", "?room=r11664475", "?panel=directory", "?point=point:51.518,-0.088",
        "?from=r11664475&to=kind:toilet&profile=wheelchair",
    ],
    "polytech": ["", "?room=00014004-b208-481a-93b2-dfd2f6ca9f96", "?panel=directory"],
    "columbus": ["", "?entry=n1324473620"],
}


class Page:
    """A browser with one page, and the few calls that the tests need."""

    def __init__(self, base: str, size=(390, 844), ratio=1.0, before=""):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                         "--disable-dev-shm-usage", "--lang=en"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.base = base
        self.driver = webdriver.Chrome(
            options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(30)
        self.command("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1],
                     deviceScaleFactor=ratio, mobile=size[0] < 700)
        self.theme("light")
        if before:
            self.command("Page.addScriptToEvaluateOnNewDocument", source=before)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def command(self, name: str, **members):
        return self.driver.execute_cdp_cmd(name, members)

    def theme(self, name: str):
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": name}])

    def run(self, script: str, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, script: str, seconds=30.0, *arguments):
        """The first true value of a script; an error after the time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                value = self.run(script, *arguments)
            except JavascriptException:
                value = None
            if value:
                return value
            time.sleep(0.05)
        raise AssertionError(f"not within {seconds} s: {script}")

    def open(self, path: str):
        self.driver.get(self.base + path)
        self.until("return document.documentElement.classList.contains('ready')", 25)
        self.settled()

    def settled(self):
        try:
            self.until("""
                var text = document.querySelector('.content').textContent;
                return text && !document.querySelector('.wait') && !/…$/.test(text.trim());""", 25)
        except AssertionError as error:
            shown = self.text(".content")[-200:] + " | " + self.text(".waits")
            raise AssertionError(f"the page still waits: {shown}") from error
        time.sleep(0.25)

    def keys(self, *keys):
        self.driver.switch_to.active_element.send_keys(*keys)

    def text(self, selector: str) -> str:
        return self.run("var one = document.querySelector(arguments[0]);"
                        "return one ? one.textContent : '';", selector)

    def click(self, selector: str):
        self.run("document.querySelector(arguments[0]).click()", selector)


class Tests:
    def __init__(self, base: str, screens: pathlib.Path | None, axe: pathlib.Path | None = None):
        self.between = Between(base)
        self.at = self.between.address
        self.screens = screens
        self.axe = axe.read_text() if axe else None
        self.words = {path.stem: json.loads(path.read_text())
                      for path in (APP / "languages").glob("*.json")}
        self.checks = (HERE / "page_checks.js").read_text()

    def has(self, site: str) -> bool:
        try:
            urllib.request.urlopen(f"{self.at}/s/{site}", timeout=30)
            return True
        except urllib.error.HTTPError:
            return False

    def screens_are_legible(self, size: str) -> None:
        faults = []
        turn = 0
        with Page(self.at, SIZES[size]) as page:
            for site, paths in SCREENS.items():
                if not self.has(site):
                    print(f"      left out: there is no site {site}")
                    continue
                for path in paths:
                    language = LANGUAGES[turn % 3]
                    turn += 1
                    address = f"/s/{site}{path}{'&' if path else '?'}lang={language}"
                    page.theme("light")
                    page.open(address)
                    page.run(self.checks)
                    found = page.run("""
                        var c = window.pageChecks;
                        return [].concat(c.width(), c.size(), c.overlaps(), c.named(),
                            c.untranslated(arguments[0], arguments[1]));
                    """, self.words["en"], self.words[language])
                    for theme in ("light", "dark"):
                        page.theme(theme)
                        found += page.run("return window.pageChecks.contrast()")
                        self.keep(page, address, f"{size}-{theme}")
                    faults += [f"{size} {address}: {one}" for one in found]
            for theme in ("light", "dark"):
                page.theme(theme)
                colours = page.driver.execute_async_script(
                    "var done = arguments[0]; import('/app/map-colours.js').then(function (module) {"
                    "done(module.colours()); });")
                faults += page.run("return window.pageChecks.palette(arguments[0])", colours)
            faults += [one["message"] for one in page.driver.get_log("browser")
                       if "Content Security Policy" in one["message"]]
        assert not faults, "\n".join(faults[:30])

    def keep(self, page: Page, address: str, kind: str) -> None:
        if self.screens:
            time.sleep(0.3)
            name = address.replace("/s/", "").translate(str.maketrans("?&=/:", "-----"))
            page.driver.save_screenshot(str(self.screens / f"{name}-{kind}.png"))

    def screens_on_a_phone(self):
        self.screens_are_legible("phone")

    def screens_on_a_desk(self):
        self.screens_are_legible("desk")

    def twice_as_large_is_legible(self):
        with Page(self.at, (700, 450), ratio=2.0) as page:
            for path in ("/s/bush-house", "/s/bush-house?from=0.N01&to=2.S05"):
                page.open(path)
                page.run(self.checks)
                assert page.run("return window.pageChecks.width()") == []

    def names_never_lie_over_each_other(self):
        sites = [site for site in SCREENS if self.has(site)]
        with Page(self.at, SIZES["desk"]) as page:
            for site in sites:
                page.open(f"/s/{site}")
                page.run(self.checks)
                counts = []
                for zoom in (15, 17.5, 18.25, 19, 20.5):
                    page.run("whereabouts.view.leaflet.setZoom(arguments[0], {animate: false})", zoom)
                    time.sleep(0.25)
                    assert page.run("return window.pageChecks.overlaps()") == [], (site, zoom)
                    counts.append(page.run("return whereabouts.view.layer.shownLabels().length"))
                assert max(counts) > 0, (site, counts)

    def opens_on_a_floor_with_something_to_see(self):
        with Page(self.at) as page:
            for site in ("bush-house", "moorgate", "polytech"):
                if not self.has(site):
                    continue
                page.open(f"/s/{site}")
                assert page.run("return whereabouts.view.floorMap.areas.length") >= 3, site

    def a_search_finds_a_room(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            page.click(".search input")
            page.run("document.querySelector('.search input').focus()")
            page.keys("lab 2.s05")
            page.until("return document.querySelectorAll('.search [role=option]').length > 0")
            assert "2.S05" in page.text(".search [role=option]")
            page.keys(Keys.ARROW_DOWN)
            chosen = page.run(
                "return document.querySelector('.search input').getAttribute('aria-activedescendant')")
            assert chosen and page.run(
                "return document.getElementById(arguments[0]).getAttribute('aria-selected')",
                chosen) == "true"
            page.keys(Keys.ENTER)
            page.until("return location.search.indexOf('room=2.S05') >= 0")
            page.until("return /2.S05/.test(document.querySelector('.content h1').textContent)")
            page.until("return whereabouts.view.floorID === 'floor-2'")
            assert page.run("return whereabouts.view.layer.litKey") == "area/2.S05"

    def nothing_found_is_said(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            page.run("document.querySelector('.search input').focus()")
            page.keys("qqqqxyzzy")
            page.until("return document.querySelector('.search .note') !== null")
            page.until("return /qqqqxyzzy/.test(document.getElementById('told').textContent)")

    def a_route_leads_over_floors(self):
        with Page(self.at) as page:
            page.open("/s/bush-house?from=0.N01&to=2.S05")
            steps = page.until("return document.querySelectorAll('.steps li').length")
            assert steps > 4
            assert page.text(".big strong") and "m" in page.text(".big")
            assert page.run("return document.querySelectorAll('path.route-line').length") >= 1
            assert page.run("return document.querySelector('.side-view') !== null")
            assert page.run("return whereabouts.view.floorID") == "floor-0"
            page.run("document.querySelector('.stepper .primary').click()")
            current = "return [].indexOf.call(document.querySelectorAll('.steps li'), " \
                "document.querySelector('.steps [aria-current]'))"
            assert page.run(current) == 1
            page.run("document.querySelector('.steps li:last-child button').click()")
            assert page.run(current) == steps - 1
            page.until("return whereabouts.view.floorID === 'floor-2'")
            # Other ways, and those without a step.
            page.run("document.querySelector('.profiles input[value=step-free-strict]').click()")
            page.until("return location.search.indexOf('step-free-strict') > 0")
            page.settled()
            asked = json.loads(self.between.posted["/v1/routes"])
            assert asked["profile"] == "step-free-strict", asked

    def a_card_says_hours_bookings_and_computers(self):
        now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
        day = now.replace(hour=0, minute=0, second=0)
        hour = datetime.timedelta(hours=1)
        base = "/v1/sites/bush-house/rooms/0.N03"
        with urllib.request.urlopen(self.session(base + "?coordinates=wgs84")) as answer:
            room = json.load(answer)
        written = [time.isoformat().replace("+00:00", "Z") for time in (
            now - hour, now + hour, day, day + 24 * hour)]
        booking = {
            "id": "a", "title": "Chemistry <b>2</b>", "rooms": [], "starts": written[0],
            "ends": written[1], "startDate": "", "startTime": "", "endDate": "", "endTime": "",
            "allDay": False, "tentative": False, "feed": "f",
        }
        self.between.answers = {
            base: {**room, "openingHours": "Mo-Fr 08:00-18:00; Sa 10:00-14:00; Su off"},
            base + "/availability": {"state": "free", "available": 3, "total": 20, "source": [],
                                     "asOf": written[0]},
            base + "/timetable": {
                "site": "bush-house", "room": "0.N03", "name": "", "language": "en", "week": "",
                "previousWeek": "", "nextWeek": "", "timeZone": "Etc/UTC", "known": True,
                "old": False, "bookings": [booking],
                "days": [{"date": "", "from": written[2], "until": written[3]}]},
            "/v1/sites/bush-house/directory": {"version": 1, "next": None, "directory": [
                {"id": "lab", "kind": "department", "name": "Dyes", "telephone": "+44 20 7946 0000",
                 "website": "javascript:alert(1)", "places": [{"room": "0.N03"}]}]},
            "/v1/sites/bush-house/directory/lab": {
                "id": "lab", "kind": "department", "name": "Dyes", "places": [{"room": "0.N03"}],
                "telephone": "+44 20 7946 0000", "website": "javascript:alert(1)"},
        }
        with Page(self.at) as page:
            page.open("/s/bush-house?room=0.N03")
            page.until("return document.querySelector('.timetable .bookings') !== null")
            text = page.text(".content")
            for words in ("Monday to Friday", "08:00 to 18:00", "closed", "Chemistry <b>2</b>",
                          "Taken until", "3 of 20 computers free", "an hour ago", "Dyes"):
                assert words in text, (words, text)
            page.open("/s/bush-house?entry=lab")
            assert page.run("return document.querySelector('.facts a').getAttribute('href')") \
                == "tel:+442079460000"
            assert page.run("return document.querySelector('a[href^=javascript]') === null")

    def session(self, path: str) -> urllib.request.Request:
        """A request of an anonymous visitor."""
        wish = urllib.request.Request(self.at + "/v1/session/anonymous", data=b"", method="POST")
        with urllib.request.urlopen(wish, timeout=30) as answer:
            cookie = answer.headers["set-cookie"].split(";")[0]
        return urllib.request.Request(self.at + path, headers={"cookie": cookie})

    def back_and_forward_show_again(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            page.run("document.querySelectorAll('.quick button')[1].click()")
            page.until("return location.search.indexOf('panel=directory') > 0")
            page.settled()
            page.run("document.querySelector('.group summary').click()")
            page.until("return document.querySelector('.group .line') !== null")
            page.run("document.querySelector('.group .line').click()")
            page.until("return location.search.indexOf('room=') > 0")
            page.settled()
            title = page.text(".content h1")
            page.driver.back()
            page.until("return document.querySelector('.group') !== null")
            page.driver.back()
            page.until("return document.querySelector('.quick') !== null")
            page.driver.forward()
            page.driver.forward()
            page.until("return document.querySelector('.content h1').textContent === arguments[0]",
                       10, title)

    def the_keyboard_is_enough(self):
        with Page(self.at, SIZES["desk"]) as page:
            page.open("/s/bush-house")

            def tab_to(test: str) -> None:
                for _ in range(40):
                    page.keys(Keys.TAB)
                    if page.run(f"var e = document.activeElement; return {test};"):
                        ring = page.run("""
                            var s = getComputedStyle(document.activeElement);
                            function lit(name) {
                                var one = document.activeElement.closest(name);
                                return one && getComputedStyle(one).boxShadow !== 'none';
                            }
                            return s.outlineStyle !== 'none' || lit('.search') || lit('.box');""")
                        assert ring, f"no visible focus: {test}"
                        return
                raise AssertionError(f"the keyboard does not reach {test}")

            tab_to("e.getAttribute('role') === 'combobox'")
            page.keys("lab 2.s05")
            page.until("return document.querySelectorAll('.search [role=option]').length > 0")
            page.keys(Keys.ENTER)
            page.until("return location.search.indexOf('room=2.S05') > 0")
            page.settled()
            # The focus is at the card's name: what follows is the card.
            assert page.run("return document.activeElement.tagName") == "H1"
            tab_to("e.classList.contains('primary') && e.closest('.actions') !== null")
            page.keys(Keys.ENTER)
            page.until("return document.querySelector('.ask') !== null")
            tab_to("e.closest('.ask') !== null && e.getAttribute('role') === 'combobox'")
            page.keys("lab 0.n01")
            page.until("return document.querySelectorAll('.ask [role=option]').length > 0")
            page.keys(Keys.ENTER)
            page.until("return document.querySelectorAll('.steps li').length > 3")
            tab_to("e.closest('.steps') !== null")

    def the_map_opens_a_card_by_the_keyboard(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            page.run("whereabouts.view.light('area/0.N03', true)")
            time.sleep(0.8)
            page.run("document.getElementById('map').focus()")
            page.keys(Keys.ENTER)
            page.until("return location.search.indexOf('room=0.N03') > 0")

    def axe_finds_no_fault(self):
        if self.axe is None:
            print("      left out: --axe names no file")
            return
        with Page(self.at) as page:
            for site in [site for site in SCREENS if self.has(site)]:
                for path in SCREENS[site]:
                    page.open(f"/s/{site}{path}")
                    page.run(self.axe)
                    found = page.driver.execute_async_script("""
                        var done = arguments[0];
                        axe.run().then(function (result) {
                            done([result.passes.length, result.violations.map(function (one) {
                                return one.impact + ' ' + one.id + ' ' + one.nodes[0].html; })]);
                        });""")
                    assert found[0] > 10 and found[1] == [], (site, path, found)

    def what_changes_is_told_to_screen_readers(self):
        with Page(self.at) as page:
            page.open("/s/bush-house?from=0.N01&to=2.S05")
            page.until("return /\\d/.test(document.getElementById('told').textContent)")
            assert page.run("return document.getElementById('told').getAttribute('aria-live')")
            for role in ("main", "[role=search]", "nav", "section[aria-label]", "[role=region]"):
                assert page.run("return document.querySelector(arguments[0]) !== null", role), role
            assert page.run("return document.documentElement.lang") == "en"

    def a_service_that_is_down_is_said(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            self.between.away = "/v1/routes"
            page.driver.get(self.at + "/s/bush-house?from=0.N01&to=2.S05")
            page.until("return document.querySelector('.route .fault') !== null")
            assert page.run("return !document.querySelector('.notice').hidden")
            self.between.plain()
            page.run("document.querySelector('.route .fault button').click()")
            page.until("return document.querySelectorAll('.steps li').length > 3")
            page.until("return document.querySelector('.notice').hidden")
            self.between.away = "/v1/"
            page.driver.get(self.at + "/s/bush-house")
            page.until("return document.querySelector('.content .fault button') !== null")

    def a_map_that_did_not_arrive_is_said(self):
        with Page(self.at) as page:
            self.between.away = "/app/preparing-worker.js"
            page.driver.get(self.at + "/s/bush-house")
            page.until("return document.querySelector('.map .fault button') !== null")

    def what_is_slow_can_be_cancelled(self):
        with Page(self.at) as page:
            page.open("/s/bush-house?from=0.N01&to=2.S05")
            self.between.seconds = 2.0
            page.run("document.querySelector('.profiles input[value=wheelchair]').click()")
            page.until("return document.querySelector('.wait button') !== null", 3)
            page.run("document.querySelector('.wait button').click()")
            page.until("return document.querySelector('.wait') === null", 1.5)
            assert page.text(".route").strip()

    def names_of_strangers_stay_text(self):
        with Page(self.at) as page:
            self.between.marked = True
            for path in ("", "?room=0.N03", "?panel=directory", "?from=0.N01&to=2.S05"):
                page.open("/s/bush-house" + path)
                page.run("document.querySelectorAll('.group').forEach(function (one) {"
                         "one.open = true; })")
                time.sleep(0.3)
                assert page.run("return window.hit === undefined"), path
                found = "return document.querySelectorAll('#page img, #page script').length"
                assert page.run(found) == 0
            page.open("/s/bush-house?room=0.N03")
            assert MARKUP in page.text(".content h1")
            page.run("document.querySelector('.search input').focus()")
            page.keys("kitchen")
            page.until("return document.querySelectorAll('.search [role=option]').length > 0")
            assert MARKUP in page.text(".search [role=option] strong")
            assert page.run("return window.hit === undefined")

    def an_outage_on_the_way_routes_anew(self):
        with Page(self.at) as page:
            self.between.outages = []
            page.open("/s/bush-house?from=0.N01&to=2.S05")
            time.sleep(1)
            self.between.outages = [{
                "site": "bush-house", "id": "01a22900-0000-7000-8000-000000000001",
                "connection": "stairs-S1", "from": "2026-01-01T00:00:00.000Z", "reason": "Wet paint",
                "reportedBy": "x", "reportedAt": "2026-01-01T00:00:00.000Z", "active": True,
            }]
            self.between.posted.pop("/v1/routes", None)
            page.until("return /Wet paint/.test((document.querySelector('.news')||{}).textContent)", 10)
            assert "/v1/routes" in self.between.posted
            page.until("return /Wet paint/.test(document.getElementById('told').textContent)")

    def answer_at(self, latitude: float, longitude: float, **members) -> dict:
        return {"state": "located", "latitude": latitude, "longitude": longitude, "radius95": 4.0,
                "floor": "floor-0", "memory": "c2VhbGVk", "rooms": [], **members}

    def the_dot_glides_and_is_honest(self):
        shell = """
            window.scans = 0;
            window.whereaboutsShell = {
                scanNow: function () {
                    window.scans += 1;
                    setTimeout(function () { if (window.whereaboutsScanned) whereaboutsScanned(); }, 20);
                },
                results: function () {
                    return JSON.stringify({ wifi: [{ bssid: '02:00:00:00:00:01', rssi: -60 }],
                        ble: [{ uuid: 'f7826da6-4fa2-4e98-8024-bc5b71e0893e', major: 1, minor: 2,
                            rssi: -70 }] });
                },
                permission: function () { return true; },
                share: function () {}, background: function () {},
            };"""
        self.between.located = self.answer_at(51.51328816, -0.11633247)
        with Page(self.at, before=shell) as page:
            page.open("/s/bush-house")
            page.until("return document.querySelector('.dot') !== null")
            asked = json.loads(self.between.posted["/v1/locate"])
            assert asked["wifi"][0]["rssi"] == -60 and asked["ble"][0]["major"] == 1, asked
            assert page.run("return document.querySelector('path.dot-radius') !== null")
            assert "4 m" in page.text(".where")
            place = "var b = document.querySelector('.dot').getBoundingClientRect(); return [b.x, b.y]"
            before = page.run(place)
            self.between.located = self.answer_at(51.51320816, -0.11623247)
            page.run("whereaboutsScanned()")
            places = []
            for _ in range(25):
                places.append(page.run(place))
                time.sleep(0.05)
            assert json.loads(self.between.posted["/v1/locate"])["memory"] == "c2VhbGVk"
            whole = abs(places[-1][0] - before[0]) + abs(places[-1][1] - before[1])
            steps = [abs(one[0] - other[0]) + abs(one[1] - other[1])
                     for one, other in zip(places, places[1:], strict=False)]
            assert whole > 10 and max(steps) < whole * 0.7, (whole, steps)
            self.between.located = self.answer_at(51.51320816, -0.11623247, floor="floor-1")
            page.run("whereaboutsScanned()")
            page.until("return whereabouts.view.floorID === 'floor-1'")
            self.between.located = {"state": "uncertain", "floor": "floor-1", "rooms": []}
            page.run("whereaboutsScanned()")
            page.until("return /Probably/.test(document.querySelector('.where').textContent)")
            self.between.located = {"state": "lost", "rooms": []}
            page.run("whereaboutsScanned()")
            page.until("return /can't tell/.test(document.querySelector('.where').textContent)")
            assert page.run("return document.querySelector('.dot') === null")

    def the_shell_of_c3nav_works(self):
        shell = """
            window.mobileclient = {
                scanNow: function () { setTimeout(function () {
                    if (window.nearby_stations_available) nearby_stations_available(); }, 20); },
                getNearbyStations: function () { return JSON.stringify([
                    { bssid: '02:00:00:00:00:07', ssid: 'campus', level: -51, frequency: 2412 }]); },
                hasLocationPermission: function () { return true; },
                checkLocationPermission: function () { return true; },
                shareUrl: function (url) { window.shared = url; },
            };"""
        self.between.located = self.answer_at(51.51328816, -0.11633247)
        with Page(self.at, before=shell) as page:
            page.open("/s/bush-house?room=0.N03")
            page.until("return document.querySelector('.dot') !== null")
            asked = json.loads(self.between.posted["/v1/locate"])
            assert asked["wifi"] == [{"bssid": "02:00:00:00:00:07", "rssi": -51, "ssid": "campus",
                                      "frequency": 2412}], asked
            page.run("document.querySelector('.head .share').click()")
            assert page.until("return window.shared").endswith("/s/bush-house?room=0.N03")

    def a_place_link_says_where_one_is(self):
        with Page(self.at) as page:
            page.open("/s/bush-house?at=1.N03")
            page.until("return document.querySelector('.dot') !== null")
            page.until("return whereabouts.view.floorID === 'floor-1'")
            page.open("/s/bush-house?at=1.N03&from=here&to=2.S05")
            page.until("return document.querySelectorAll('.steps li').length > 3")
            assert json.loads(self.between.posted["/v1/routes"])["from"] == {"room": "1.N03"}
            assert "/v1/taps" not in self.between.posted

    def nothing_is_kept_unasked(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            assert page.run("return localStorage.length") == 0
            assert page.run("return document.querySelector('.first') !== null")
            page.run("document.querySelector('.first .primary').click()")
            assert page.run("return localStorage.length") == 0
            page.open("/s/bush-house?panel=mine")
            page.run("document.querySelector('#keep').click()")
            page.until("return localStorage.getItem('whereabouts.keep') === 'yes'")
            page.run("document.querySelectorAll('.content .row button')[1].click()")
            page.until("return localStorage.length === 0")
            outside = page.run("return performance.getEntriesByType('resource').filter(function (e) {"
                               "return e.name.indexOf(location.origin) !== 0; }).length")
            assert outside == 0

    def a_kept_map_works_without_the_service(self):
        with Page(self.at) as page:
            page.open("/s/bush-house?panel=settings")
            button = "var text = arguments[0]; return [].filter.call(" \
                "document.querySelectorAll('.content button'), " \
                "function (one) { return one.textContent === text; })[0]"
            words = self.words["en"]
            page.until(button, 10, words["offline.size"]).click()
            page.until(button, 10, words["offline.keep"]).click()
            page.until(button, 20, words["offline.drop"])
            page.until("return navigator.serviceWorker.controller !== null")
            self.between.away = "/"
            page.open("/s/bush-house")
            assert page.run("return whereabouts.view.floorMap.areas.length") >= 3
            page.run("document.querySelector('.search input').focus()")
            page.keys("lab 2.s05")
            page.until("return document.querySelectorAll('.search [role=option]').length > 0")
            page.keys(Keys.ENTER)
            page.until("return /2.S05/.test(document.querySelector('.content h1').textContent)")
            page.until("return whereabouts.view.floorID === 'floor-2'")
            # Directions without the service: offline_tests.py.
            page.open("/s/bush-house?from=0.N01&to=2.S05")
            page.until("return document.querySelector('.route .news') !== null")
            assert "Without a connection" in page.text(".route .news")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--at", required=True)
    parser.add_argument("--screens", type=pathlib.Path)
    parser.add_argument("--axe", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    if given.screens:
        given.screens.mkdir(parents=True, exist_ok=True)
    tests = Tests(given.at, given.screens, given.axe)
    helpers = {"has", "keep", "screens_are_legible", "answer_at", "session"}
    names = [name for name in vars(Tests) if not name.startswith("_") and name not in helpers]
    failed = 0
    for name in given.names or names:
        begin = time.monotonic()
        tests.between.plain()
        try:
            getattr(tests, name)()
            print(f"   {name}: {time.monotonic() - begin:.1f} s", flush=True)
        except Exception as error:
            failed += 1
            lines = [one.lineno for one in traceback.extract_tb(error.__traceback__)
                     if one.filename == __file__]
            print(f"   {name} FAILED, lines {lines}: {str(error)[:4000]}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
