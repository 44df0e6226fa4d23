"""A page at rest: nothing is said twice, it hardly wakes, and an hour of use leaves nothing behind.

With --long the rest is watched for two minutes and the use goes on for an hour's actions.
"""

import json
import time

from hearing import REGIONS
from page import Page
from senses_tests import route
from subject import LeftOut, Subject

SITE = "bush-house"
# Counts each callback of a timer and each frame, and knows what waits.
TIMERS = """
    window.woken = { fired: [], frames: 0, waiting: {} };
    ['setTimeout', 'setInterval'].forEach(function (name) {
        var own = window[name];
        window[name] = function (work, delay) {
            var more = [].slice.call(arguments, 2), id;
            id = own.call(window, function () {
                if (name === 'setTimeout') delete window.woken.waiting[id];
                window.woken.fired.push(name + ' ' + delay + ' ' + String(work).slice(0, 80));
                return typeof work === 'function' ? work.apply(this, more) : undefined;
            }, delay);
            window.woken.waiting[id] = [name, delay || 0];
            return id;
        };
    });
    ['clearTimeout', 'clearInterval'].forEach(function (name) {
        var own = window[name];
        window[name] = function (id) { delete window.woken.waiting[id]; return own.call(window, id); };
    });
    var frame = window.requestAnimationFrame;
    window.requestAnimationFrame = function (work) {
        return frame.call(window, function (now) { window.woken.frames += 1; work(now); });
    };"""
MINUTE = 60_000
# An action of the reader: the members of an address, given to the page's own history.
SHOW = """
    var members = JSON.parse(arguments[0]), done = arguments[1];
    import('/app/address.js').then(function (own) { own.show(members); done(); });"""
GROWN = ("JSHeapUsedSize", "Nodes", "JSEventListeners")


def hardly_wakes_at_rest(page, between, seconds: float) -> None:
    """On the map without a position: no request, no frame, and a timer a minute at most."""
    page.open(f"/s/{SITE}")
    # The session is opened, maps are prepared, and what follows the first view has come.
    time.sleep(3)
    page.command("Performance.enable")
    before = metrics(page)
    page.run("window.woken.fired = []; window.woken.frames = 0")
    asked = between.asked.total()
    time.sleep(seconds)
    woken = page.run("return window.woken")
    after = metrics(page)
    most = seconds // 60 + 1
    assert len(woken["fired"]) <= most, woken["fired"]
    assert all("setInterval 60000" in one for one in woken["fired"]), woken["fired"]
    assert woken["frames"] == 0 and between.asked.total() == asked, woken
    short = [one for one in woken["waiting"].values() if one[1] < MINUTE]
    assert not short, short
    moving = page.run("return document.getAnimations ? document.getAnimations().length : 0")
    assert moving == 0, moving
    busy = after["TaskDuration"] - before["TaskDuration"]
    print(f"      {seconds:.0f} s at rest: {len(woken['fired'])} timers, {woken['frames']} frames, "
          f"{between.asked.total() - asked} requests, {busy * 1000:.0f} ms of work")


def metrics(page) -> dict:
    return {one["name"]: one["value"] for one in page.command("Performance.getMetrics")["metrics"]}


def left(page) -> dict:
    """Bytes, nodes and listeners after what nobody holds is gone."""
    page.command("HeapProfiler.enable")
    for _ in range(3):
        page.command("HeapProfiler.collectGarbage")
    found = metrics(page)
    return {name: found[name] for name in GROWN}


# The reader's actions, one after the other, each once the page is quiet: without the driver, whose
# scripts would count as the page's.
ACTIONS = """
    var list = JSON.parse(arguments[0]), done = arguments[1], at = 0, before = '';
    import('/app/address.js').then(function (own) {
        (function next() {
            var quiet = window.pageWatch.quiet();
            if (quiet && quiet === before) {
                if (at === list.length) { done(); return; }
                own.show(list[at]);
                at += 1;
                quiet = '';
            }
            before = quiet;
            setTimeout(next, 40);
        }());
    });"""


def rounds(page, first: int, count: int) -> None:
    """Searches of ways, changes of floors, and panels: seven actions each."""
    rooms = [f"{floor}.{side}0{number}" for floor in (0, 1, 2) for side in "NS"
             for number in (1, 2, 3, 4, 5)]
    for turn in range(first, first + count):
        start, end = rooms[turn % len(rooms)], rooms[(turn * 7 + 3) % len(rooms)]
        page.run_slowly(ACTIONS, json.dumps([
            {"from": start, "to": end}, {"floor": f"floor-{turn % 3}"}, {"room": end},
            {"panel": "directory"}, {"panel": "settings"},
            {"from": start, "to": end, "panel": "ear"}, {}]))


def an_hour_of_use_leaves_nothing(page, count: int) -> None:
    """After a first round all is loaded; what comes later must not add up."""
    page.open(f"/s/{SITE}")
    page.command("Performance.enable")
    # Each floor is seen, and each room's name known, before it counts.
    rounds(page, 0, 6)
    before = left(page)
    rounds(page, 6, count)
    after = left(page)
    grown = {name: after[name] - before[name] for name in GROWN}
    print(f"      {count * 7} actions: {grown} on {before}")
    # Names of rooms stay known, and the browser keeps code that it has compiled. A route that
    # stayed would have 10 kB an action.
    assert grown["JSHeapUsedSize"] <= 300_000 + 1_000 * 7 * count, grown
    assert grown["Nodes"] <= 50 and grown["JSEventListeners"] <= 20, grown


def nothing_is_said_twice(page, between, words: dict) -> None:
    """From the search to a lost connection: each thing is in one live region, once."""
    def heard(least: int = 1) -> list[str]:
        page.until("return window.heard.length >= arguments[0]", 20, least)
        page.settled()
        time.sleep(0.3)
        texts = page.run("return window.heard.splice(0)")
        assert len(texts) == len(set(texts)), texts
        # Nor as a part of what another region says.
        whole = [one for one in texts if any(one != other and one in other for other in texts)]
        assert not whole, texts
        return texts

    page.open(f"/s/{SITE}")
    page.focus(".search input")
    page.keys("2.S05")
    heard()
    page.run_slowly(SHOW, json.dumps({"from": "0.N01", "to": "2.S05"}))
    heard()
    page.click(".stepper .primary")
    heard()
    # A lift on the way fails: the news and the new way are said together.
    between.outages = []
    page.run("document.querySelector('[name=profile][value=step-free-strict]').click()")
    heard()
    between.until_asked("/v1/outages", between.asked["/v1/outages"] + 1, 20)
    way = route(between, {"room": "0.N01"}, profile="step-free-strict")
    lift = next(leg["connection"] for leg in way["legs"] if leg["kind"] == "lift")
    between.outages = [{"id": "o1", "connection": lift, "from": "2020-01-01T00:00:00.000Z",
                        "site": SITE, "reason": "repair"}]
    page.run("window.heard = []")
    page.until("return document.querySelector('.route .news') !== null", 20)
    assert sum(words["outage.begunBecause"].split("{")[0] in one for one in heard()) == 1
    page.run_slowly(SHOW, json.dumps({"room": "0.N02"}))
    page.settled()
    page.run("window.heard = []")
    # The connection is lost: notice and panel have the same sentence.
    between.away = "/v1/"
    page.run_slowly(SHOW, json.dumps({"from": "0.N03", "to": "2.S05"}))
    assert heard().count(words["fault.offline"]) == 1
    between.plain()


def keys_are_for_typing_in_a_field(page) -> None:
    """R, W, A, N and B are letters in the search; held down they act once."""
    page.open(f"/s/{SITE}?from=0.N01&to=2.S05&panel=ear")
    page.until("return document.querySelector('.ear-told') !== null")
    page.settled()
    step = page.text(".ear-count")
    page.focus(".search input")
    page.run("window.heard = []")
    page.keys("rwanb")
    page.settled()
    assert page.run("return document.querySelector('.search input').value") == "rwanb"
    assert page.text(".ear-count") == step
    told = page.text(".ear-told")
    assert told not in page.run("return window.heard"), page.run("return window.heard")
    page.run("""document.querySelector('.search input').blur();
        [false, true, true, true].forEach(function (again) {
            document.body.dispatchEvent(new KeyboardEvent('keydown', {
                key: 'n', bubbles: true, repeat: again })); });""")
    page.until("return document.querySelector('.ear-count').textContent !== arguments[0]", 10, step)
    assert "2" in page.text(".ear-count"), page.text(".ear-count")


class Rest(Subject):
    def _need_chromium(self):
        if self.given.browser != "chromium":
            raise LeftOut("heap and work are measured by Chromium's own protocol")

    def hardly_wakes_at_rest(self):
        self._need_chromium()
        with Page(self.between, before=TIMERS) as page:
            hardly_wakes_at_rest(page, self.between, 125 if self.given.long else 6)

    def an_hour_of_use_leaves_nothing(self):
        self._need_chromium()
        with Page(self.between) as page:
            an_hour_of_use_leaves_nothing(page, 600 if self.given.long else 5)

    def nothing_is_said_twice(self):
        with Page(self.between, before=REGIONS) as page:
            nothing_is_said_twice(page, self.between, self.words["en"])

    def keys_are_for_typing_in_a_field(self):
        with Page(self.between, before=REGIONS) as page:
            keys_are_for_typing_in_a_field(page)
