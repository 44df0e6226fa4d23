"""Directions by ear, and the camera view."""

import json
import math
import pathlib
import time
import urllib.request

from page import Page
from subject import Subject

SENSOR = "absolute-orientation"
SITE = "bush-house"
# A shell that scans when the check says so; `/v1/locate` is answered by Between.
SHELL = """
    window.whereaboutsShell = {
        scanNow: function () {}, permission: function () { return true; },
        results: function () { return JSON.stringify({ wifi: [
            { bssid: '02:00:00:00:00:01', rssi: -60 }] }); }
    };"""
# Records what the voice and the live region say, and each vibration.
EARS = """
    window.spoken = [];
    window.told = [];
    window.shaken = [];
    navigator.vibrate = function (pattern) { window.shaken.push(pattern.length); return true; };
    new MutationObserver(function () {
        var region = document.getElementById('told');
        if (!region || region.seen) return;
        region.seen = true;
        new MutationObserver(function () {
            if (region.textContent) window.told.push(region.textContent);
        }).observe(region, { childList: true, characterData: true, subtree: true });
    }).observe(document, { childList: true, subtree: true });"""
VOICE = """
    Object.defineProperty(window, 'speechSynthesis', { value: {
        getVoices: function () { return [{ lang: 'en-GB', localService: true }]; },
        speak: function (one) {
            if (window.forbidden) one.failed({ error: 'not-allowed' });
            else window.spoken.push(one.text);
        },
        cancel: function () {}, addEventListener: function () {},
        removeEventListener: function () {}
    } });
    window.SpeechSynthesisUtterance = function (text) {
        this.text = text;
        this.addEventListener = function (name, run) { this.failed = run; };
    };"""
MUTE = "Object.defineProperty(window, 'speechSynthesis', { value: undefined });"
NO_CAMERA = """
    window.asked = 0;
    Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia: function () {
        window.asked += 1;
        return Promise.reject(new Error('none'));
    } } });"""
HAS_ARROW = "var one = document.querySelector('.camera-arrow');" \
    "return one !== null && one.style.display !== 'none' && one.hasAttribute('data-turn')"

# Where the arrow points: as the app says it, and as it is drawn.
ARROW = """
    var arrow = document.querySelector('.camera-arrow');
    var matrix = new DOMMatrix(getComputedStyle(arrow).transform);
    return [Number(arrow.getAttribute('data-turn')),
        Math.atan2(matrix.b, matrix.a) * 180 / Math.PI];"""


def quaternion(alpha: float, beta: float, gamma: float) -> dict[str, float]:
    """The turn about z, then x, then y, as the W3C's "Device Orientation" has it; degrees."""
    a, b, g = (math.radians(one) / 2 for one in (alpha, beta, gamma))
    cz, sz, cx, sx, cy, sy = (f(one) for one in (a, b, g) for f in (math.cos, math.sin))
    return {"w": cx * cy * cz - sx * sy * sz, "x": sx * cy * cz - cx * sy * sz,
            "y": cx * sy * cz + sx * cy * sz, "z": cx * cy * sz + sx * sy * cz}


def hold(page, heading: float, beta=85.0, gamma=0.0) -> None:
    """Holds the telephone up, so that its camera looks along a heading."""
    if Page.browser.name == "chromium":
        page.command("Emulation.setSensorOverrideReadings", type=SENSOR,
                     reading={"quaternion": quaternion(360 - heading, beta, gamma)})
    else:
        page.run("window.held = arguments[0];",
                 {"alpha": (360 - heading) % 360, "beta": beta, "gamma": gamma})


def with_sensor(page) -> None:
    """A compass. Other drivers than Chromium's have none, so the page's own events tell of it."""
    if Page.browser.name == "chromium":
        page.command("Emulation.setSensorOverrideEnabled", enabled=True, type=SENSOR,
                     metadata={"available": True})
    else:
        page.run("""
            window.setInterval(function () {
                var event = new Event('deviceorientationabsolute');
                window.dispatchEvent(Object.assign(event, window.held, { absolute: true }));
            }, 20);""")
    hold(page, 0)


def bearing(one: tuple[float, float], other: tuple[float, float]) -> float:
    """The direction on a sphere from a latitude and longitude to another, from true north."""
    (a, m), (b, n) = ((math.radians(x), math.radians(y)) for x, y in (one, other))
    y = math.sin(n - m) * math.cos(b)
    x = math.cos(a) * math.sin(b) - math.sin(a) * math.cos(b) * math.cos(n - m)
    return math.degrees(math.atan2(y, x)) % 360


def apart(one: float, other: float) -> float:
    return abs((one - other + 540) % 360 - 180)


def route(between, start: dict, **members) -> dict:
    """A route of the service itself to 2.S05."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def post(path: str, body: dict | None, headers: dict) -> dict:
        data = json.dumps(body).encode() if body else b""
        wish = urllib.request.Request(between.address + path, data=data, headers=headers)
        with opener.open(wish, timeout=30) as answer:
            return json.load(answer)

    session = post("/v1/session/anonymous", None, {})
    body = {"site": SITE, "from": start, "to": [{"room": "2.S05"}], **members}
    answer = post("/v1/routes", body, {
        "content-type": "application/json", "x-change-token": session["changeToken"]})
    return answer["routes"][0]


def line(way: dict) -> list[tuple[float, float, str]]:
    return [(point[1], point[0], path.get("floor", "")) for leg in way["legs"]
            for path in leg["paths"] for point in path["wgs84"]]


def metres(one, other) -> float:
    east = (other[1] - one[1]) * 111_320 * math.cos(math.radians(one[0]))
    return math.hypot(east, (other[0] - one[0]) * 111_320)


def located(between, at, floor="floor-0", radius=2.0, **members) -> None:
    between.located = {
        "state": "located", "latitude": at[0], "longitude": at[1], "radius95": radius,
        "floor": floor, "memory": "c2VhbGVk", "rooms": [], **members}


def scanned(page, at) -> None:
    """The shell has scanned, and the page knows its new place."""
    page.run("window.whereaboutsScanned()")
    page.run_slowly("""
        var latitude = arguments[0], done = arguments[1];
        import('/app/position-store.js').then(function (store) {
            var end = Date.now() + 5000;
            (function look() {
                var own = store.present();
                if ((own && own.latitude === latitude) || Date.now() > end) done();
                else setTimeout(look, 15);
            })();
        });""", at[0])


def the_arrow_points_to_the_next_turn(page, between) -> None:
    """UM6: within 5 degrees for 36 headings of the telephone."""
    room = route(between, {"room": "0.N01"})
    points = [point for leg in room["legs"][2:4] for path in leg["paths"]
              for point in path["wgs84"]]
    corner = (points[-1][1], points[-1][0])
    door = (points[0][1], points[0][0])
    stand = tuple((one + other) / 2 for one, other in zip(corner, door, strict=True))
    located(between, stand)
    page.open(f"/s/{SITE}?from=here&to=2.S05&panel=camera")
    with_sensor(page)
    scanned(page, stand)
    page.click(".stack .primary")
    if Page.browser.name != "webkit":
        # WebKit's driver has no camera: the arrow turns on an empty picture.
        page.until("return document.querySelector('.stage video').videoWidth > 0")
    page.until(HAS_ARROW)
    expected = bearing(stand, corner)
    worst = 0.0
    for heading in range(0, 360, 10):
        hold(page, heading)
        off, before, drawn = 180.0, 0.0, 180.0
        end = time.monotonic() + 30
        # It glides there, and the sensor reports in its own time.
        while (off > 5 or apart(before, drawn) > 0.1) and time.monotonic() < end:
            time.sleep(0.2)
            before = drawn
            turn, drawn = page.run(ARROW)
            off = max(apart(turn, expected - heading), apart(drawn, expected - heading))
        assert off <= 5, f"heading {heading}: {turn}, drawn {drawn}, not {expected - heading}"
        worst = max(worst, off)
    print(f"      the arrow is at most {worst:.1f} degrees off")
    # Held aslant and on its side it still points there.
    for beta, gamma in ((60, 0), (100, 0), (85, 10), (20, 0)):
        hold(page, 90, beta, gamma)
        most = 12 if gamma else 5
        end = time.monotonic() + 30
        time.sleep(0.3)
        turn = page.run(ARROW)[0]
        while apart(turn, expected - 90) > most and time.monotonic() < end:
            time.sleep(0.2)
            turn = page.run(ARROW)[0]
        assert apart(turn, expected - 90) <= most, (beta, gamma, turn)


def the_cards_have_the_rooms_around(page, between) -> None:
    """Without a target: the rooms around, with their timetable; nothing is asked for unasked."""
    room = f"/v1/sites/{SITE}/rooms/0.N03"
    now = time.time()
    stamp = [time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now + 3600 * hours))
             for hours in (-10, -1, 1, 10)]
    between.answers[room + "/timetable"] = {
        "known": True, "timeZone": "Europe/London", "old": False,
        "days": [{"from": stamp[0], "until": stamp[3]}],
        "bookings": [{"starts": stamp[1], "ends": stamp[2], "title": "Statics"}]}
    between.answers[room + "/availability"] = {
        "computers": {"state": "free", "available": 7, "total": 30}}
    page.open(f"/s/{SITE}?at=0.N03&panel=camera")
    assert page.run("return document.querySelector('.stage') === null")
    assert page.run("return window.asked") == 0
    with_sensor(page)
    page.click(".stack .primary")
    page.until("return /Statics/.test(document.querySelector('.camera-cards').textContent)")
    text = page.text(".room-card")
    assert "7 of 30 computers free" in text and "Taken until" in text, text
    assert page.run("return document.querySelectorAll('.room-card').length") > 3
    # There is no camera: the compass stands in its place.
    assert page.run("return window.asked") == 1
    page.until("return document.querySelector('.camera-rose').style.display !== 'none'")
    assert page.run("return document.querySelector('.stage video').hidden")
    page.click(".head .round:last-child")
    page.until("return document.querySelector('.stage') === null")
    assert not page.run("return document.documentElement.classList.contains('looking')")


def an_unsure_compass_gives_text_and_plan(page, _between) -> None:
    """Beyond 30 degrees, as stated by the telephone or seen from its readings."""
    iphone = """
        var event = new Event('deviceorientation');
        event.alpha = arguments[2]; event.beta = 80; event.gamma = 0;
        event.webkitCompassHeading = arguments[0]; event.webkitCompassAccuracy = arguments[1];
        window.dispatchEvent(event);"""
    page.open(f"/s/{SITE}?from=0.N03&to=2.S05&panel=camera")
    page.click(".stack .secondary")
    page.until("return document.querySelector('.stage.plan') !== null")
    page.run(iphone, 100, 12, 0)
    page.until(HAS_ARROW)
    assert page.run("return document.querySelector('.stage.plan') === null")
    page.run(iphone, 100, 31, 0)
    page.until("return document.querySelector('.stage.plan') !== null")
    assert not page.run(HAS_ARROW)
    assert "31" in page.text(".camera-told") and "north" in page.text(".camera-told") or \
        "south" in page.text(".camera-told"), page.text(".camera-told")
    assert page.run("return document.querySelector('.map path.route-line') !== null")
    time.sleep(5.2)
    for turn in range(12):
        page.run(iphone, 60 + 90 * (turn % 2), 10, 0)
    page.until("return document.querySelector('.stage.plan') !== null")
    time.sleep(5.2)
    for turn in range(12):
        page.run(iphone, 30 * turn, 10, (330 - 30 * turn) % 360)
    page.until(HAS_ARROW)


def steps_are_heard_in_time(page, between) -> None:
    """Along a faked walk: each step once, 8 m and 2 m before each turn, by one voice alone."""
    way = route(between, {"room": "0.N01"}, wording="spoken", profile="by-touch", language="en")
    points = [one for one in line(way) if one[2] == "floor-0"]
    located(between, points[0])
    page.open(f"/s/{SITE}?from=0.N01&to=2.S05&panel=ear")
    page.until("return window.spoken.length > 0")
    page.run("document.querySelector('.ear-settings').open = true;"
             "document.querySelector('[name=vibrate]').click()")
    heard: list[tuple[float, str]] = []
    along = 0.0
    ends: dict[str, float] = {}
    place = 0
    steps = way["spoken"]
    for one, other in zip(points, points[1:]):
        parts = max(1, round(metres(one, other)))
        for part in range(1, parts + 1):
            at = tuple(one[i] + (other[i] - one[i]) * part / parts for i in (0, 1))
            located(between, at)
            scanned(page, at)
            time.sleep(0.15)
            said = page.run("return window.spoken.splice(0)")
            heard += [(along + metres(one, other) * part / parts, text) for text in said]
        along += metres(one, other)
        # Where each step that is announced ends, by the service's own places.
        while place + 1 < len(steps) and metres(
                (steps[place + 1]["latitude"], steps[place + 1]["longitude"]), other) < 0.1:
            for announcement in steps[place]["announcements"]:
                ends[announcement["text"]] = along - announcement["metresBefore"]
            place += 1
    texts = [text for _, text in heard]
    for text, due in ends.items():
        times = [at for at, said in heard if said == text]
        assert len(times) == 1, (text, times, texts)
        assert -2.1 <= times[0] - due <= 1.6, (text, times[0], due)
    assert len(ends) == 4, ends
    told = page.run("return window.told")
    assert not set(told) & set(texts), set(told) & set(texts)
    assert len(set(texts)) == len(texts), texts
    all_heard = " ".join(texts)
    for step in steps[1:6]:
        # The announcements have the warning of a step that has one.
        text = step.get("announcedText", step["text"])
        assert all_heard.count(text) == 1, (text, texts)
    shaken = page.run("return window.shaken")
    assert shaken.count(1) >= 4 and shaken.count(3) >= 2, shaken
    # The walker has left the way: the page says so once, and asks for a way from there.
    stray = (points[0][0] + 0.0006, points[0][1])
    for step in range(3):
        at = (stray[0] + step * 1e-6, stray[1])
        located(between, at)
        scanned(page, at)
    page.until("return window.spoken.some(function (text) {"
               "return text.indexOf('You have left the way.') === 0; })")
    start = json.loads(between.posted["/v1/routes"])["from"]
    assert abs(start["latitude"] - at[0]) < 1e-5, start


def keys_repeat_and_say_where_one_is(page, between) -> None:
    page.open(f"/s/{SITE}?from=0.N01&to=2.S05&panel=ear")
    page.until("return window.spoken.length === 1")
    first = page.run("return window.spoken.splice(0)")[0]
    assert "Lab 2.S05" in first and "Find a wall" in first, first
    # One way has one length: that of its words.
    way = route(between, {"room": "0.N01"}, wording="spoken", profile="by-touch", language="en")
    told = sum(step["distanceMetres"] for step in way["spoken"]) + sum(
        leg["distanceMetres"] for leg in way["legs"]
        if leg["kind"] == "stairs") + way["legs"][0]["distanceMetres"]
    length = f"{round(told / 5) * 5} m"
    assert length in first and length in page.text(".head .quiet"), (length, first)

    def press(key: str) -> str:
        page.keys(key)
        page.until("return window.spoken.length === 1")
        time.sleep(0.15)
        said = page.run("return window.spoken.splice(0)")
        assert len(said) == 1, said
        return said[0]

    second = press("n")
    assert second == page.text(".ear-told"), second
    third = press("n")
    assert third.startswith("With the door to Lab 0.N01 behind you"), third
    assert press("r") == third
    where = press("w")
    assert "Corridor 0.NC" in where and "You come from Lab 0.N01" in where, where
    around = press("a")
    # Nobody has a dot or a compass here: by the way that the reader came.
    assert around.startswith("With the way that you came behind you") and "o’clock" in around, around
    assert "Lab 0.N01" in around and "to the" not in around, around
    assert press("b") == second
    told = [text for text in page.run("return window.told") if not text.endswith("…")]
    assert told == [], told
    # By the clock, where that is wished; the phone keeps it only once that is allowed.
    page.run("document.querySelector('.ear-settings').open = true;"
             "document.querySelector('[name=turns][value=clock]').click()")
    assert "o’clock" in press("n")
    assert page.run("return localStorage.length") == 0
    page.run("localStorage.setItem('whereabouts.keep', '\"yes\"');"
             "localStorage.setItem('whereabouts.keep', 'yes')")
    page.run("document.querySelector('[name=keys]').click()")
    kept = json.loads(page.run("return localStorage.getItem('whereabouts.senses')"))
    assert kept["turns"] == "clock" and kept["keys"] is False, kept
    page.keys("n")
    time.sleep(0.4)
    assert page.run("return window.spoken.length") == 0
    # A browser that lets a page speak only after a tap: the screen reader says it, once.
    page.run("window.forbidden = true; window.told = [];"
             "document.querySelector('.ear-key.main').click()")
    page.until("return window.told.length === 1")
    assert page.run("return window.told[0]").startswith(page.text(".ear-told"))
    page.run("localStorage.clear()")


def a_barrier_is_reported_and_heard(page, between) -> None:
    """Two presses, a spoken answer, and the report of somebody else at the step that it concerns."""
    path = f"/v1/sites/{SITE}/barriers"
    way = route(between, {"room": "0.N01"}, wording="spoken", profile="by-touch", language="en")
    leg, door = next((index, leg["connection"]) for index, leg in enumerate(way["legs"])
                     if leg["kind"] == "door")
    step = next(index for index, one in enumerate(way["spoken"]) if one["leg"] == leg)
    row = {
        "id": "01a22900-0000-7000-8000-00000000000c", "site": SITE, "connection": door,
        "kind": "door-locked", "state": "waiting", "reportedAt": "2026-01-01T00:00:00.000Z",
        "until": "2126-01-02T00:00:00.000Z", "own": False, "fromOneAddress": False}
    between.answers[path] = {"barriers": [row]}
    between.answers[f"POST {path}"] = row | {"state": "confirmed"}
    between.outages = []

    def heard(part: str) -> str:
        """What was said last with this part."""
        found = ("var part = arguments[0]; return window.spoken.filter(function (text) {"
                 "return text.indexOf(part) >= 0; }).pop()")
        return page.until(found, 10, part)

    page.open(f"/s/{SITE}?from=0.N01&to=2.S05&panel=ear")
    heard("Destination: ")
    # One list is for the steps and for the questions below them, which are not said as well.
    page.until("return document.querySelector('.ear section.news') !== null")
    page.settled()
    assert between.asked[path] == 1, between.asked[path]
    assert "Do you see it" not in " ".join(page.run("return window.spoken.concat(window.told)"))
    page.keys("x")
    asked = heard("What is in the way?")
    assert asked == ("What is in the way? 1: Lift out of order. 2: Door locked. 3: Way blocked. "
                     "4: Steps wet or closed. 5: Another barrier."), asked
    # A key that is held down answers nothing.
    assert page.run("return document.activeElement.textContent") == "What is in the way?"
    page.keys("2")
    sent = between.until_posted(path, kind="door-locked")
    assert sent["place"] == {"connection": door}, sent
    # The answer names the door.
    answer = heard("Thank you")
    assert answer.startswith("Door locked, ") and "Level 0. Thank you" in answer, answer
    # This step and the next one have no lift, so nothing is sent.
    sent = between.asked[path]
    page.keys("x")
    page.keys("1")
    heard("No door, lift or way that fits")
    assert between.asked[path] == sent
    # The keyboard is where it was, and keys go on.
    for _ in range(step):
        page.keys("n")
        time.sleep(0.3)
    told = heard("Somebody reported at this step: Door locked.")
    assert told == page.text(".ear-told"), told
    # Who says that it is gone hears of it no more.
    between.answers[f"POST {path}/{row['id']}/deny"] = None
    page.click(".ear section.news .row button:nth-child(2)")
    page.until("return document.querySelector('.ear-told').textContent.indexOf('Somebody') < 0")
    page.run("document.activeElement.blur(); window.spoken = []")
    page.keys("r")
    assert "Somebody" not in heard(page.text(".ear-told"))
    # A new way ends the question that was asked on the one before.
    page.keys("x")
    page.until("return document.querySelector('.ear-barriers .asked') !== null")
    sent = between.asked["/v1/routes"]
    between.outages = [{"id": "o1", "connection": door, "from": "2020-01-01T00:00:00.000Z",
                        "to": "2126-01-01T00:00:00.000Z", "reason": "", "site": SITE}]
    between.until_asked("/v1/routes", sent + 1, 20)
    page.until("return document.querySelector('.ear-barriers .asked') === null")
    between.plain()


def without_a_voice_the_live_region_says_it(page, between) -> None:
    page.open(f"/s/{SITE}?from=here&to=2.S05&panel=ear")
    page.click(".ask .wide")
    page.until("return document.querySelector('.ear-told') !== null")
    assert json.loads(between.posted["/v1/routes"])["profile"] == "by-touch"
    page.until("return window.told.some(function (text) {"
               "return text.indexOf('inside the entrance') >= 0 &&"
               "text.indexOf(document.querySelector('.ear-told').textContent) >= 0; })")
    page.run("window.told = []; document.querySelector('.ear-key.main').click()")
    page.until("return window.told.length > 0")
    time.sleep(0.3)
    assert page.run("return window.told") == [page.text(".ear-told")]
    # A visitor without a position may begin at the last sign that they scanned.
    page.open(f"/s/{SITE}?at=0.N03&to=2.S05&panel=ear")
    page.until("return document.querySelector('.ear-told, .ask') !== null")
    large = page.run("""return [].filter.call(document.querySelectorAll('.content button'),
        function (one) { return one.offsetParent && one.offsetHeight < 44; }).length""")
    assert large == 0


def screens_are_legible(page, between) -> None:
    """Contrast, sizes and widths of both panels, light and dark, by the checks of all screens."""
    here = pathlib.Path(__file__).resolve().parent
    checks = (here / "page_checks.js").read_text()
    folder = here.parents[2] / "Services/site-editor/web/app/languages"
    words = {name: json.loads((folder / f"{name}.json").read_text()) for name in ("en", "de")}
    faults = []
    for address, press in (
            ("from=0.N01&to=2.S05&panel=ear", ""), ("from=here&to=2.S05&panel=ear", ""),
            ("panel=ear", ""), ("from=0.N03&to=2.S05&panel=camera", ""),
            ("from=0.N03&to=2.S05&panel=camera", ".stack .secondary:last-child")):
        page.theme("light")
        page.open(f"/s/{SITE}?{address}&lang=de")
        if press:
            page.click(press)
            page.until("return document.querySelectorAll('.room-card').length > 3")
        page.run("[].forEach.call(document.querySelectorAll('.ear details'),"
                 "function (one) { one.open = true; })")
        page.run(checks)
        found = page.run("""
            var c = window.pageChecks;
            return [].concat(c.width(), c.size(), c.named(),
                c.untranslated(arguments[0], arguments[1]));""", words["en"], words["de"])
        for theme in ("light", "dark"):
            page.theme(theme)
            time.sleep(0.2)
            found += page.run("return window.pageChecks.contrast()")
        page.resize((1400, 900))
        found += page.run("return window.pageChecks.width()")
        page.resize((390, 844))
        faults += [f"{address} {press}: {one}" for one in found]
    assert not faults, "\n".join(faults[:20])


class Senses(Subject):
    """Each check in a page of its own, with what that has before the app begins."""

    def _check(self, check, before=""):
        with Page(self.between, before=before) as page:
            check(page, self.between)

    def um6_the_arrow_points_to_the_next_turn(self):
        self._check(the_arrow_points_to_the_next_turn, SHELL)

    def the_cards_have_the_rooms_around(self):
        self._check(the_cards_have_the_rooms_around, NO_CAMERA)

    def an_unsure_compass_gives_text_and_plan(self):
        self._check(an_unsure_compass_gives_text_and_plan)

    def steps_are_heard_in_time(self):
        self._check(steps_are_heard_in_time, SHELL + EARS + VOICE)

    def keys_repeat_and_say_where_one_is(self):
        self._check(keys_repeat_and_say_where_one_is, EARS + VOICE)

    def a_barrier_is_reported_and_heard(self):
        self._check(a_barrier_is_reported_and_heard, EARS + VOICE)

    def without_a_voice_the_live_region_says_it(self):
        self._check(without_a_voice_the_live_region_says_it, EARS + MUTE)

    def panels_of_the_senses_are_legible(self):
        self._check(screens_are_legible)
