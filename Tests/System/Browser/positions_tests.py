"""The dot: from a shell's scans, under both of its names, and how it moves."""

import json

from page import Page
from subject import Subject

SHELL = """
    window.whereaboutsShell = {
        scanNow: function () {
            setTimeout(function () { if (window.whereaboutsScanned) whereaboutsScanned(); }, 20);
        },
        results: function () {
            return JSON.stringify({ wifi: [{ bssid: '02:00:00:00:00:01', rssi: -60 }],
                ble: [{ uuid: 'f7826da6-4fa2-4e98-8024-bc5b71e0893e', major: 1, minor: 2,
                    rssi: -70 }] });
        },
        permission: function () { return true; },
        share: function () {}, background: function () {},
    };
    // While `taken` is a list, the clock stands still, and frames wait until the test draws them.
    var clock = performance.now.bind(performance);
    performance.now = function () { return window.taken ? window.stopped : clock(); };
    var frame = window.requestAnimationFrame;
    window.requestAnimationFrame = function (step) {
        if (!window.taken) return frame.call(window, step);
        taken.push(step);
        return -1;
    };"""
CLIENT = """
    window.mobileclient = {
        scanNow: function () { setTimeout(function () {
            if (window.nearby_stations_available) nearby_stations_available(); }, 20); },
        getNearbyStations: function () { return JSON.stringify([
            { bssid: '02:00:00:00:00:07', ssid: 'campus', level: -51, frequency: 2412 }]); },
        hasLocationPermission: function () { return true; },
        checkLocationPermission: function () { return true; },
        shareUrl: function (url) { window.shared = url; },
    };"""
# Where the dot is on the screen in 20 frames of 60 ms each.
GLIDE = """
    var places = [];
    for (var i = 0; i < 20; i += 1) {
        var steps = taken;
        window.taken = [];
        steps.forEach(function (step) { step(stopped + i * 60); });
        var box = document.querySelector('.dot').getBoundingClientRect();
        places.push([box.x, box.y]);
    }
    var rest = taken;
    window.taken = null;
    rest.forEach(function (step) { requestAnimationFrame(step); });
    return places;"""


class Positions(Subject):
    def _answer(self, latitude: float, longitude: float, **members) -> dict:
        return {"state": "located", "latitude": latitude, "longitude": longitude, "radius95": 4.0,
                "floor": "floor-0", "memory": "c2VhbGVk", "rooms": [], **members}

    def the_dot_glides_and_is_honest(self):
        self.between.located = self._answer(51.51328816, -0.11633247)
        with Page(self.at, before=SHELL) as page:
            page.open("/s/bush-house")
            page.until("return document.querySelector('.dot') !== null")
            asked = json.loads(self.between.posted["/v1/locate"])
            assert asked["wifi"][0]["rssi"] == -60 and asked["ble"][0]["major"] == 1, asked
            page.until("return document.querySelector('path.dot-radius') !== null")
            page.until("return /4 m/.test(document.querySelector('.where').textContent)")
            page.settled()
            place = "var b = document.querySelector('.dot').getBoundingClientRect(); return [b.x, b.y]"
            before = page.run(place)
            page.run("window.stopped = performance.now(); window.taken = [];")
            self.between.located = self._answer(51.51320816, -0.11623247)
            page.run("whereaboutsScanned()")
            self.between.until_posted("/v1/locate", memory="c2VhbGVk")
            page.until("return taken.length > 0")
            places = [before] + page.run(GLIDE)
            whole = abs(places[-1][0] - before[0]) + abs(places[-1][1] - before[1])
            steps = [abs(one[0] - other[0]) + abs(one[1] - other[1])
                     for one, other in zip(places, places[1:], strict=False)]
            assert whole > 10 and max(steps) < whole * 0.3, (whole, steps)
            self.between.located = self._answer(51.51320816, -0.11623247, floor="floor-1")
            page.run("whereaboutsScanned()")
            page.until("return whereabouts.view.floorID === 'floor-1'")
            self.between.located = {"state": "uncertain", "floor": "floor-1", "rooms": []}
            page.run("whereaboutsScanned()")
            page.until("return /Probably/.test(document.querySelector('.where').textContent)")
            self.between.located = {"state": "lost", "rooms": []}
            page.run("whereaboutsScanned()")
            page.until("return /can't tell/.test(document.querySelector('.where').textContent)")
            page.until("return document.querySelector('.dot') === null")

    def the_shell_of_c3nav_works(self):
        self.between.located = self._answer(51.51328816, -0.11633247)
        with Page(self.at, before=CLIENT) as page:
            page.open("/s/bush-house?room=0.N03")
            page.until("return document.querySelector('.dot') !== null")
            asked = json.loads(self.between.posted["/v1/locate"])
            assert asked["wifi"] == [{"bssid": "02:00:00:00:00:07", "rssi": -51, "ssid": "campus",
                                      "frequency": 2412}], asked
            page.click(".head .share")
            assert page.until("return window.shared").endswith("/s/bush-house?room=0.N03")
