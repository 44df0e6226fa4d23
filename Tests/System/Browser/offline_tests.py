"""What a kept map does while the service is away."""

import json
import time

from hearing import REGIONS
from keys import ENTER
from page import Page
from subject import LeftOut, Subject

BUTTON = ("var text = arguments[0]; return [].filter.call("
          "document.querySelectorAll('.content button'), "
          "function (one) { return one.textContent === text; })[0]")
# Latitude and longitude of the middle of a room.
MIDDLE = """
    var id = arguments[1];
    return fetch('/v1/sites/' + arguments[0] + '/network').then(function (a) { return a.json(); })
      .then(function (network) {
        var room = network.rooms.filter(function (one) { return one.id === id; })[0];
        var sum = function (list) {
          return list.slice(0, room.starts[0] + 1).reduce(function (a, b) { return a + b; }, 0); };
        return [sum(network.nodes.latitudes) / 1e7, sum(network.nodes.longitudes) / 1e7];
      });"""
STEPS = ("return [].map.call(document.querySelectorAll('.route .steps .told'), "
         "function (one) { return one.textContent; })")


def keep_site(page, words: dict, site: str) -> None:
    """Keeps a site's map by the menu, as a reader does."""
    page.open(f"/s/{site}?panel=settings")
    if page.run(BUTTON, words["offline.drop"]):
        return
    page.until(BUTTON, 20, words["offline.size"]).click()
    page.until(BUTTON, 60, words["offline.keep"]).click()
    page.until(BUTTON, 60, words["offline.drop"])
    page.until("return navigator.serviceWorker.controller !== null")


def shown(page, path: str) -> list[str]:
    page.open(path)
    page.until("return document.querySelectorAll('.route .steps .told').length > 0")
    return page.run(STEPS)


def said(words: dict, key: str) -> str:
    """The part of a text before its first hole."""
    return words[key].split("{")[0].strip()


def directions_without_the_service(page, between, words: dict) -> None:
    """A route over floors is found, drawn and told; it says how old the outages are."""
    path = "/s/bush-house?from=0.N01&to=2.S05"
    between.plain()
    keep_site(page, words, "bush-house")
    shown(page, path)
    online = page.run("return document.querySelector('.route .big strong').textContent")
    between.away = "/"
    steps = shown(page, path)
    assert steps[-1].startswith(said(words, "offline.step.arrive")), steps
    assert any(said(words, "offline.step.lift") in one or said(words, "offline.step.stairsUp") in one
               for one in steps), steps
    assert said(words, "offline.lifts") in page.text(".route .news")
    assert page.run("return document.querySelector('.route .fault') === null")
    offline = page.run("return document.querySelector('.route .big strong').textContent")
    assert offline == online, (online, offline)
    page.until("return document.querySelectorAll('.map .route-line').length > 0")
    # Without steps there are only lifts.
    steps = shown(page, path + "&profile=step-free-strict")
    stairs = [said(words, "offline.step.stairsUp"), said(words, "offline.step.stairsDown")]
    assert not any(one.startswith(word) for one in steps for word in stairs), steps
    # From a point: the doors of its room. To a kind: the nearest.
    place = page.run(MIDDLE, "bush-house", "0.N03")
    steps = shown(page, f"/s/bush-house?from=point:{place[0]},{place[1]},floor-0&to=kind:lift")
    told = page.run("return document.querySelector('.route .big').textContent")
    assert " m" in told and not told.startswith("0"), told
    assert steps[-1].startswith(said(words, "offline.step.arrive")), steps
    # The service is back: its own route follows within one round of the outages.
    between.plain()
    page.until("return document.querySelector('.route .news') === null", 20)


# Names of what is kept, without the times since when.
KEPT = ("return Object.keys(localStorage).filter(function (name) {"
        "return name.indexOf('.since.') < 0; }).sort()")


def keeping_is_heard_and_is_no_other_permission(page, between, words: dict) -> None:
    """By the keyboard alone: the focus stays on the button, progress and end are said once."""
    between.plain()
    page.open("/s/bush-house?panel=settings")
    page.until(BUTTON, 20, words["offline.size"]).send_keys(ENTER)
    page.until("return document.activeElement.textContent === arguments[0]", 60,
               words["offline.keep"])
    page.run("window.heard = []")
    page.keys(ENTER)
    page.until("return document.activeElement.textContent === arguments[0]", 60,
               words["offline.drop"])
    page.until("return window.heard.some(function (text) {"
               "return text.indexOf(arguments[0]) === 0; }.bind(null))"
               .replace("arguments[0]", json.dumps(said(words, "offline.held"))))
    heard = page.run("return window.heard")
    assert len(heard) == len(set(heard)), heard
    assert any(one.startswith(said(words, "offline.progress")) for one in heard), heard
    # The map is kept, and nothing else may be.
    kept = page.run(KEPT)
    assert kept == ["whereabouts.buildings"], kept
    page.open("/s/bush-house?from=0.N01&to=2.S05")
    page.run("document.querySelector('[name=profile][value=wheelchair]').click()")
    page.settled()
    assert page.run(KEPT) == ["whereabouts.buildings"]
    # And the other way round: choices may be kept and forgotten, the map stays.
    page.open("/s/bush-house?panel=mine")
    page.click("#keep")
    page.until("return localStorage.getItem('whereabouts.keep') === 'yes'")
    page.click("#keep")
    page.until("return localStorage.getItem('whereabouts.keep') === null")
    assert page.run(KEPT) == ["whereabouts.buildings"]
    page.open("/s/bush-house?panel=settings")
    page.run("window.heard = []")
    page.until(BUTTON, 20, words["offline.drop"]).send_keys(ENTER)
    page.until("return document.activeElement.textContent === arguments[0]", 60,
               words["offline.size"])
    page.until("return window.heard.indexOf(arguments[0]) >= 0", 20, words["offline.dropped"])
    assert page.run(KEPT) == []


def all_languages_are_kept(page, between, all_words: dict) -> None:
    """A map that was kept in English is found, drawn and told in Welsh and German."""
    between.plain()
    keep_site(page, all_words["en"], "bush-house")
    kept = json.loads(page.run("return localStorage.getItem('whereabouts.buildings')"))
    size = kept["bush-house"]["bytes"]
    assert size < 3_000_000, size
    print(f"      kept with the names of all languages: {size} bytes")
    find = """return fetch('/v1/sites/bush-house/search?limit=9&language=' + arguments[0] + '&q='
        + encodeURIComponent(arguments[1])).then(function (a) { return a.json(); })
        .then(function (a) { return a.results.map(function (one) { return one.name; }).sort(); })"""
    online = {(tag, text): page.run(find, tag, text) for tag in ("en", "cy", "de")
              for text in ("Küche 0.K", "Cegin 0.K", "Kitchen 0.K")}
    between.away = "/"
    for (tag, text), names in online.items():
        assert page.run(find, tag, text) == names, (tag, text, names)
    page.open("/s/bush-house?from=0.N01&to=0.K&lang=cy")
    page.until("return document.querySelectorAll('.route .steps .told').length > 0")
    assert "Cegin 0.K" in page.run(STEPS)[-1], page.run(STEPS)
    names = page.run("""return fetch('/v1/sites/bush-house/floors/floor-0/map?language=de')
        .then(function (a) { return a.json(); }).then(function (map) {
            return map.features.map(function (one) { return one.properties.name; }); })""")
    assert "Küche 0.K" in names and "Kitchen 0.K" not in names, names
    between.plain()
    # With a connection the kept map itself is renewed in the language that the app has now.
    page.open("/s/bush-house?lang=de")
    page.until("return JSON.parse(localStorage.getItem('whereabouts.buildings'))"
               "['bush-house'].language === 'de'", 60)


def by_ear_without_the_service(page, between, words: dict) -> None:
    """The steps in the service's words, where the words are equal; keys answer, too."""
    between.plain()
    keep_site(page, words, "bush-house")
    path = "/s/bush-house?from=0.N01&to=2.S05&panel=ear"
    every = ("return [].map.call(document.querySelectorAll('.ear-all li'), "
             "function (one) { return one.textContent; })")
    page.open(path)
    page.until("return document.querySelector('.ear-told') !== null")
    online = page.run(every)
    between.away = "/"
    page.open(path)
    page.until("return document.querySelector('.ear-told') !== null")
    offline = page.run(every)
    common = [one for one in offline if one in online]
    print(f"      {len(common)} of {len(offline)} steps have the service's words")
    assert offline[:2] == online[:2] and offline[-1] == online[-1], (online, offline)
    # The kept network has no walls: it tells straight walks, by the hour of the clock.
    assert len(common) >= 5 and not any(" wall " in one for one in offline[1:]), offline
    # It may be said after other news of the page.
    page.until("var wanted = arguments[0]; return window.heard.some(function (text) {"
               " return text.indexOf(wanted) >= 0; })", 20, said(words, "offline.lifts"))
    page.keys("n", "n")
    page.until("return document.querySelector('.ear-told').textContent === arguments[0]", 10,
               offline[2])
    page.run("window.heard = []")
    page.keys("a")
    page.until("return window.heard.some(function (text) {"
               "return text.indexOf('Lab 0.N01') >= 0 && /o.clock/.test(text); })", 20)
    # The entrance is asked for, too; this building has none in its records.
    page.open("/s/bush-house?from=here&to=2.S05&panel=ear")
    page.until("return document.querySelector('.ask') !== null")
    between.plain()


def outages_that_were_known(page, between, words: dict) -> None:
    """Lifts that were out when the outages were last read are out, with their time."""
    between.plain()
    keep_site(page, words, "bush-house")
    lifts = page.run(
        "var done = fetch('/v1/sites/bush-house/network').then(function (a) { return a.json(); });"
        "return done.then(function (n) { return n.passages.filter(function (p) {"
        " return p.kind === 'lift'; }).map(function (p) { return p.id; }); })")
    between.outages = [{"id": f"o{n}", "connection": one, "from": "2020-01-01T00:00:00.000Z",
                        "site": "bush-house", "reason": "repair"} for n, one in enumerate(lifts)]
    # The worker keeps the answer that a shown route asks for.
    shown(page, "/s/bush-house?from=0.N01&to=2.S05")
    time.sleep(2)
    between.away = "/"
    page.open("/s/bush-house?from=0.N01&to=2.S05&profile=step-free-strict")
    page.until("return document.querySelector('.route .news') !== null")
    assert said(words, "offline.out") in page.text(".route .news"), page.text(".route .news")
    between.plain()


def searches_are_fast(page, site: str, pairs: int = 100) -> dict:
    """Milliseconds of searches between rooms of a kept or open site, in the page itself."""
    page.open(f"/s/{site}")
    return page.run("""
        var site = arguments[0], pairs = arguments[1];
        return import('/app/offline-network.js').then(function (own) {
          return fetch('/v1/sites/' + site + '/network').then(function (a) { return a.json(); })
            .then(function (answer) {
              var begun = performance.now();
              var network = new own.OfflineNetwork(answer);
              var reading = performance.now() - begun, times = [], seed = 7;
              var next = function () {
                seed = (seed * 48271) % 2147483647; return seed % network.rooms.length; };
              for (var i = 0; i < pairs; i += 1) {
                var start = performance.now();
                network.find({ from: { rooms: [next()] }, to: { rooms: [next()] }, outages: [],
                  profile: ['walking', 'wheelchair'][i % 2], at: Date.now() });
                times.push(performance.now() - start);
              }
              times.sort(function (a, b) { return a - b; });
              return { reading: reading, median: times[pairs >> 1], most: times[pairs - 1] };
            });
        });""", site, pairs)


def installs_as_an_app(page) -> None:
    """The manifest is one that Chromium reads without a fault, with an address for the site."""
    page.open("/s/bush-house")
    answer = page.command("Page.getAppManifest")
    assert not answer["errors"], answer["errors"]
    manifest = json.loads(answer["data"])
    assert manifest["start_url"] == "/s/bush-house", manifest
    for icon in manifest["icons"]:
        size = page.run("return fetch(arguments[0]).then(function (a) { return a.blob(); })"
                        ".then(function (b) { return b.size; })", icon["src"])
        assert size > 300, icon
    faults = page.command("Page.getInstallabilityErrors")
    # Over plain HTTP on a loopback address the browser counts as secure.
    left = [one["errorId"] for one in faults["installabilityErrors"]]
    assert not [one for one in left if one != "in-incognito"], left


class Offline(Subject):
    def directions_without_the_service(self):
        self._with_page(directions_without_the_service)

    def outages_that_were_known(self):
        self._with_page(outages_that_were_known)

    def keeping_is_heard_and_is_no_other_permission(self):
        self._with_page(keeping_is_heard_and_is_no_other_permission, REGIONS)

    def all_languages_are_kept(self):
        with Page(self.between) as page:
            all_languages_are_kept(page, self.between, self.words)

    def by_ear_without_the_service(self):
        mute = "Object.defineProperty(window, 'speechSynthesis', { value: undefined });"
        self._with_page(by_ear_without_the_service, REGIONS + mute)

    def installs_as_an_app(self):
        if Page.browser.name != "chromium":
            raise LeftOut("only Chromium tells what it reads of a manifest")
        with Page(self.between) as page:
            installs_as_an_app(page)

    def searches_in_the_page_are_told(self):
        with Page(self.between) as page:
            for site in ("bush-house", "moorgate", "polytech"):
                if self.has(site):
                    print(f"      {site}: {searches_are_fast(page, site)} ms")

    def _with_page(self, check, before=""):
        with Page(self.between, before=before) as page:
            check(page, self.between, self.words["en"])
