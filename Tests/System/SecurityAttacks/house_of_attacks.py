"""The house that is attacked: one `whereabouts serve` on a private PostgreSQL, with two sites.

Sites `a` and `b` belong to different people. An attack is a function that takes the house:

    @attack("A1", "a token of one site makes one for all sites")
    def makes_one_for_all(house):
        ...
        refuse(answer.status in (401, 403), "what the attacker gained")

It raises Through with what got through. Attacks with the same `settings` share a server.
"""

import dataclasses
import http.client
import json
import os
import pathlib
import socket
import subprocess
import sys
import time
import typing

for folder in ("FaultTest", "RequestFuzz"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / folder))

import programs  # noqa: E402
from servers import Postgres, end, free_ports  # noqa: E402
from things import scan  # noqa: E402, F401

ROOT = pathlib.Path(__file__).resolve().parents[3]
SITES = ("a", "b")
SECRET = "attack-service-secret-0123456789abcdef"
ATTACKS: list["Attack"] = []


class Through(AssertionError):
    """What the attacker gained."""


@dataclasses.dataclass
class Attack:
    finding: str
    says: str
    settings: dict
    run: typing.Callable
    is_long: bool = False

    @property
    def name(self) -> str:
        return f"{self.finding}: {self.says}"


def patience(seconds: float) -> float:
    """Longer by as many times as more programs want a processor than there are processors. Other suites
    run beside this one."""
    return seconds * max(1, os.getloadavg()[0] / os.cpu_count())


def attack(finding: str, says: str, settings: dict | None = None, is_long: bool = False):
    def register(function):
        ATTACKS.append(Attack(finding, says, settings or {}, function, is_long))
        return function
    return register


def refuse(holds: bool, gained: str):
    """The attack got through if it does not hold."""
    if not holds:
        raise Through(gained)


def control(holds: bool, what: str):
    """The rightful one must get the same; else the attack proves nothing."""
    if not holds:
        raise AssertionError(f"positive control failed: {what}")


class Answer:
    def __init__(self, status: int, headers=None, body: bytes = b""):
        self.status, self.body = status, body
        self.headers = {name.lower(): value for name, value in (headers or [])}

    @property
    def is_good(self) -> bool:
        return 200 <= self.status < 300

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class House:
    def __init__(self, binaries: str, folder: pathlib.Path):
        self.programs = binaries
        self.folder = folder
        self.postgres = Postgres(folder)
        self.log = folder / "whereabouts.log"
        self.process = None
        self.is_furnished = False
        self.tokens: dict[str, str] = {}
        self.made = 0
        self.listen()

    def command(self, *arguments: str) -> list[str]:
        """`whereabouts` with arguments."""
        return [*programs.command(self.programs, "whereabouts"), *arguments]

    @property
    def serve_command(self) -> list[str]:
        return programs.command(self.programs, "serve")

    def listen(self):
        self.port = free_ports(1)[0]
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"),
            "WHEREABOUTS_LOG": "postgres", "DATABASE_URL": self.postgres.url,
            "WHEREABOUTS_SERVICE_SECRET": SECRET, "WHEREABOUTS_LOG_LEVEL": "info",
            "WHEREABOUTS_LOG_FORMAT": "json", "WHEREABOUTS_MAP_QUIET": "1s",
            "WHEREABOUTS_QUALITY_QUIET": "3600s", "WHEREABOUTS_URL": self.url,
            "SWIFT_BACKTRACE": "enable=no",
        }

    # Start and stop.

    def start(self, settings: dict | None = None):
        """A value of None takes a setting away; FOLDER in one is the house's own folder."""
        self.settings = settings or {}
        environment = self.environment | {"WHEREABOUTS_LISTEN": f"127.0.0.1:{self.port}"}
        environment = {name: value.replace("FOLDER", str(self.folder)) for name, value
                       in (environment | self.settings).items() if value is not None}
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.serve_command, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                env=environment)
        self.wait("the server is ready", 120, lambda: self.get("/readyz").status == 200)
        if not self.is_furnished:
            self.furnish()

    def furnish(self):
        """Tokens, two sites, and a radio map of `a`."""
        # For all sites; the others are made by it, over HTTP.
        self.tokens["owner"] = self.command_token("administrator", None)
        self.wait("tokens are known", 60, lambda: self.get("/v1/sites", self.owner).is_good)
        for site in SITES:
            answer = self.send("PUT", f"/v1/sites/{site}", self.owner, document(site))
            control(answer.is_good, f"publishes {site}: {answer}")
            for role in ("administrator", "analyst", "surveyor", "visitor"):
                self.tokens[f"{role}-{site}"] = self.token(role, site)
            self.tokens[f"device-{site}"] = self.token("device", site, device=f"phone-{site}")
            # Surveys of a scanner are taken where it has a token.
            self.token("device", site, device=f"surveying-{site}")
        self.wait("surveys are taken", 60, lambda: self.survey(0).status == 202)
        for number in range(1, 24):
            self.survey(number)
        self.wait("there is a map", 60, lambda: ((self.get(
            "/v1/sites/a/radio-map", self.tokens["surveyor-a"]).json or {}).get("surveys") or 0) >= 24)
        self.wait("the map is in use", 60, lambda: b'"radius68"' in self.send(
            "POST", "/v1/locate", self.tokens["device-a"], scan(5, 4)).body)
        self.is_furnished = True

    def end(self) -> int | None:
        """Ends the server only; its status."""
        return end(self.process)

    def stop(self):
        self.end()
        self.postgres.stop()

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def wait(self, what: str, seconds: float, test):
        began = time.monotonic()
        while not (found := test()):
            if time.monotonic() - began > patience(seconds):
                raise AssertionError(f"not within {seconds} s: {what}")
            time.sleep(0.1)
        return found

    # Tokens.

    @property
    def owner(self) -> str:
        return self.tokens["owner"]

    def command_token(self, role: str, site: str | None, *more: str) -> str:
        """Made by the owner of the database, on the command line."""
        command = self.command("token", "create", "--plain", "--role", role, *more)
        if site:
            command += ["--site", site]
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout.split()[-1]

    def token(self, role: str, site: str | None, **members) -> str:
        """A new one, made by the owner over HTTP and known everywhere."""
        return self.issue(role, site, **members)["token"]

    def issue(self, role: str, site: str | None, by: str = "", **members) -> dict:
        body = {"role": role} | ({"site": site} if site else {}) | members
        answer = self.send("POST", "/v1/tokens", by or self.owner, body)
        control(answer.is_good, f"issues {body}: {answer}")
        made = answer.json
        self.wait("the token is known", 20, lambda: self.get(
            "/v1/sites", made["token"]).status != 401)
        return made

    # Requests.

    def send(self, method: str, path: str, token: str = "", body=None, headers=None,
             seconds: float = 30) -> Answer:
        """`body` is bytes, or a value that is sent as JSON. Status 0 for no answer."""
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        fields = ({} if body is None else {"content-type": "application/json"})
        fields |= {"authorization": f"Bearer {token}"} if token else {}
        fields |= headers or {}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            connection.request(method, path, body, fields)
            answer = connection.getresponse()
            return Answer(answer.status, answer.getheaders(), answer.read())
        except (OSError, http.client.HTTPException):
            return Answer(0)
        finally:
            connection.close()

    def get(self, path: str, token: str = "", headers=None, seconds: float = 30) -> Answer:
        return self.send("GET", path, token, None, headers, seconds)

    def connect(self, seconds: float = 30) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=seconds)

    def raw(self, data: bytes, seconds: float = 10) -> bytes:
        """What comes back within so many seconds, or until the server closes."""
        with self.connect(seconds) as stream:
            deadline = time.monotonic() + seconds
            found = b""
            try:
                stream.sendall(data)
                while time.monotonic() < deadline and (part := stream.recv(65536)):
                    found += part
            except OSError:
                pass
            return found

    def survey(self, number: int, site: str = "a", token: str = "", **members) -> Answer:
        x, y = 1 + number % 6 * 3, 1 + number // 6 % 4 * 2
        place = {"floor": "ground", "x": x, "y": y}
        return self.send("POST", "/v1/surveys", token or self.tokens[f"surveyor-{site}"],
                         scan(x, y) | {"device": f"surveying-{site}", "place": place} | members)

    def locates(self, site: str = "a", seconds: float = 30) -> bool:
        """Whether a scan of a good device still becomes a position: ingest, log and locator."""
        self.made += 1
        device = f"good-{self.made}-{os.getpid()}"
        token = self.token("device", site, device=device)
        def is_there():
            # The first one may have come before a restart's tokens.
            return self.send("POST", "/v1/scans", token, scan(5, 4)).status in (200, 202) \
                and (time.sleep(1) or self.positions(device) > 0)
        try:
            self.wait(f"{device} is located", seconds, is_there)
            return True
        except AssertionError:
            return False

    def positions(self, device: str) -> int:
        return int(self.query(
            f"SELECT count(*) FROM locator.positions WHERE device = '{device}'")[0][0])

    # What the attacker may have changed.

    def query(self, sql: str) -> list[list[str]]:
        return self.postgres.query(sql)

    def memory(self) -> int:
        """Bytes of the server that are in memory."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) * 1024

    def processor_seconds(self) -> float:
        """What the server has used of all cores until now."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def log_lines(self, since: int = 0) -> list[str]:
        """Lines that the server wrote behind that many bytes (`log_size`)."""
        with open(self.log, "rb") as log:
            log.seek(since)
            return log.read().decode(errors="replace").splitlines()

    def log_size(self) -> int:
        return self.log.stat().st_size if self.log.exists() else 0

    def metrics(self, name: str) -> dict[str, float]:
        """Values by label text."""
        values = {}
        for line in self.get("/metrics").body.decode(errors="replace").splitlines():
            if line.startswith(name):
                series, _, value = line.rpartition(" ")
                values[series.removeprefix(name)] = float(value)
        return values

    def check_alive(self):
        refuse(self.is_running, f"the process ended with {self.process.poll()}")
        health = self.get("/healthz", seconds=20)
        refuse(health.status == 200, f"the server is not healthy: {health}")


def document(name: str) -> dict:
    def room(name: str, x: float) -> dict:
        return {"id": name, "floor": "ground", "name": f"Room {name}", "kind": "lab",
                "outline": [[x, 0], [x + 10, 0], [x + 10, 8], [x, 8]]}
    return {
        "name": f"House {name}", "origin": {"latitude": 51.5, "longitude": -0.1},
        "bearingDegrees": 0,
        "buildings": [{"id": "house", "name": "House", "timeZone": "Europe/London"}],
        "floors": [{"id": "ground", "building": "house", "ordinal": 0, "level": "G"}],
        "rooms": [room("a", 0), room("b", 10)],
        "locations": [{"id": "a-1", "floor": "ground", "room": "a", "x": 5, "y": 4}],
        "connections": [{"id": "door-ab", "kind": "door", "stops": [
            {"floor": "ground", "room": "a", "x": 10, "y": 4},
            {"floor": "ground", "room": "b", "x": 10, "y": 4}]}],
    }
