"""Searches every answer to a stranger for names that are the staff's or hidden.

    planted_names.py --bin FOLDER [--planted public-room] [--keep]

A site has planted names in every kind of record (planted_site.py), one version from before they were
hidden, a phone that was in the hidden rooms, an outage, and a calendar. Then all operations of
docs/openapi.json that a stranger may read are called, as an anonymous session, a visitor, a phone, a
tester and an app that only locates; as an analyst, for what is hidden from the staff. With --planted, one
room with a planted name is public: the run has to notice it.

A record that is not for the reader has to be answered like one that is not there. The last line of stdout
is one JSON object, whose "wrong" says what was found; the exit status is 1 if anything was.
"""

import argparse
import datetime
import http.server
import json
import math
import pathlib
import re
import shutil
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "SecurityAttacks"))

from house_of_attacks import ROOT, House, control, scan  # noqa: E402
import planted_site as planted  # noqa: E402

SITE = "planted"
NAME = re.compile(rb"zq\d\d|02:aa:51:00:00:53", re.IGNORECASE)
# A sealed state has thousands of random letters and digits: "zq50" may be among them.
SEALED = re.compile(rb'"(memory|changeToken)":"[^"]*"')
MEDIA = {"type": "image/svg+xml"}
ABSENT = {"access-point-places": "02:aa:51:00:00:99"}
# The radio map's figures name the places of surveys, which its makers work on (docs/visibility.md).
OF_RADIO_MAP = ("/surveys", "/survey-", "/fingerprints", "/measurements", "/access-points", "/taps",
                "/radio-map", "/node-calibrations", "/positioner", "/magnetic-routes")


def drawing(text: str) -> bytes:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><text>{text}</text>'
            "</svg>").encode()


class Calendar(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        start = datetime.datetime.now(datetime.timezone.utc).replace(
            minute=0, second=0, microsecond=0)
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//planted//EN"]
        for number in range(-30, 30):
            moment = start + datetime.timedelta(hours=2 * number)
            lines += ["BEGIN:VEVENT", f"UID:{number}", f"DTSTART:{moment:%Y%m%dT%H%M%S}Z",
                      "DURATION:PT1H", "SUMMARY:Zq55 lecture", "ORGANIZER;CN=Zq56:mailto:zq57@x.org",
                      "END:VEVENT"]
        body = "\r\n".join([*lines, "END:VCALENDAR", ""]).encode()
        self.send_response(200)
        self.send_header("content-type", "text/calendar")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class PlantedHouse(House):
    opened = ""

    def furnish(self):
        self.tokens["owner"] = self.command_token("administrator", None)
        self.wait("the token is known", 60, lambda: self.get("/v1/sites", self.owner).is_good)
        media = [self.media(drawing(text)) for text in ("hall", "zq49")]
        self.secret = media[1]["hash"]
        # The version from before anything was hidden.
        before = planted.document(*media)
        for kind in ("rooms", "floors", "directory"):
            for record in before[kind]:
                record.pop("visibility", None)
                record.pop("restricted", None)
        for document in (before, planted.document(*media, opened=self.opened)):
            answer = self.send("PUT", f"/v1/sites/{SITE}", self.owner, document)
            control(answer.is_good, f"publishes: {answer}")
        roles = ("visitor", "tester", "locate-only", "analyst", "surveyor")
        self.tokens |= {role: self.token(role, SITE) for role in roles}
        self.tokens["device"] = self.token("device", SITE, device="phone")
        self.token("device", SITE, device="surveying")
        self.survey_all()
        self.walk_phone()
        for way in ("door-lab", "zq22door"):
            now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            answer = self.send("POST", f"/v1/outages?site={SITE}", self.owner, {
                "site": SITE, "connection": way, "from": now, "reportedBy": "x",
                "reason": "closed" if way == "door-lab" else "zq54 is stuck"})
            control(answer.is_good, f"reports an outage: {answer}")
        self.feed()
        self.is_furnished = True

    def media(self, file: bytes) -> dict:
        answer = self.send("POST", f"/v1/media?site={SITE}", self.owner, file,
                           {"content-type": "image/svg+xml"})
        control(answer.is_good, f"keeps a drawing: {answer}")
        return answer.json["media"]

    def survey_all(self):
        def one(number: int):
            x, y = 1 + number % 8 * 3, 1 + number // 8 % 5 * 3.5
            place = {"floor": planted.GROUND, "x": x, "y": y}
            return self.send("POST", f"/v1/surveys?site={SITE}", self.tokens["surveyor"],
                             scan(x, y) | {"device": "surveying", "site": SITE, "place": place})
        self.wait("surveys are taken", 60, lambda: one(0).status == 202)
        for number in range(1, 40):
            one(number)
        self.wait("there is a map", 60, lambda: ((self.get(
            f"/v1/sites/{SITE}/radio-map", self.tokens["surveyor"]).json or {}).get("surveys")
            or 0) >= 40)
        self.wait("the map is in use", 60, lambda: b'"radius68"' in self.send(
            "POST", "/v1/locate", self.tokens["device"], scan(5, 4)).body)

    def walk_phone(self):
        """The phone was in the hall, in the staff's room and in the hidden one."""
        beacon = {"ble": [{"uuid": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "major": 1, "minor": 2,
                           "rssi": -50}]}
        for x, y in [(4, 4), (20, 4), (20, 4), (12, 12), (12, 12), (20, 4)] * 3:
            self.send("POST", "/v1/scans", self.tokens["device"], scan(x, y) | beacon)
            time.sleep(0.2)
        self.wait("the phone is located in the hidden rooms", 60, lambda: NAME.search(self.get(
            f"/v1/positions?site={SITE}", self.owner).body))

    def feed(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Calendar)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for room in ("lab", "quiet", "zq02room"):
            answer = self.send("PUT", f"/v1/sites/{SITE}/feeds/of-{room}", self.owner, {
                "kind": "icalendar", "room": room, "people": True,
                "address": f"http://127.0.0.1:{server.server_port}/{room}.ics"})
            control(answer.is_good, f"sets up a feed: {answer}")
        self.wait("bookings are there", 60, lambda: b"Zq55" in self.get(
            f"/v1/sites/{SITE}/rooms/lab/timetable", self.owner).body)


class Walk:
    """All requests of one reader, and what their answers should not have."""

    def __init__(self, house: House, reader: str, headers: dict, secret: re.Pattern):
        self.house, self.reader, self.headers, self.secret = house, reader, headers, secret
        self.wrong: list[str] = []
        # The planted names in answers to requests that did not name them.
        self.seen: set[bytes] = set()
        self.answered, self.asked = 0, 0

    def ask(self, method: str, path: str, body=None, accept: str = "", seconds: float = 20):
        headers = self.headers | ({"accept": accept} if accept else {})
        answer = self.house.send(method, path, "", body, headers, seconds)
        self.asked += 1
        self.answered += answer.is_good
        said = urllib.parse.unquote(path) + json.dumps(body or "")
        own = set(NAME.findall(said.lower().encode()))
        # A picture's bytes are compressed: they have any letters, and its SVG is searched.
        text = b"" if answer.headers.get("content-type") == "image/png" else answer.body
        text = SEALED.sub(b"", text)
        text += b"".join(f"{k}: {v}\n".encode() for k, v in answer.headers.items()
                         if k != "set-cookie")
        self.seen |= {name.lower() for name in NAME.findall(text)} - own
        found = {name.lower() for name in NAME.findall(text) if self.secret.search(name)} - own
        if found:
            self.wrong.append(f"{self.reader}: {method} {path} {json.dumps(body or '')[:120]} "
                              f"{accept}: {sorted(name.decode() for name in found)}")
        return answer

    def alike(self, method: str, path: str, other: str, body=None, same=None):
        """A hidden record is answered like one that is not there."""
        one, absent = self.ask(method, path, body), self.ask(method, other, same)
        if one.status != absent.status:
            self.wrong.append(f"{self.reader}: {method} {path} {body or ''} is answered with "
                              f"{one.status}, and {other} {same or ''} with {absent.status}")


def accepts(operation: dict) -> list[str]:
    content = operation.get("responses", {}).get("200", {}).get("content", {})
    return [kind for kind in content if kind not in ("application/problem+json", "*/*")] or [""]


def walk(house: House, description: dict, role: str, reading: Walk, hidden: dict):
    site = f"/v1/sites/{SITE}"
    for path, methods in description["paths"].items():
        get = methods.get("get")
        if get is None or role not in get["x-roles"] and "anonymous" not in get["x-roles"]:
            continue
        # A device learns the addresses of access points that it may send, without their places.
        if path.endswith("/settings"):
            continue
        if role == "analyst" and any(part in path for part in OF_RADIO_MAP):
            continue
        for accept in accepts(get):
            read(house, path, accept, reading, hidden)
    for version in ("1", "2"):
        for kind in planted.IDS:
            reading.ask("GET", f"{site}/{kind}?version={version}")
        reading.ask("GET", f"{site}?version={version}")
        reading.ask("GET", f"{site}/versions/{version}")
    if role == "anonymous":
        for kind in planted.IDS:
            for version, status in (("1", 403), ("test", 403), ("2", 200)):
                # Some kinds are for nobody without an account.
                is_open = reading.ask("GET", f"{site}/{kind}").is_good
                answer = reading.ask("GET", f"{site}/{kind}?version={version}")
                if is_open and answer.status != status:
                    reading.wrong.append(f"{kind} of version {version}: {answer.status}")
    for words in ("vault", "zq", "cell", "office", "room", "desk", "gate", "shaft"):
        reading.ask("GET", f"{site}/search?q={words}&limit=50")
    for floor in (planted.GROUND, planted.UPPER, planted.CLOSED):
        for accept in ("image/svg+xml", "application/geo+json"):
            for language in ("en", "cy"):
                reading.ask("GET", f"{site}/floors/{floor}/map?language={language}", accept=accept)
        for language in ("en", "cy"):
            reading.ask("GET", f"{site}/floors/{floor}/map/part?language={language}")
    squares(reading, site)
    named(reading, site, hidden)
    asked(reading, hidden)
    shared(reading, site)


def read(house: House, path: str, accept: str, reading: Walk, hidden: dict):
    """One reading operation, for everything that it may be asked about."""
    path = path.replace("{site}", SITE).replace("{floor}", planted.GROUND)
    path = path.replace("{hash}", house.secret).replace("{version}", "2")
    path = path.replace("{scanner}", "phone").replace("{secret}", "none")
    if "{zoom}" in path:
        return None
    if path.endswith("/stream"):
        return reading.ask("GET", f"{path}?site={SITE}&since=2020-01-01T00:00:00Z", accept=accept,
                           seconds=4)
    if "{id}" not in path:
        joint = "&" if "?" in path else "?"
        reading.ask("GET", path, accept=accept)
        return reading.ask("GET", f"{path}{joint}site={SITE}", accept=accept)
    ids = ["hall", "lab", "quiet", "landing", "lift", "desk", "open", "office", "welcome"]
    if path.startswith("/v1/positions/"):
        ids = house.position_ids
    for one in ids:
        reading.ask("GET", path.replace("{id}", one), accept=accept)


def squares(reading: Walk, site: str):
    """All parts of the map outdoors, and one more around them on each side."""
    box = (reading.ask("GET", f"{site}/map/overview").json or {}).get("outdoors", {}).get("box")
    if not box:
        return
    for zoom in range(8, 16):
        (left, bottom), (right, top) = square(box[:2], zoom), square(box[2:], zoom)
        for x in range(left - 1, right + 2):
            for y in range(top - 1, bottom + 2):
                for language in ("en", "cy"):
                    reading.ask("GET", f"{site}/map/parts/{zoom}/{x}/{y}?language={language}")


def square(place: list[float], zoom: int) -> tuple[int, int]:
    """The square of Web Mercator that has a place, given by longitude and latitude."""
    down = 0.5 - math.asinh(math.tan(math.radians(place[1]))) / (2 * math.pi)
    return int((place[0] + 180) / 360 * 2 ** zoom), int(down * 2 ** zoom)


def named(reading: Walk, site: str, hidden: dict):
    """Records that are named by their ids, alone and in filters."""
    for kind, ids in hidden.items():
        absent = ABSENT.get(kind, "no-such")
        for one in ids:
            reading.alike("GET", f"{site}/{kind}/{one}", f"{site}/{kind}/{absent}")
    for one in hidden["rooms"]:
        for rest in ("timetable", "availability"):
            reading.alike("GET", f"{site}/rooms/{one}/{rest}", f"{site}/rooms/no-such/{rest}")
        reading.alike("GET", f"{site}/rooms?room={one}", f"{site}/rooms?room=no-such")
        reading.alike("GET", f"{site}/rooms/free?near=room:{one}",
                      f"{site}/rooms/free?near=room:no-such")
        for path in ("positions", "visits", "counts", "positions-smoothed"):
            reading.alike("GET", f"/v1/{path}?site={SITE}&zone={one}",
                          f"/v1/{path}?site={SITE}&zone=no-such")
        hours = "from=2026-11-21T08:00:00Z&until=2026-11-21T09:00:00Z"
        reading.alike("GET", f"{site}/room-hours?{hours}&room={one}",
                      f"{site}/room-hours?{hours}&room=no-such")
    for one in hidden["floors"]:
        for rest in ("map", "map/part"):
            reading.alike("GET", f"{site}/floors/{one}/{rest}", f"{site}/floors/no-such/{rest}")
        reading.alike("GET", f"{site}/search?q=a&floor={one}", f"{site}/search?q=a&floor=no-such")
        for rest in ("replay?from=2026-11-21T08:00:00Z",
                     "room-hours?from=2026-11-21T08:00:00Z&until=2026-11-21T09:00:00Z"):
            reading.alike("GET", f"{site}/{rest}&floor={one}", f"{site}/{rest}&floor=no-such")
    for one in hidden["connections"]:
        reading.alike("GET", f"/v1/outages?site={SITE}&connection={one}",
                      f"/v1/outages?site={SITE}&connection=no-such")
    reading.ask("GET", f"{site}/network?building=house")
    if hidden["floor-plans"]:
        reading.alike("GET", f"/v1/media/{reading.house.secret}", f"/v1/media/{'0' * 64}")


def asked(reading: Walk, hidden: dict):
    """Questions that are POSTs for their length: routes, guidance, times and positions."""
    rooms = ["hall", "lab", "quiet", "landing"]
    for start in rooms + [{"latitude": 51.50003, "longitude": -0.0999, "level": "G"}]:
        place = {"room": start} if isinstance(start, str) else start
        for end in ({"room": "lab"}, {"room": "quiet"}, {"kind": "lab"}, {"room": "landing"},
                    {"entry": "office"}, {"zone": "open"}):
            for profile in ("walking", "step-free-strict"):
                reading.ask("POST", "/v1/routes", {
                    "site": SITE, "from": place, "to": [end], "profile": profile,
                    "alternatives": 3})
        reading.ask("POST", "/v1/guidance", {"site": SITE, "position": place, "cards": 30})
    for room in hidden["rooms"]:
        def way(to: str) -> dict:
            return {"site": SITE, "from": {"room": "hall"}, "to": [{"room": to}]}
        reading.alike("POST", "/v1/routes", "/v1/routes", way(room), way("no-such"))
        def times(to: str) -> dict:
            return {"site": SITE, "from": {"room": "hall"}, "rooms": ["lab", to]}
        reading.ask("POST", "/v1/travel-times", times(room))
    reading.ask("POST", "/v1/routes", {
        "site": SITE, "from": {"device": "phone"}, "to": [{"room": "lab"}]})
    for x, y in [(4, 4), (20, 4), (12, 12), (4, 12)]:
        reading.ask("POST", "/v1/locate", scan(x, y) | {"site": SITE})
        reading.ask("POST", "/v1/locate", scan(x, y) | {"site": SITE, "memory": ""})


def shared(reading: Walk, site: str):
    """Places that are shared over the whole site are looked at, as an answer and as a page."""
    begun = reading.ask("POST", f"{site}/shared-position")
    secret = (begun.json or {}).get("secret") if begun.status == 201 else None
    if not secret:
        return
    for floor in (planted.GROUND, *planted.IDS["floors"]):
        # From the site's origin in steps of four metres.
        for step in range(4):
            place = {"latitude": 51.5 + 4 * step / 111_250, "longitude": -0.1 + 8 * step / 69_440}
            reading.ask("PUT", f"{site}/shared-position", place | {
                "secret": secret, "state": "located", "floor": floor, "radiusMetres": 3})
            reading.ask("GET", f"{site}/shared-positions/{secret}")
            reading.ask("GET", f"/s/{SITE}?shared={secret}")
    reading.ask("DELETE", f"{site}/shared-position")


def readers(house: House) -> list[tuple[str, str, dict]]:
    answer = house.send("POST", "/v1/session/anonymous")
    control(answer.status == 201, f"begins a session: {answer}")
    session = {"cookie": answer.headers["set-cookie"].split(";")[0],
               "x-change-token": answer.json["changeToken"]}
    tokens = [(role, role, {"authorization": f"Bearer {house.tokens[role]}"})
              for role in ("visitor", "device", "tester", "locate-only", "analyst")]
    return [("anonymous session", "anonymous", session), *tokens]


def unreachable(house: House, description: dict) -> list[str]:
    """The planted names that not even an editor reads in the same walk: nothing was proved of them."""
    everything = re.compile(NAME.pattern, re.IGNORECASE)
    reading = Walk(house, "editor", {"authorization": f"Bearer {house.owner}"}, everything)
    walk(house, description, "administrator", reading, planted.IDS)
    wanted = {f"zq{number:02}".encode() for number in range(1, 57) if number != 53}
    print(f"editor: {reading.asked} requests, {reading.answered} answered, {len(reading.seen)} names "
          "seen", file=sys.stderr, flush=True)
    return [f"nobody reads {name.decode()}" for name in sorted(wanted - reading.seen)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder with the program whereabouts")
    parser.add_argument("--planted", default="", choices=["", "public-room"])
    parser.add_argument("--keep", action="store_true", help="keeps the folder with the logs")
    options = parser.parse_args()
    description = json.loads((ROOT / "docs/openapi.json").read_text())
    folder = pathlib.Path(tempfile.mkdtemp(prefix="planted-"))
    folder.chmod(0o755)
    house = PlantedHouse(options.bin, folder)
    house.opened = "zq02room" if options.planted else ""
    wrong, asked_in_all, good = [], 0, 0
    try:
        house.start({"WHEREABOUTS_FEED_NETWORKS": "127.0.0.0/8"})
        positions = house.get(f"/v1/positions?site={SITE}", house.owner, {"accept": "application/json"})
        house.position_ids = [one["id"] for one in positions.json][:20]
        wrong += unreachable(house, description)
        for reader, role, headers in readers(house):
            names = set(planted.HIDDEN) if role == "analyst" else None
            secret = re.compile(
                "|".join(names).encode() if names else NAME.pattern, re.IGNORECASE)
            hidden = {kind: [one for one in ids if secret.search(one.encode())]
                      for kind, ids in planted.IDS.items()}
            reading = Walk(house, reader, headers, secret)
            walk(house, description, role, reading, hidden)
            if reading.answered < 20 and role != "locate-only":
                wrong.append(f"{reader}: only {reading.answered} answers were good")
            print(f"{reader}: {reading.asked} requests, {reading.answered} answered, "
                  f"{len(reading.wrong)} wrong", file=sys.stderr, flush=True)
            wrong += reading.wrong
            asked_in_all, good = asked_in_all + reading.asked, good + reading.answered
        house.check_alive()
    finally:
        house.stop()
        if options.keep:
            print(f"kept: {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    for one in wrong[:100]:
        print(f"WRONG {one}", file=sys.stderr)
    print(json.dumps({"requests": asked_in_all, "answered": good, "wrong": wrong[:100]}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
