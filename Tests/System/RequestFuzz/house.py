"""The server that is asked: one process on a private PostgreSQL, with sites and tokens of every role."""

import json
import os
import pathlib
import random
import subprocess
import sys
import time
import urllib.error
import urllib.request

import programs
from people import People, exchange, session_headers
from servers import Postgres, end, free_ports
from things import IDS, PASSING, WELL, WILD, document, known, records, samples, scan

# The server keeps about 4,000 positions for streams, and the newest 2 MB of its log.
LAST_SCANS = 10_000
# `WILD` is asked as wildly as can be; `WELL` is left alone, and its device must always be located.


class House:
    def __init__(self, options, folder: pathlib.Path):
        self.programs = options.bin
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
            "WHEREABOUTS_OPEN_SITES": WILD,
            # Strangers come from addresses of their own, or one would lock all others out.
            "WHEREABOUTS_TRUSTED_PROXIES": "127.0.0.1",
            "WHEREABOUTS_SIGN_IN_PROXIES": "127.0.0.1",
            "WHEREABOUTS_SIGN_IN_GROUPS": f"staff=visitor@{WILD}",
        }
        self.planted = {"WHEREABOUTS_PLANTED": options.planted} if options.planted else {}
        if options.long:
            # glibc counts as in use what each thread keeps for its next allocations: up to 236 kB a
            # thread, and there are more threads after a busy time than before.
            self.environment["GLIBC_TUNABLES"] = "glibc.malloc.tcache_count=0"
        self.log = folder / "whereabouts.log"
        self.process = None
        self.tokens: dict[str, str] = {}
        # What each role shows: header fields.
        self.callers: dict[str, dict] = {}
        self.known: dict = {}

    def command(self, *arguments: str) -> list[str]:
        """`whereabouts` with arguments."""
        return [*programs.command(self.programs, "whereabouts"), *arguments]

    def start(self, roles: list[str]):
        environment = self.environment | self.planted
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                programs.command(self.programs, "serve"), stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, env=environment | {"WHEREABOUTS_LISTEN": f"127.0.0.1:{self.port}"})
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
        self.callers = {role: bearer(token) for role, token in self.tokens.items()}
        _, found, fields = exchange(self.port, "POST", "/v1/session/anonymous", {})
        self.callers["anonymous"] = session_headers(found, fields)
        self.helper = bearer(self.token("administrator", None))
        eventually("surveys are taken", 60, lambda: self.survey(0)[0] == 202)
        for number in range(1, 24):
            self.survey(number)
        self.furnish()
        eventually("there is a map", 120, lambda: (self.surveys() or 0) >= 24)
        eventually("the map is in use", 60, lambda: b'"radius68"' in self.send(
            "POST", "/v1/locate", self.device, scan(5, 4))[1])

    def furnish(self):
        """Gives the wild site one thing of each kind, and remembers what the server called it."""
        administrator, site = self.callers["administrator"], f"/v1/sites/{WILD}"
        picture, page = self.file("image/png"), self.file("application/pdf")
        for kind, record in records(picture):
            name = record.get("id") or record["address"]
            self.taken("PUT", f"{site}/{kind}/{name}", administrator, record)
        self.taken("POST", f"{site}/publish", administrator, {})
        self.taken("PUT", f"/v1/sites/{PASSING}", administrator, document())
        things = self.scanned() | {"media": [picture["hash"], page["hash"]]}
        order = {"role": "visitor", "site": WILD}
        for name, body in (
                ("tokens", order), ("invitations", {"grants": [order]}),
                ("outages", {"site": WILD, "connection": "door-ab", "reason": "stuck",
                             "reportedBy": "Anna"})):
            things[name] = [self.taken("POST", f"/v1/{name}", administrator, body)["id"]]
        barrier = {"kind": "door-locked", "place": {"connection": "door-ab"}}
        things["barriers"] = [
            self.taken("POST", f"{site}/barriers", administrator, barrier)["id"]]
        things["accounts"] = [People(self.port, self.helper, "house").join()[0]["id"]]
        kinds = {"geojson": "application/geo+json", "rooms": "text/csv",
                 "access-points": "text/csv", "imdf": "application/zip",
                 "osm": "application/vnd.openstreetmap.data+xml"}
        exports = [
            (name, kind, self.get(f"{site}/export?format={name}", self.tokens["administrator"])[1])
            for name, kind in kinds.items()]
        published = self.taken("GET", site, administrator)
        self.known = known(picture, things, published, exports)

    def fill(self):
        """Sends scans until the server's memories of what came last are full: they are bounded, and what
        fills them does not stay."""
        command = self.command("token", "create", "--plain", "--role", "gateway", "--site", WELL,
                   "--quota", "100000,1000000,1000000000")
        token = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=True
        ).stdout.split()[-1]
        generator = random.Random(2)
        for number in range(LAST_SCANS // 250):
            lines = [scan(generator.uniform(1, 19), generator.uniform(1, 7)) | {
                "device": f"fill-{generator.randrange(200)}", "scanner": "fill"} for _ in range(250)]
            body = "\n".join(json.dumps(line) for line in lines).encode()
            eventually(f"scans {number * 250} and on are taken", 60, lambda: self.send(
                "POST", "/v1/scans", token, body, {"content-type": "application/x-ndjson"})[0] == 202)
        eventually("they are located", 240, lambda: int(self.postgres.query(
            "SELECT count(*) FROM locator.positions WHERE device LIKE 'fill-%'")[0][0]) >= LAST_SCANS)

    def scanned(self) -> dict[str, list]:
        """Ids of what comes of scans and surveys of the wild site."""
        administrator, site = self.callers["administrator"], f"/v1/sites/{WILD}"
        # Who withdraws surveys later has made them, where there is such a role.
        surveyor, in_doubt = self.callers.get("surveyor", administrator), IDS[30:34]
        for number, one in enumerate(IDS[20:34]):
            # The last ones are far outside: somebody has to look at them.
            place = {"floor": "ground", "x": number + (500 if one in in_doubt else 1), "y": 4}
            self.taken("POST", "/v1/surveys", surveyor, scan(5, 4) | {
                "id": one, "site": WILD, "device": "pi-1", "scanner": "pi-1", "place": place})
        for one in IDS[:5]:
            self.taken("POST", "/v1/scans", self.callers["device"], scan(5, 4) | {
                "id": one, "site": WILD})

        def positions() -> list:
            return [row[0] for row in self.postgres.query(
                f"SELECT id FROM locator.positions WHERE site = '{WILD}'")]

        def radio_map() -> dict | None:
            return self.taken("GET", f"{site}/radio-map", administrator)["radioMap"]
        eventually("surveys are kept aside", 60, lambda: len(self.taken(
            "GET", f"{site}/survey-reviews", administrator)["surveys"]) == len(in_doubt))
        eventually("the wild site has a map", 60, radio_map)
        eventually("its scans are located", 60, lambda: len(positions()) == 5)
        return {"survey-reviews": in_doubt, "radio-maps": [radio_map()["hash"]],
                "positions": positions()}

    def taken(self, method: str, path: str, caller: dict, body=None) -> dict:
        """What the server says when it takes something; until it knows the token it does not."""
        deadline = time.monotonic() + 30
        while True:
            status, found, _ = exchange(self.port, method, path, caller | {"if-match": "*"}, body)
            if 200 <= status < 300:
                return found
            if time.monotonic() > deadline:
                raise SystemExit(f"{method} {path} was answered with {status}: {found}")
            time.sleep(0.3)

    def file(self, kind: str) -> dict:
        """How a small file of this type is named after it was sent."""
        status, body = self.send(
            "POST", f"/v1/media?site={WILD}", self.tokens["administrator"], samples()[kind],
            {"content-type": kind})
        if status not in (200, 201):
            raise SystemExit(f"a file was answered with {status}: {body}")
        return json.loads(body)["media"]

    def token(self, role: str, site: str | None, device: str = "pi-1") -> str:
        command = self.command("token", "create", "--plain", "--role", role)
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
            self.url + path, body if body is None or isinstance(body, bytes)
            else json.dumps(body).encode(), method=method,
            headers={"content-type": "application/json"} | (headers or {})
            | (bearer(token) if token else {}))
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
        status = end(self.process)
        self.postgres.stop()
        return status


def bearer(token: str) -> dict:
    return {"authorization": f"Bearer {token}"}


def eventually(what: str, seconds: float, test):
    print(f"waiting until {what}", file=sys.stderr, flush=True)
    deadline = time.monotonic() + seconds
    while not test():
        if time.monotonic() > deadline:
            raise SystemExit(f"not within {seconds} s: {what}")
        time.sleep(0.3)
