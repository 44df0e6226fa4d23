"""UM1, the dot: simulated walkers carry a page with a shell whose scans are the simulator's."""

import gzip
import json
import math

from between import Between
from page import Page
from subject import LeftOut, Subject

# Walkers of `whereabouts simulate --seed 7 --devices 6`, and the first of their scans that are used: from
# there they walk. Two of them take the stairs over three floors, one down and one up.
WALKERS = {
    "walker-6": 15, "walker-2": 15, "walker-4": 20, "walker-5": 25, "walker-1": 15, "walker-3": 24,
}
COUNT = 20
SITE = "bush-house"
# The shell hands out one scan after the other. The page asks each five seconds, and the simulator's scans
# are four seconds apart: who walks in the page is a little slower, and each run has the same scans.
# What is drawn is read when the dot has come to rest. The page's own script does it: in Firefox a
# function that a driver hands over is not called.
SHELL = """
    window.walk = { scans: SCANS, at: -1, seen: [], goes: false };
    window.whereaboutsShell = {
        scanNow: function () {
            setTimeout(function () { if (window.whereaboutsScanned) whereaboutsScanned(); }, 20);
        },
        results: function () {
            if (!walk.goes || walk.at + 1 >= walk.scans.length) return null;
            walk.at += 1;
            return JSON.stringify({ wifi: walk.scans[walk.at] });
        },
        permission: function () { return true; },
        share: function () {}, background: function () {},
    };
    walk.watch = function (done) {
        import('/app/position-store.js').then(function (store) {
            store.onPosition(function (position) {
                var used = walk.at;
                // Who stands still is asked for a scan once a minute: a shell may tell of one by itself.
                setTimeout(function () {
                    if (used === walk.at) whereaboutsScanned();
                }, 5500);
                setTimeout(function () {
                    if (used !== walk.at) return;
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
            walk.goes = true;
            whereaboutsScanned();
            done(true);
        });
    };"""


class Walk(Subject):
    def begin(self) -> None:
        """The walks go on while the other tests run."""
        for page in getattr(self, "pages", []):
            page.close()
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
        for name, first in WALKERS.items():
            walk = sorted(scans[name], key=lambda one: one["at"])[first:first + COUNT]
            self.truths.append([one["truth"] for one in walk])
            told = json.dumps([one["wifi"] for one in walk])
            page = Page(self.own, before=SHELL.replace("SCANS", told))
            page.stays = True
            page.load(f"/s/{SITE}")
            self.pages.append(page)
        for page in self.pages:
            page.until("return document.documentElement.classList.contains('ready')"
                       " && typeof whereaboutsScanned === 'function'")
            page.run_slowly("walk.watch(arguments[0]);")

    def um1_the_dot_is_within_its_own_radius(self):
        """UM1: the user sees their location, in at least 95 % of what is drawn within its radius."""
        if not self.pages:
            raise LeftOut("--walk names no folder")
        hits, misses, unsure, changes = 0, [], 0, 0
        for name, page, truths in zip(WALKERS, self.pages, self.truths, strict=True):
            page.until(f"return walk.at === {COUNT - 1}", 240)
            # The last dot comes to rest.
            page.until(f"return walk.seen.some(function (one) {{ return one.scan === {COUNT - 1}; }})", 20)
            for one in page.run("return walk.seen"):
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
        drawn = hits + len(misses)
        print(f"      UM1: {hits} of {drawn} dots within their radius, {changes} floor changes, "
              f"{unsure} times unsure; beyond it: {misses}")
        assert drawn >= 0.8 * COUNT * len(WALKERS) and changes >= 3, (drawn, changes, unsure)
        assert hits >= 0.95 * drawn, misses

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
