"""Measures the first view of the visitor's app, and panning, in headless Chromium.

    first_view.py --at http://127.0.0.1:8080 [--bytes] [--times 9] [SITE ...]

Without sites it measures those of SITES that there are. `benchmark campus-files` writes campus and
college, the two that no public map is large enough for. Bytes and round trips are those of the browser's own record (DevTools protocol), with an empty cache
and the workers' requests. `--bytes` measures only these. Exits with 1 where a bar is missed. It needs
what browser_test.py needs; selenium brings websocket-client. `first_view_tests.py` calls
`check_bytes`, which raises an AssertionError.
"""

import argparse
import contextlib
import itertools
import json
import statistics
import sys
import time
import urllib.error
import urllib.request

import websocket
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

SITES = ("bush-house", "moorgate", "polytech", "columbus", "college", "campus")
SIZES = {"phone": (390, 844), "desk": (1400, 900)}
# The bars of issue 17.
MOST_BYTES = 250_000
MOST_BYTES_BEFORE = 110_000
MOST_ROUND_TRIPS = 3
MOST_WORK_MILLISECONDS = 250
MOST_USABLE_SECONDS = 2.5
MOST_FRAME_MILLISECONDS = 8
MOST_TASK_MILLISECONDS = 50
# Where the map is dragged: a floor of 2,000 rooms, and from building to building.
PANNED = (("campus?floor=hall.0", 18.5), ("campus", 17.5))
LEAST_FRAMES = 100
# A slow telephone: 4 times slower, 1.6 Mbit/s, 150 ms there and back.
SLOWER = 4
SLOW_NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 200_000,
                "uploadThroughput": 93_750}
# What the page itself does in a frame: its scripts, styles and layout, not painting.
OWN_WORK = {"FunctionCall", "FireAnimationFrame", "TimerFire", "EventDispatch", "RunMicrotasks",
            "Layout", "UpdateLayoutTree", "RecalculateStyles", "EvaluateScript", "v8.callFunction",
            "HandlePostMessage"}
TASKS = {"RunTask", "ThreadControllerImpl::RunTask"}
TRACED = "toplevel,devtools.timeline,disabled-by-default-devtools.timeline,blink.user_timing"


class Chromium:
    """A browser with one page, and a connection of its own for what Chromium records."""

    def __init__(self, size):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                         "--disable-dev-shm-usage", "--lang=en", "--remote-allow-origins=*"):
            options.add_argument(argument)
        self.driver = webdriver.Chrome(
            options=options, service=Service("/usr/bin/chromedriver"))
        address = self.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{address}/json/version") as answer:
            socket = json.load(answer)["webSocketDebuggerUrl"]
        self.socket = websocket.create_connection(socket, timeout=60)
        self.count = 0
        self.events: list[dict] = []
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(one["targetId"] for one in targets if one["type"] == "page")
        self.page = self.send("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        self.ask("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1],
                 deviceScaleFactor=1, mobile=size[0] < 700)
        self.ask("Page.enable")
        # A worker waits until its requests are recorded, too.
        self.ask("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        self.ask("Network.enable")
        self.ask("Network.setCacheDisabled", cacheDisabled=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.driver.quit()

    def ask(self, method: str, **members):
        return self.send(method, self.page, **members)

    def post(self, method: str, session=None, **members) -> int:
        self.count += 1
        wish = {"id": self.count, "method": method, "params": members}
        if session:
            wish["sessionId"] = session
        self.socket.send(json.dumps(wish))
        return self.count

    def send(self, method: str, session=None, **members):
        number = self.post(method, session, **members)
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def receive(self) -> dict:
        answer = json.loads(self.socket.recv())
        if "method" in answer:
            self.events.append(answer)
            if answer["method"] == "Target.attachedToTarget" \
                    and answer["params"]["waitingForDebugger"]:
                session = answer["params"]["sessionId"]
                self.post("Network.enable", session)
                self.post("Runtime.runIfWaitingForDebugger", session)
        return answer

    def listen(self, seconds: float):
        """Records events for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.socket.settimeout(max(0.01, end - time.monotonic()))
            with contextlib.suppress(websocket.WebSocketTimeoutException):
                self.receive()
        self.socket.settimeout(60)

    def value(self, script: str):
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True,
                          awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, script: str, seconds=60.0):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.value(script):
                return
            self.listen(0.05)
        raise AssertionError(f"not within {seconds} s: {script}")

    def open(self, address: str):
        self.events = []
        self.ask("Page.navigate", url=address)
        self.until("performance.getEntriesByName('usable').length > 0")

    def shown(self):
        """Waits for the complete first view: map, parts outdoors, and what follows."""
        self.until("document.documentElement.classList.contains('ready')")
        self.until("document.documentElement.classList.contains('outdoors')")
        quiet = 0
        while quiet < 4:
            before = len(self.events)
            self.listen(0.25)
            new = self.events[before:]
            quiet = 0 if any(one["method"].startswith("Network.") for one in new) else quiet + 1

    def trace(self, run) -> list[dict]:
        """The trace's events while `run` runs."""
        self.send("Tracing.start", traceConfig={"includedCategories": TRACED.split(",")})
        run()
        before = len(self.events)
        self.send("Tracing.end")
        while not any(one["method"] == "Tracing.tracingComplete" for one in self.events[before:]):
            self.receive()
        return [event for one in self.events if one["method"] == "Tracing.dataCollected"
                for event in one["params"]["value"]]


def requests_of(events: list[dict]) -> list[dict]:
    """Each request: its address, begin and end in seconds, bytes with headers, and depth.

    The depth of the page is 1, and that of a request is one more than that of the file that asked
    for it. So it counts round trips, however many connections a browser opens.
    """
    found: dict[tuple, dict] = {}
    for event in events:
        members, key = event["params"], (event.get("sessionId"), event["params"].get("requestId"))
        if event["method"] == "Network.requestWillBeSent":
            found[key] = {"url": members["request"]["url"], "begin": members["timestamp"],
                          "clock": members["wallTime"] - members["timestamp"],
                          "end": None, "bytes": 0, "asker": asker_of(members["initiator"])}
        elif key not in found:
            continue
        elif event["method"] == "Network.dataReceived":
            # The last event has the sum; until then this is what came.
            found[key]["bytes"] += members["encodedDataLength"]
        elif event["method"] in ("Network.loadingFinished", "Network.loadingFailed"):
            found[key]["end"] = members["timestamp"]
            found[key]["bytes"] = members.get("encodedDataLength", found[key]["bytes"])
    requests = [one for one in found.values() if one["url"].startswith("http")]
    for one in requests:
        one["depth"] = depth_of(one, requests)
    return requests


def asker_of(initiator: dict) -> str | None:
    if initiator.get("url"):
        return initiator["url"]
    frames = initiator.get("stack", {}).get("callFrames") or []
    return frames[0]["url"] if frames else None


def depth_of(request: dict, requests: list[dict], most=20) -> int:
    asker = next((one for one in requests if one["url"] == request["asker"]), None)
    if not asker or asker is request or not most:
        return 1
    return 1 + depth_of(asker, requests, most - 1)


def bytes_of(base: str, site: str, size=SIZES["phone"]) -> dict:
    """Bytes of the complete first view and until a search can be typed, and round trips until then."""
    with Chromium(size) as page:
        page.open(f"{base}/s/{site}")
        usable = page.value(
            "performance.timeOrigin + performance.getEntriesByName('usable')[0].startTime") / 1000
        page.shown()
        requests = requests_of(page.events)
    # The page's clock and that of its record differ.
    usable -= min(requests, key=lambda one: one["begin"])["clock"]
    before = [one for one in requests if one["begin"] <= usable]
    arrived = [one for one in before if one["end"] and one["end"] <= usable]
    maps = [one for one in requests if "/v1/" in one["url"] and "/map" in one["url"]]
    return {
        "site": site, "all": sum(one["bytes"] for one in requests),
        "before": sum(one["bytes"] for one in before),
        "trips": max(one["depth"] for one in arrived),
        "maps": sum(one["bytes"] for one in maps), "parts": len(maps), "requests": len(requests),
    }


def check_bytes(base: str, sites=SITES, sizes=tuple(SIZES.values())) -> list[dict]:
    """Measures bytes and round trips, and raises an AssertionError where a bar is missed."""
    measured = [bytes_of(base, site, size) for site in sites for size in sizes]
    for one in measured:
        assert one["all"] <= MOST_BYTES, f"the first view has more than {MOST_BYTES} bytes: {one}"
        assert one["before"] <= MOST_BYTES_BEFORE, (
            f"more than {MOST_BYTES_BEFORE} bytes before a search: {one}")
        assert one["trips"] <= MOST_ROUND_TRIPS, f"more than {MOST_ROUND_TRIPS} round trips: {one}"
    return measured


def took(event: dict) -> float:
    """Microseconds of processor time, so that nobody else's work on the machine counts."""
    return event.get("tdur", event["dur"])


def main_thread(events: list[dict]) -> list[dict]:
    """The events of the page's main thread, in their order."""
    mark = next(one for one in events if one.get("name") in ("usable", "panning"))
    return sorted((one for one in events if one.get("ph") == "X"
                   and (one["pid"], one["tid"]) == (mark["pid"], mark["tid"])),
                  key=lambda one: one["ts"])


def work_of(base: str, site: str, size) -> float:
    """Milliseconds of the main thread from the navigation until a search can be typed."""
    with Chromium(size) as page:
        events = page.trace(lambda: page.open(f"{base}/s/{site}"))
    mark = next(one for one in events if one.get("name") == "usable")
    begin = max(one["ts"] for one in events if one.get("name") == "navigationStart"
                and one["pid"] == mark["pid"] and one["ts"] <= mark["ts"])
    tasks = [one for one in main_thread(events) if one["name"] in TASKS
             and begin <= one["ts"] <= mark["ts"]]
    return sum(min(took(one), mark["ts"] - one["ts"]) for one in tasks) / 1000


def usable_seconds(base: str, site: str, size) -> float:
    """Seconds until a search can be typed on a slow telephone."""
    with Chromium(size) as page:
        page.ask("Emulation.setCPUThrottlingRate", rate=SLOWER)
        page.ask("Network.emulateNetworkConditions", **SLOW_NETWORK)
        page.open(f"{base}/s/{site}")
        return page.value("performance.getEntriesByName('usable')[0].startTime") / 1000


def panning(base: str, address: str, zoom: float, size) -> dict:
    """Milliseconds of script and layout of each frame while the map is dragged."""
    with Chromium(size) as page:
        page.open(f"{base}/s/{address}")
        page.shown()
        page.value(f"whereabouts.view.leaflet.setZoom({zoom}, {{animate: false}}); 1")
        page.listen(1)

        def drag():
            page.value("performance.mark('panning')")
            x, y = size[0] // 2, size[1] // 3
            mouse = {"button": "left", "buttons": 1, "clickCount": 1}
            for turn in range(4):
                page.ask("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, **mouse)
                for step in range(60):
                    sign = 1 if turn % 2 else -1
                    page.ask("Input.dispatchMouseEvent", type="mouseMoved",
                             x=x + sign * step * 2.4, y=y + sign * step * 2.4, **mouse)
                    page.listen(0.016)
                page.ask("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, **mouse)
                page.listen(0.4)

        return frames_in(page.trace(drag))


def frames_in(events: list[dict]) -> dict:
    """Milliseconds of script and layout of each frame of a trace."""
    thread = main_thread(events)
    tasks = [one for one in thread if one["name"] in TASKS]
    begins = [one["ts"] for one in thread if one["name"] == "FireAnimationFrame"]
    frames = [0.0] * (len(begins) + 1)
    end, at = 0, 0
    for one in thread:
        # Work within work counts once.
        if one["name"] not in OWN_WORK or one["ts"] < end:
            continue
        end = one["ts"] + one["dur"]
        while at < len(begins) and begins[at] <= one["ts"]:
            at += 1
        frames[at] += took(one) / 1000
    frames.sort()
    return {"frames": len(frames), "p50": frames[len(frames) // 2],
            "p95": frames[int(len(frames) * 0.95)], "most": frames[-1],
            "task": max(took(one) for one in tasks) / 1000}


def answer_of(base: str, site: str, size) -> float:
    """Milliseconds until a search has results that is typed as soon as it can be typed."""
    with Chromium(size) as page:
        page.open(f"{base}/s/{site}")
        page.value("""
            window.typed = performance.now();
            var field = document.querySelector('.search input');
            field.focus();
            field.value = 'room';
            field.dispatchEvent(new Event('input', {bubbles: true}));
            1""")
        page.until("document.querySelectorAll('.results [role=option]').length > 0")
        return page.value("performance.now() - window.typed")


def has(base: str, site: str) -> bool:
    try:
        urllib.request.urlopen(f"{base}/s/{site}", timeout=60).close()
        return True
    except urllib.error.HTTPError:
        print(f"there is no site {site}")
        return False


def report(name: str, value, bar, form="{:,.0f}") -> bool:
    missed = value > bar
    print(f"  {name:<44}{form.format(value):>10} of {form.format(bar)}"
          + ("   MISSED" if missed else ""), flush=True)
    return missed


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--at", required=True)
    options.add_argument("--bytes", action="store_true")
    options.add_argument("--times", type=int, default=9)
    options.add_argument("sites", nargs="*", default=[])
    chosen = options.parse_args()
    base, missed = chosen.at.rstrip("/"), []
    sites = [site for site in chosen.sites or SITES if has(base, site)]
    for site in sites:
        for name, size in SIZES.items():
            print(f"{site}, {name}", flush=True)
            found = bytes_of(base, site, size)
            missed += [
                report("bytes of the first view", found["all"], MOST_BYTES),
                report("bytes before a search", found["before"], MOST_BYTES_BEFORE),
                report("round trips before a search", found["trips"], MOST_ROUND_TRIPS)]
            print(f"  of it maps: {found['maps']:,} bytes in {found['parts']} requests", flush=True)
            if chosen.bytes:
                continue
            work = statistics.median(work_of(base, site, size) for _ in range(chosen.times))
            missed.append(report("main-thread milliseconds before a search", work,
                                 MOST_WORK_MILLISECONDS))
            missed.append(report("seconds until a search, slow telephone",
                                 usable_seconds(base, site, size), MOST_USABLE_SECONDS, "{:.2f}"))
            answered = statistics.median(answer_of(base, site, size) for _ in range(chosen.times))
            print(f"  a search typed then was answered {answered:.0f} ms later", flush=True)
    if not chosen.bytes:
        for (address, zoom), name in itertools.product(PANNED, SIZES) if "campus" in sites else ():
            found = panning(base, address, zoom, SIZES[name])
            assert found["frames"] >= LEAST_FRAMES, f"the map was not dragged: {found}"
            print(f"panning over {address}, {name}, {found['frames']} frames, median "
                  f"{found['p50']:.1f} ms, most {found['most']:.1f} ms", flush=True)
            missed.append(report("milliseconds a frame, 95th percentile", found["p95"],
                                 MOST_FRAME_MILLISECONDS, "{:.1f}"))
            missed.append(report("longest task in milliseconds", found["task"],
                                 MOST_TASK_MILLISECONDS, "{:.1f}"))
    return 1 if any(missed) else 0


if __name__ == "__main__":
    sys.exit(main())
