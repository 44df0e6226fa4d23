"""UM1, the dot: simulated walkers carry a page with a shell whose scans are the simulator's."""

import gzip
import json
import math
import time

from between import Between
from page import Page
from subject import LeftOut, Subject

# The walkers of `whereabouts simulate --seed 7 --devices 6`, and the first of the scans that are used:
# two of them take the stairs over three floors, one goes up and one down.
WALKERS = ("walker-6", "walker-2", "walker-1", "walker-3")
FIRST, COUNT = 11, 24
SITE = "bush-house"
# The shell hands out the newest scan of a walk that goes on at its own pace.
SHELL = """
    window.walk = { scans: SCANS, at: 0, began: performance.now(), seen: [] };
    walk.now = function () {
        var seconds = (performance.now() - walk.began) / 1000;
        while (walk.at + 1 < walk.scans.length && walk.scans[walk.at + 1].after <= seconds) walk.at += 1;
        return walk.at;
    };
    window.whereaboutsShell = {
        scanNow: function () {
            setTimeout(function () { if (window.whereaboutsScanned) whereaboutsScanned(); }, 20);
        },
        results: function () {
            walk.used = walk.now();
            return JSON.stringify({ wifi: walk.scans[walk.used].wifi });
        },
        permission: function () { return true; },
        share: function () {}, background: function () {},
    };"""
# What is drawn is read when the dot has come to rest.
WATCH = """
    var done = arguments[0];
    import('/app/position-store.js').then(function (store) {
        store.onPosition(function (position) {
            var used = walk.used;
            setTimeout(function () {
                if (used !== walk.used) return;
                var view = whereabouts.view;
                var one = { scan: used, state: position.state, floor: position.floor,
                    shown: view.floorID };
                view.leaflet.eachLayer(function (layer) {
                    if (layer.options.className === 'dot-radius' && layer.getRadius) {
                        one.latitude = layer.getLatLng().lat;
                        one.longitude = layer.getLatLng().lng;
                        one.radius = layer.getRadius();
                    }
                });
                walk.seen.push(one);
            }, 1500);
        });
        done(true);
    });"""


class Walk(Subject):
    def begin(self) -> None:
        """The walks go on while the other tests run."""
        self.pages: list[Page] = []
        if self.given.walk is None:
            return
        # What other tests do between the browser and the service is not for walkers.
        self.own = Between(self.between.base)
        self.own.folder = self.between.folder
        self.site = json.loads((self.given.walk / "site.json").read_text())
        scans: dict[str, list[dict]] = {name: [] for name in WALKERS}
        with gzip.open(self.given.walk / "scans.jsonl.gz", "rt") as lines:
            for line in lines:
                scan = json.loads(line)
                if scan["device"] in scans:
                    scans[scan["device"]].append(scan)
        self.truths = []
        for name in WALKERS:
            walk = sorted(scans[name], key=lambda one: one["at"])[FIRST:FIRST + COUNT]
            self.truths.append([one["truth"] for one in walk])
            told = [{"after": 4 * at, "wifi": one["wifi"]} for at, one in enumerate(walk)]
            page = Page(self.own, before=SHELL.replace("SCANS", json.dumps(told)))
            page.stays = True
            page.load(f"/s/{SITE}")
            self.pages.append(page)
        for page in self.pages:
            page.until("return document.documentElement.classList.contains('ready')")
            page.run_slowly(WATCH)
            page.run("walk.began = performance.now()")
        self.ends = time.monotonic() + 4 * COUNT

    def um1_the_dot_is_within_its_own_radius(self):
        """UM1: the user sees their location, in at least 95 % of what is drawn within its radius."""
        if not self.pages:
            raise LeftOut("--walk names no folder")
        time.sleep(max(0.0, self.ends - time.monotonic()))
        hits, misses, unsure, changes = 0, [], 0, 0
        for name, page, truths in zip(WALKERS, self.pages, self.truths, strict=True):
            seen = page.run("return walk.seen")
            states = "".join(one["state"][0] for one in seen)
            print(f"      {name}: {states} (l is located, u uncertain)")
            for one in seen:
                truth = truths[one["scan"]]
                changes += one["scan"] > 0 and truths[one["scan"] - 1]["floor"] != truth["floor"]
                if one["state"] != "located":
                    unsure += 1
                    continue
                away = self._metres(one, truth)
                if away <= one["radius"] and one["floor"] == truth["floor"] == one["shown"]:
                    hits += 1
                else:
                    misses.append(f"{name} {one['scan']}: {away:.1f} m of {one['radius']:.1f} m, "
                                  f"{one['floor']} of {truth['floor']}, shown {one['shown']}")
            page.close()
        all_drawn = hits + len(misses)
        print(f"      UM1: {hits} of {all_drawn} dots within their radius, {unsure} times unsure")
        assert all_drawn >= 40 and unsure < all_drawn / 3, (all_drawn, unsure)
        assert hits >= 0.95 * all_drawn, misses

    def _metres(self, one: dict, truth: dict) -> float:
        """Metres from a dot to the true place: a plane is exact to millimetres in a house."""
        origin, bearing = self.site["origin"], math.radians(self.site["bearingDegrees"])
        latitude = math.radians(origin["latitude"])
        # Radii of curvature of the WGS84 ellipsoid (NIMA TR8350.2, section 4.1).
        part = 1 - 0.006_694_379_990_141_316 * math.sin(latitude) ** 2
        normal = 6_378_137.0 / math.sqrt(part)
        meridian = normal * (1 - 0.006_694_379_990_141_316) / part
        north = math.radians(one["latitude"] - origin["latitude"]) * meridian
        east = math.radians(one["longitude"] - origin["longitude"]) * normal * math.cos(latitude)
        x = east * math.cos(bearing) - north * math.sin(bearing)
        y = east * math.sin(bearing) + north * math.cos(bearing)
        return math.hypot(x - truth["x"], y - truth["y"])
