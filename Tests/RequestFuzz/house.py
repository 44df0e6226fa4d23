"""The server that is asked: one process on a private PostgreSQL, with sites and tokens of every role."""

import io
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
import zlib

from servers import Postgres, free_ports

# Asked as wildly as can be; `WELL` is left alone, and its device must always be located.
WILD, WELL = "wild", "well"


class House:
    def __init__(self, options, folder: pathlib.Path):
        self.program = str(pathlib.Path(options.bin).resolve() / "whereabouts")
        self.postgres = Postgres(folder)
        port = free_ports(1)[0]
        self.url, self.port = f"http://127.0.0.1:{port}", port
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"),
            "WHEREABOUTS_LOG": "postgres", "DATABASE_URL": self.postgres.url,
            "WHEREABOUTS_SERVICE_SECRET": "request-fuzz-service-secret-0123456789",
            "WHEREABOUTS_LOG_LEVEL": "error", "WHEREABOUTS_REQUESTS_PER_SECOND": "0",
            "WHEREABOUTS_MAP_QUIET": "1s", "WHEREABOUTS_QUALITY_QUIET": "3600s",
            "WHEREABOUTS_URL": self.url, "SWIFT_BACKTRACE": "enable=yes,color=no",
        }
        self.planted = {"WHEREABOUTS_PLANTED": options.planted} if options.planted else {}
        self.log = folder / "whereabouts.log"
        self.process = None
        self.tokens: dict[str, str] = {}

    def start(self, roles: list[str]):
        environment = self.environment | self.planted
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "serve"], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                env=environment | {"WHEREABOUTS_LISTEN": f"127.0.0.1:{self.port}"})
        eventually("the server is ready", 240, lambda: self.get("/readyz")[0] == 200)
        # What is for all sites is asked of with a token for all of them.
        self.tokens["administrator"] = self.token("administrator", None)
        for role in set(roles) - {"administrator", "anonymous", "service"}:
            if token := self.token(role.removesuffix("-of-site"), WILD):
                self.tokens[role] = token
        if "service" in roles:
            self.tokens["service"] = self.environment["WHEREABOUTS_SERVICE_SECRET"]
        self.device = self.token("device", WELL, "good")
        self.surveyor = self.token("surveyor", WELL)
        # Surveys of a scanner are taken where it has a token.
        self.tokens.setdefault("device", self.token("device", WILD))
        eventually("tokens are known", 60, lambda: self.get("/v1/sites", self.surveyor)[0] == 200)
        for site in (WILD, WELL):
            eventually(f"{site} is published", 60, lambda: self.send(
                "PUT", f"/v1/sites/{site}", self.tokens["administrator"], document(),
                {"if-match": "*"})[0] < 300 or self.send(
                "PUT", f"/v1/sites/{site}", self.tokens["administrator"], document())[0] < 300)
        if "anonymous" in roles and self.get(f"/v1/sites/{WILD}")[0] == 200:
            self.tokens["anonymous"] = ""
        eventually("surveys are taken", 60, lambda: self.survey(0)[0] == 202)
        for number in range(1, 24):
            self.survey(number)
        eventually("there is a map", 120, lambda: (self.surveys() or 0) >= 24)
        eventually("the map is in use", 60, lambda: b'"lost"' not in self.send(
            "POST", "/v1/locate", self.device, scan(5, 4))[1])

    def token(self, role: str, site: str | None, device: str = "pi-1") -> str:
        command = [self.program, "token", "create", "--plain", "--role", role]
        if site:
            command += ["--site", site]
        if role in ("device", "scanner"):
            command += ["--device", device]
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=False)
        return done.stdout.split()[-1] if done.stdout.split() else ""

    def send(self, method: str, path: str, token: str = "", body=None, headers=None):
        """Status and JSON; status 0 for no answer."""
        request = urllib.request.Request(
            self.url + path, None if body is None else json.dumps(body).encode(), method=method,
            headers={"content-type": "application/json"} | (headers or {})
            | ({"authorization": f"Bearer {token}"} if token else {}))
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError:
            return 0, b""

    def get(self, path: str, token: str = ""):
        return self.send("GET", path, token)

    def survey(self, number: int):
        x, y = 1 + number % 6 * 3, 1 + number // 6 * 2
        place = {"floor": "ground", "x": x, "y": y}
        return self.send("POST", "/v1/surveys", self.surveyor, scan(x, y) | {
            "device": "good", "scanner": "good", "place": place})

    def surveys(self) -> int | None:
        """In the map that is in use."""
        status, body = self.get(f"/v1/sites/{WELL}/radio-map", self.surveyor)
        return json.loads(body).get("surveys") if status == 200 else None

    def metrics(self, name: str) -> dict[str, float]:
        """Values by label text."""
        status, body = self.get("/metrics")
        values = {}
        for line in body.decode(errors="replace").splitlines() if status == 200 else []:
            if line.startswith(name):
                series, _, value = line.rpartition(" ")
                values[series.removeprefix(name)] = float(value)
        return values

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def stop(self) -> int | None:
        """The status that the server ends with when it is asked to."""
        if self.is_running:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.postgres.stop()
        return self.process and self.process.returncode


def eventually(what: str, seconds: float, test):
    print(f"waiting until {what}", file=sys.stderr, flush=True)
    deadline = time.monotonic() + seconds
    while not test():
        if time.monotonic() > deadline:
            raise SystemExit(f"not within {seconds} s: {what}")
        time.sleep(0.3)


def scan(x: float, y: float) -> dict:
    corners = [(0, 0), (20, 0), (0, 8), (20, 8), (10, 4)]
    return {"wifi": [
        {"bssid": f"02:00:00:00:00:{number:02x}",
         "rssi": -int(40 + 2 * ((x - a) ** 2 + (y - b) ** 2) ** 0.5)}
        for number, (a, b) in enumerate(corners)]}


def document() -> dict:
    def room(name: str, x: float) -> dict:
        return {"id": name, "floor": "ground", "name": f"Room {name}", "kind": "lab",
                "outline": [[x, 0], [x + 10, 0], [x + 10, 8], [x, 8]]}
    return {
        "name": "House", "origin": {"latitude": 51.5, "longitude": -0.1}, "bearingDegrees": 0,
        "buildings": [{"id": "house", "name": "House", "timeZone": "Europe/London"}],
        "floors": [{"id": "ground", "building": "house", "ordinal": 0, "level": "G"}],
        "rooms": [room("a", 0), room("b", 10)],
        "locations": [{"id": "a-1", "floor": "ground", "room": "a", "x": 5, "y": 4}],
        "connections": [{"id": "door-ab", "kind": "door", "stops": [
            {"floor": "ground", "room": "a", "x": 10, "y": 4},
            {"floor": "ground", "room": "b", "x": 10, "y": 4}]}],
    }


def known() -> dict:
    """Things of the wild site by the names of the members and parameters that ask for them."""
    ids = [f"00000000-0000-7000-8000-{number:012x}" for number in range(40)]
    things = {
        "buildings": ["house"], "floors": ["ground"], "rooms": ["a", "b"], "locations": ["a-1"],
        "connections": ["door-ab"], "zones": ["z"], "beacons": ["b1"], "contents": ["c"],
        "directory": ["d"], "floor-plans": ["p"], "access-point-places": ["02:00:00:00:00:01"],
        "positions": ids, "outages": ids, "tokens": ids, "magnetic-routes": ["m"],
    }
    values = {"of " + name: ids for name, ids in things.items()}
    values |= {
        "site": [WILD], "floor": ["ground"], "building": ["house"], "room": ["a", "b"],
        "location": ["a-1"], "connection": ["door-ab"], "device": ["pi-1"], "scanner": ["pi-1"],
        "version": ["1", "2", "draft"], "other": ["a-1", "1"], "timeZone": ["Europe/London"],
        # Hidden networks announce as many zero bytes as their name has letters.
        "ssid": ["eduroam", "", "\0" * 8], "bssid": ["02:00:00:00:00:01"],
        "rssi": [-40, -62, -93, -120, 0], "id": ids,
        "x": [1, 5.5, 19], "y": [1, 4, 7.5], "outline": [[[0, 0], [4, 0], [4, 3], [0, 3]]],
        "format": ["geojson", "rooms", "access-points", "imdf"], "width": [100, 640],
        "language": ["en", "cy"], "at": ["2026-11-21T08:00:00Z"], "role": ["visitor"],
        "expiresAt": ["2027-01-01T00:00:00Z"], "latitude": [51.5], "longitude": [-0.1],
        "sample files": samples(),
    }
    for name in ("sentAt", "from", "until"):
        values[name] = ["2026-11-21T08:00:00Z"]
    return values


def samples() -> dict[str, bytes]:
    """A small file of each kind that may be sent as it is."""
    pixels = zlib.compress(b"\x00\xff\xff\xff")

    def chunk(name: bytes, data: bytes) -> bytes:
        whole = name + data
        return struct.pack(">I", len(data)) + whole + struct.pack(">I", zlib.crc32(whole))
    png = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
           + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr("manifest.json", '{"version": "1.0.0", "language": "en"}')
        files.writestr("venue.geojson", '{"type": "FeatureCollection", "features": []}')
    return {
        "image/png": png, "image/svg+xml": b"<svg xmlns='http://www.w3.org/2000/svg'><g/></svg>",
        "application/pdf": b"%PDF-1.4\n%%EOF\n", "audio/mpeg": b"ID3\x04" + b"\x00" * 30,
        "audio/ogg": b"OggS" + b"\x00" * 30, "application/zip": archive.getvalue(),
        "text/csv": b"id,floor,name\r\na,ground,Anna's room\r\n",
        "application/geo+json": b'{"type": "FeatureCollection", "features": []}',
        "image/jpeg": b"\xff\xd8\xff\xc0\x00\x11\x08\x00\x01\x00\x01\x03" + b"\x00" * 12,
    }
