"""D1 to D5: what the review suspected and could not show by reading.

D1 malformed bodies, D2 heavy questions, D3 streams that begin in the past, D4 DATABASE_URL in the
log, D5 a proxy of the environment that gets to see the services' secret.
"""

import contextlib
import http.server
import json
import pathlib
import socket
import subprocess
import threading
import time

import programs
from house_of_attacks import SECRET, attack, control, document, refuse, scan
from servers import free_ports

# No answer that others wait for may take longer.
PATIENCE = 5.0
# The processor time of the whole server while it answers one request. The server answers others meanwhile, and
# this is a build for tests.
MOST_SECONDS = 5.0


@contextlib.contextmanager
def others(house, token: str = ""):
    """Asks meanwhile for what others need; gives the longest wait, and what was refused."""
    token = token or house.tokens["device-b"]
    found = {"most": 0.0, "asked": 0, "bad": []}
    stop = threading.Event()

    def run():
        while not stop.is_set():
            for method, path, body in [("GET", "/healthz", None), ("GET", "/v1/limits", None),
                                       ("POST", "/v1/scans", scan(5, 4))]:
                began = time.monotonic()
                answer = house.send(method, path, token, body, seconds=30)
                found["most"] = max(found["most"], time.monotonic() - began)
                found["asked"] += 1
                if answer.status not in (200, 202, 429):
                    found["bad"].append(f"{path}: {answer}")
                # Within what a device may send in a second.
                stop.wait(0.4)
    prober = threading.Thread(target=run, daemon=True)
    prober.start()
    try:
        yield found
    finally:
        stop.set()
        prober.join(40)


def are_served(found: dict, what: str):
    control(found["asked"] >= 2, f"others asked {found['asked']} times")
    refuse(found["most"] < PATIENCE, f"{what}: others waited {found['most']:.1f} s")
    refuse(not found["bad"], f"{what}: others got {found['bad'][:3]}")


def together(calls: list, at_once: int) -> list:
    """What the calls give, so many of them at a time."""
    left, found, lock = list(enumerate(calls)), [None] * len(calls), threading.Lock()

    def run():
        while True:
            with lock:
                if not left:
                    return
                number, call = left.pop()
            found[number] = call()
    threads = [threading.Thread(target=run, daemon=True) for _ in range(at_once)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    return found


# D1: bodies that are wrong, and long to look through.

FULL = 4 << 20


def filled(start: bytes, part: bytes, end: bytes, size: int = FULL - 64) -> bytes:
    return start + part * ((size - len(start) - len(end)) // len(part)) + end


def malformed() -> dict[str, bytes]:
    one = json.dumps(scan(5, 4)).encode()
    return {
        "wrong at its end": filled(b"[", one + b",", b"}"),
        "deep": b"[" * (FULL - 64),
        "deep objects": filled(b"", b'{"wifi":', b""),
        "a string that never ends": filled(b'{"device":"', b"\\u0041", b""),
        "one number": filled(b'{"wifi":[{"rssi":-', b"9", b"}]}"),
        "one exponent": filled(b'{"steps":1e', b"0", b"x}"),
        "one name over and over": filled(b"{", b'"wifi":[],', b'"x":}'),
        "names without end": filled(b"{", b'"aaaaaaaa":0,', b'"x":}'),
        "broken lines": filled(b"", b"{\n", b""),
        "good and broken lines": filled(one + b"\n", b'{"wifi":\n', b""),
        "commas": filled(b"[", b"{},", b"{}"),
        "blanks": filled(b"", b" \n", b"{"),
        "no UTF-8 at its end": filled(b'[{"device":"', b"\xc3\xa4", b'\xff"}]'),
        "zeros": bytes(FULL - 64),
    }


@attack("D1", "long malformed scans, and a last byte that spoils them")
def malformed_scans(house):
    # A quota that lets such bodies through to the reader.
    token = house.token("device", "a", device="d1-sender", quota={
        "recordsPerSecond": 1_000_000, "burst": 1_000_000, "bytesPerSecond": 1_000_000_000})
    with others(house) as found:
        for name, body in malformed().items():
            before, began = house.processor_seconds(), time.monotonic()
            answer = house.send("POST", "/v1/scans", token, body)
            used = house.processor_seconds() - before
            control(answer.status in (400, 413, 202), f"{name}: {answer}")
            refuse(answer.status != 202 or (answer.json["accepted"] < 1_001 and name in (
                "commas", "good and broken lines")), f"{name}: {answer}")
            # Other tests share the machine, so an answer may be long in coming.
            taken = time.monotonic() - began
            refuse(used < MOST_SECONDS and taken < 4 * PATIENCE,
                   f"{name} took {used:.1f} s of a core and {taken:.1f} s")
            refuse(len(answer.body) < 200_000, f"{name}: the answer has {len(answer.body)} bytes")
    are_served(found, "malformed scans")
    refuse(house.query("SELECT 1 FROM locator.positions WHERE device = 'd1-sender'") == [],
           "a part of a malformed body became positions")


@attack("D1", "many of them at once, also from strangers")
def malformed_at_once(house):
    before = house.memory()
    bodies = malformed()
    token = house.token("device", "a", device="d1-many", quota={
        "recordsPerSecond": 1_000_000, "burst": 1_000_000, "bytesPerSecond": 1_000_000_000})
    calls = [lambda body=body, who=who: house.send("POST", "/v1/scans", who, body)
             for who in (token, "", "wrong-token") for body in bodies.values()]
    with others(house) as found:
        answers = together(calls, 16)
    are_served(found, "malformed scans at once")
    good = [answer for answer in answers[len(bodies):] if answer.is_good]
    refuse(not good, f"taken from strangers: {good[:2]}")
    time.sleep(1)
    refuse(house.memory() - before < 300 << 20,
           f"{(house.memory() - before) >> 20} MiB are kept afterwards")


@attack("D1", "the same where other bodies are read: sites, files, routes, tokens")
def malformed_elsewhere(house):
    admin = house.tokens["administrator-b"]
    bodies = malformed()
    chosen = [bodies[name] for name in ("deep", "one number", "names without end", "blanks",
                                        "one name over and over", "a string that never ends")]
    places = [("PUT", "/v1/sites/b?version=draft"), ("PATCH", "/v1/sites/b"),
              ("PUT", "/v1/sites/b/rooms/a"), ("POST", "/v1/sites/b/imports?format=geojson"),
              ("POST", "/v1/sites/b/imports?format=rooms"), ("POST", "/v1/tokens"),
              ("POST", "/v1/sites/b/imports?format=imdf"), ("POST", "/v1/locate"),
              ("POST", "/v1/routes"), ("POST", "/v1/session"), ("POST", "/v1/media")]
    with others(house) as found:
        for method, path in places:
            for body in chosen:
                before = house.processor_seconds()
                answer = house.send(method, path, admin, body, {"if-match": "*"})
                used = house.processor_seconds() - before
                refuse(400 <= answer.status < 500 or answer.status == 0,
                       f"{method} {path} {body[:20]!r}: {answer}")
                refuse(used < MOST_SECONDS, f"{method} {path} {body[:20]!r}: {used:.1f} s of a core")
    are_served(found, "malformed bodies elsewhere")
    name = house.get("/v1/sites/b", house.owner).json["name"]
    refuse(name == document("b")["name"], f"the site is called {name} now")


# D2: questions that cost much, asked over and over.

def large_site(house) -> tuple[str, str]:
    """A site of 900 rooms with doors all round; its administrator and a visitor."""
    if "d2" not in house.tokens:
        side, whole = 30, document("d2")
        whole["rooms"] = [{
            "id": f"r{x}-{y}", "floor": "ground", "name": f"Room {x}.{y}", "kind": "lab",
            "outline": [
                [4 * x, 4 * y], [4 * x + 4, 4 * y], [4 * x + 4, 4 * y + 4], [4 * x, 4 * y + 4]]}
            for x in range(side) for y in range(side)]
        whole["locations"] = []
        whole["connections"] = [{"id": f"{kind}{x}-{y}", "kind": "door", "stops": [
            {"floor": "ground", "room": f"r{x}-{y}", "x": px, "y": py},
            {"floor": "ground", "room": other, "x": px, "y": py}]}
            for x in range(side) for y in range(side) for kind, other, px, py in (
                ("e", f"r{x + 1}-{y}", 4 * x + 4, 4 * y + 2),
                ("n", f"r{x}-{y + 1}", 4 * x + 2, 4 * y + 4))
            if (x if kind == "e" else y) + 1 < side]
        answer = house.send("PUT", "/v1/sites/d2", house.owner, whole)
        control(answer.is_good, f"a large site: {answer}")
        house.tokens["d2"] = house.token("administrator", "d2")
        house.tokens["d2-visitor"] = house.token("visitor", "d2")
        house.wait("routes know it", 20, lambda: house.send(
            "POST", "/v1/routes", house.tokens["d2-visitor"], way(1, 0)).is_good)
    return house.tokens["d2"], house.tokens["d2-visitor"]


def way(destinations: int, alternatives: int, number: int = 0) -> dict:
    return {"from": {"room": f"r0-{number % 30}"}, "alternatives": alternatives, "language": "de",
            "to": [{"room": f"r{29 - at % 8}-{at}"} for at in range(destinations)]}


def way_of_others(house):
    """Somebody of another site asks once for a way of two rooms."""
    began = time.monotonic()
    answer = house.send("POST", "/v1/routes", house.tokens["visitor-b"], {
        "from": {"room": "a"}, "to": [{"room": "b"}]})
    return answer, time.monotonic() - began


@attack("D2", "a visitor asks for many ways to many places at once")
def heavy_routes(house):
    _, visitor = large_site(house)
    began = time.monotonic()
    control(house.send("POST", "/v1/routes", visitor, way(8, 0)).is_good, "some ways are found")
    # A build without optimisation takes ten times as long, which is not what is asked here.
    places, more = (32, 4) if time.monotonic() - began < 0.2 else (8, 0)
    calls = [lambda number=number: house.send(
        "POST", "/v1/routes", visitor, way(places, more, number)) for number in range(80)]
    with others(house) as found:
        asking = threading.Thread(target=together, args=[calls, 40], daemon=True)
        asking.start()
        time.sleep(0.5)
        answer, seconds = way_of_others(house)
        asking.join(60)
    are_served(found, "routes")
    refuse(answer.is_good and seconds < PATIENCE, f"another's way after {seconds:.1f} s: {answer}")
    control(house.send("POST", "/v1/routes", visitor, way(places, more)).is_good, "ways are found")
    answer = house.send("POST", "/v1/routes", visitor, way(33, 4))
    refuse(not answer.is_good, f"33 places at once: {answer}")


@attack("D2", "an administrator has a large site reviewed, compared, drawn and exported at once")
def heavy_sites(house):
    admin, visitor = large_site(house)
    exports = [f"/v1/sites/d2/{rest}" for rest in (
        "review", "export?format=imdf", "export?format=geojson", "versions/1/compare/draft")]
    maps = [f"/v1/sites/d2/floors/ground/map?width=3200&language=x{number}" for number in range(20)]
    picture = {"accept": "image/png"}
    calls = [lambda path=path: house.get(path, admin, picture if "map?" in path else None)
             for path in exports * 12 + maps]
    before = house.memory()
    with others(house) as found:
        asking = threading.Thread(target=together, args=[calls, 48], daemon=True)
        asking.start()
        time.sleep(0.5)
        began = time.monotonic()
        answer = house.get("/v1/sites/b/export?format=geojson", house.tokens["administrator-b"])
        seconds = time.monotonic() - began
        drawn = house.get("/v1/sites/b/floors/ground/map", house.tokens["visitor-b"], {
            "accept": "image/png"})
        asking.join(80)
    are_served(found, "exports and maps")
    refuse(answer.is_good and seconds < PATIENCE, f"another's export after {seconds:.1f} s: {answer}")
    refuse(drawn.is_good, f"another's map: {drawn}")
    refuse(house.memory() - before < 500 << 20, f"{(house.memory() - before) >> 20} MiB more")
    control(house.get(exports[0], admin).is_good, "a review is made")
    answer = house.get(exports[0], visitor)
    refuse(answer.status == 403, f"a visitor has a review made: {answer}")


@attack("D2", "an analyst has positions explained over and over, and asks for all that there is")
def heavy_explanations(house):
    control(house.locates(), "there is a position")
    names = [row[0] for row in house.query(
        "SELECT id FROM locator.positions WHERE site = 'a' ORDER BY located_at DESC LIMIT 20")]
    analyst = house.tokens["analyst-a"]
    paths = [f"/v1/positions/{name}/explain" for name in names] * 4 + [
        "/v1/positions?limit=10000", "/v1/visits?limit=10000", "/v1/positions/latest"] * 10
    with others(house) as found:
        answers = together([lambda path=path: house.get(path, analyst) for path in paths], 40)
    are_served(found, "explanations")
    explained = answers[:len(names) * 4]
    control(any(answer.is_good for answer in explained), f"some are explained: {answers[0]}")
    wrong = [answer for answer in answers if answer.status not in (200, 410, 429)]
    refuse(not wrong, f"{len(wrong)} failed: {wrong[:2]}")
    answer = house.get(paths[0], house.tokens["visitor-a"])
    refuse(answer.status == 403, f"a visitor has one explained: {answer}")


# D3: streams that begin far in the past.

def fill_positions(house, count: int = 60_000):
    """As many positions of a device of site `a` as some weeks bring, behind those that are there."""
    if "d3" in house.tokens:
        return
    house.tokens["d3"] = "filled"
    control(house.locates(), "there is a position")
    topic = house.query("SELECT id FROM log.topics WHERE name = 'whereabouts.positions'")[0][0]
    house.query(f"""
        WITH one AS (SELECT partition, key, value, headers FROM log.records_{topic}
                     WHERE value IS NOT NULL ORDER BY appended_at DESC LIMIT 1),
        room AS (UPDATE log.partitions p SET next_offset = next_offset + {count},
                     last_appended_at = greatest(clock_timestamp(), last_appended_at) FROM one
                 WHERE p.topic = {topic} AND p.partition = one.partition
                 RETURNING p.next_offset - {count} AS first, p.last_appended_at AS at)
        INSERT INTO log.records_{topic} (partition, "offset", appended_at, key, value, headers)
        SELECT one.partition, room.first + number - 1, room.at, one.key, one.value, one.headers
        FROM one, room, generate_series(1, {count}) AS number""")


@contextlib.contextmanager
def streams(house, tokens: list[str], rest: str = "?since=2000-01-01T00:00:00Z", headers: str = ""):
    """Streams that are opened and of which nothing is read."""
    opened = []
    try:
        for token in tokens:
            stream = house.connect(20)
            stream.sendall(f"GET /v1/positions/stream{rest} HTTP/1.1\r\nHost: x\r\n{headers}"
                           "Connection: close\r\n"
                           f"Authorization: Bearer {token}\r\n\r\n".encode())
            opened.append(stream)
        yield opened
    finally:
        for stream in opened:
            stream.close()


def ends_within(stream: socket.socket, seconds: float) -> bool:
    """Whether the server ends the stream, whatever still comes until then."""
    deadline = time.monotonic() + seconds
    stream.settimeout(1)
    while time.monotonic() < deadline:
        try:
            if not stream.recv(1 << 20):
                return True
        except TimeoutError:
            continue
        except OSError:
            return True
    return False


def is_heeded(house, seconds: float = 10) -> float:
    """Seconds until a new token is known, and until it is refused after it was revoked."""
    began = time.monotonic()
    answer = house.send("POST", "/v1/tokens", house.owner, {"role": "visitor", "site": "b"})
    assert answer.is_good, f"no token is made: {answer}"
    made = answer.json
    house.wait("a new token holds", seconds, lambda: house.get("/v1/sites", made["token"]).is_good)
    gone = house.send("DELETE", f"/v1/tokens/{made['id']}", house.owner)
    control(gone.status == 204, f"the token is revoked: {gone}")
    house.wait("it is refused", seconds, lambda: house.get("/v1/sites", made["token"]).status == 401)
    return time.monotonic() - began


@attack("D3", "streams from the beginning of the log keep a revocation from being heeded")
def since_and_revocation(house):
    fill_positions(house)
    # A machine with other work is slow without any stream, too.
    alone = is_heeded(house, 60)
    most = max(2 * PATIENCE, 4 * alone)
    made = [house.issue("analyst", "a") for _ in range(12)]
    with streams(house, [one["token"] for one in made for _ in range(4)]) as opened:
        time.sleep(1)
        control(sum(stream.recv(15) == b"HTTP/1.1 200 OK" for stream in opened) >= 12, "they stream")
        try:
            seconds = is_heeded(house, most)
        except AssertionError as late:
            refuse(False, f"with {len(opened)} streams: {late}")
        refuse(seconds < most, f"a token took {seconds:.1f} s to hold and to be refused, "
               f"and {alone:.1f} s without streams")
        refuse(house.locates("b"), "no device of another site is located")


@attack("D3", "a stream that is behind goes on after its token was revoked")
def since_outlives_token(house):
    fill_positions(house)
    slow, device = house.issue("analyst", "a"), house.issue("device", "a", device="d3-device")
    revoked = [slow, device, house.issue("analyst", "a")]
    with streams(house, [slow["token"], device["token"]]) as reading, \
            streams(house, [revoked[2]["token"]], "") as live:
        time.sleep(1)
        for stream in reading + live:
            control(b"200" in stream.recv(15), "it streams")
        for one in revoked:
            gone = house.send("DELETE", f"/v1/tokens/{one['id']}", house.owner)
            control(gone.status == 204, f"the token is revoked: {gone}")
        for stream, name in zip(reading + live, ("behind", "of a device", "live")):
            refuse(ends_within(stream, 3 * PATIENCE), f"the stream that is {name} goes on")


@attack("D3", "a device reads others, or stops a server, by the id that a stream goes on from")
def since_by_event_id(house):
    fill_positions(house)
    device = house.token("device", "a", device="d3-other")
    control(house.locates(), "there are positions of others")
    partitions = int(house.query("SELECT partitions FROM log.topics WHERE name = "
                                 "'whereabouts.positions'")[0][0])
    ids = [".".join([number] * partitions) for number in ("0", "1", str(2**63 - 1), "-1", "9" * 30)]
    ids += ["0", ".".join(["0"] * (partitions + 1)), ".".join(["0"] * 9_000), "." * 100, "0.." * 40, ""]
    for name in ids:
        with streams(house, [device], "", f"Last-Event-ID: {name}\r\n") as opened:
            opened[0].settimeout(1.0)
            said = b""
            with contextlib.suppress(OSError):
                while len(said) < 1 << 16 and (part := opened[0].recv(65536)):
                    said += part
        refuse(b"position" not in said.partition(b"\r\n\r\n")[2] or b" 400 " in said[:20],
               f"Last-Event-ID {name[:60]} gives {said[:400]}")
    for time_text in ("0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
                      "1970-01-01T00:00:00%2B23:59", "-1"):
        with streams(house, [device], f"?since={time_text}&device=surveying&site=b") as opened:
            opened[0].settimeout(2)
            said = opened[0].recv(15)
        refuse(b"403" in said, f"another's stream: {said}")
    seconds = is_heeded(house)
    refuse(seconds < 2 * PATIENCE, f"afterwards tokens take {seconds:.1f} s")


# D4: the password in DATABASE_URL.

PARTS = ["Tr0ub4", "dor3zeta", "Hunter2x"]


def tells(house, url: str | None, **more: str) -> list[str]:
    """Parts of the password that a program prints which can't use the URL."""
    environment = house.environment | more
    environment.pop("DATABASE_URL")
    if url is not None:
        environment["DATABASE_URL"] = url
    said = ""
    for command in (["serve", "--check-config"], ["token", "create", "--role", "analyst", "--plain"]):
        done = subprocess.run(house.command(*command), env=environment, capture_output=True,
                              text=True, timeout=40, stdin=subprocess.DEVNULL)
        control(done.returncode != 0 or command[0] == "serve", f"{url} connects")
        said += done.stdout + done.stderr
    control(len(said) > 20, f"something is said of {url}: {said}")
    return [f"{part} in {said[:600]}" for part in PARTS if part.lower() in said.lower()]


@attack("D4", "a password with signs of its own makes parts of it a host, a port or a database")
def password_in_address(house):
    one, two, three = PARTS
    for password in (f"{one}/{two}@{three}", f"{one}@{two}/{three}", f"{one}#{two}?{three}",
                     f"{one}:{two}@{three}", f"{one}%{two}%zz{three}", f"{one}@[{two}]{three}",
                     f"{one}@{two}:{three}", f"1234/{two}@{three}", f"/{one}?{two}={three}",
                     f"{one}@{two}?{three}=x&", f"{one} {two}\t{three}", f"{one}\\{two}'{three}",
                     f"{one}@{two},{three}:1", f"{one}@127.0.0.1:1/{two}?host={three}&x=",
                     f"@{one}/{two}?a#"):
        for head in ("postgresql://w:", "postgresql:/w:"):
            found = tells(house, f"{head}{password}@127.0.0.1:1/whereabouts")
            refuse(not found, f"{head}{password}@…: {found}")


@attack("D4", "words of a connection string, its options and its file are quoted")
def password_in_words(house):
    one, two, three = PARTS
    file = house.folder / "database-url"
    for text in (f"host=127.0.0.1 port=1 password={one} {two} user=w", f"password='{one}",
                 f"host=127.0.0.1 port=1 password={one} {two}={three}", f"{one}{two}{three}",
                 f"postgresql://w@127.0.0.1:1/w?{one}={two}",
                 f"postgresql://w:{one}@127.0.0.1:1/w?connect_timeout={two}",
                 f"postgresql://w:{one}@127.0.0.1:1/w\n{two}\n",
                 f"DATABASE_URL=postgresql://w:{one}@h/w"):
        found = tells(house, text)
        refuse(not found, f"{text}: {found}")
        file.write_text(text)
        found = tells(house, None, DATABASE_URL_FILE=str(file))
        refuse(not found, f"a file with {text}: {found}")


@attack("D4", "a good address is quoted when the database is away, refuses or is lost")
def password_in_good_address(house):
    one, two, _ = PARTS
    port = free_ports(1)[0]
    folder = house.postgres.folder
    for url in (f"postgresql://w:{one}{two}@127.0.0.1:{port}/w?connect_timeout=2",
                f"postgresql://w:{one}{two}@no-such-host.invalid/w",
                f"postgresql://nobody:{one}{two}@/postgres?host={folder}",
                f"postgresql://whereabouts:{one}{two}@/nothing?host={folder}",
                f"postgresql://w:{one}{two}@/w?host=/nonexistent"):
        found = tells(house, url)
        refuse(not found, f"{url}: {found}")
        # A server that goes on trying says it more than once.
        log = house.folder / "without-database.log"
        with open(log, "wb") as out:
            running = subprocess.Popen(
                house.serve_command, stdout=out, stderr=out, stdin=subprocess.DEVNULL,
                env=house.environment | {"DATABASE_URL": url, "WHEREABOUTS_LOG_LEVEL": "debug",
                                         "WHEREABOUTS_LISTEN": f"127.0.0.1:{port}"})
            try:
                running.wait(timeout=0.8)
            except subprocess.TimeoutExpired:
                for path in ("/readyz", "/metrics"):
                    with contextlib.suppress(OSError), socket.create_connection(
                            ("127.0.0.1", port), timeout=2) as stream:
                        stream.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
                        out.write(stream.recv(65536))
            finally:
                running.kill()
                running.wait()
        said = log.read_text(errors="replace")
        refuse(one not in said and two not in said, f"{url}: {said[:600]}")


# D5: whom the services' secret is sent to.

def router(house) -> list[str]:
    """The program of that service alone."""
    return programs.command(house.programs, "router")


class Listener:
    """Answers HTTP, and remembers what it was told."""

    def __init__(self, status: int = 200, headers: dict | None = None):
        self.told: list[str] = []
        listener = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                length = int(self.headers.get("content-length") or 0)
                listener.told.append(f"{self.command} {self.path} {dict(self.headers)} "
                                     f"{self.rfile.read(length)!r}")
                self.send_response(status)
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            do_GET = do_POST = do_CONNECT = do_HEAD = answer

            def log_message(self, *_):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def knows(self, secret: str) -> bool:
        return any(secret in one for one in self.told)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@contextlib.contextmanager
def listeners(*arguments):
    made = [Listener(*one) for one in arguments]
    try:
        yield made
    finally:
        for one in made:
            one.close()


def start_apart(house, neighbour: str, **environment: str) -> str:
    """Starts a router whose other services are elsewhere, for a moment; what it printed."""
    port = free_ports(1)[0]
    names = ("SCAN_INGEST", "SITE_EDITOR", "FINGERPRINT_BUILDER", "LOCATOR")
    environment = house.environment | {f"WHEREABOUTS_{name}_URL": neighbour for name in names} | {
        "WHEREABOUTS_LISTEN": f"127.0.0.1:{port}"} | environment
    log = house.folder / "router.log"
    with open(log, "wb") as out:
        # The secret is shown to the neighbours when the settings are checked.
        subprocess.run([*router(house), "--check-config"], stdout=out, stderr=out, env=environment,
                       timeout=60)
        running = subprocess.Popen(router(house), stdout=out, stderr=out,
                                   stdin=subprocess.DEVNULL, env=environment)
        try:
            deadline = time.monotonic() + 20
            own, house.port = house.port, port
            try:
                while running.poll() is None and time.monotonic() < deadline:
                    if house.get("/readyz").status == 200:
                        # It asks the locator where the device is, with the caller's own token.
                        house.send("POST", "/v1/routes", house.tokens["device-a"], {
                            "from": {"device": "phone-a"}, "to": [{"room": "b"}]})
                        break
                    time.sleep(0.1)
            finally:
                house.port = own
        finally:
            running.terminate()
            running.wait(timeout=30)
    return log.read_text(errors="replace")


@attack("D5", "http_proxy of the environment gets the secret, and callers' tokens")
def proxy_of_environment(house):
    with listeners((), ()) as (neighbour, proxy):
        # A person's own commands go through the proxy: it would see what is sent to it.
        subprocess.run(house.command("versions", "--site", "a"), capture_output=True, timeout=60,
                       env=house.environment | {"http_proxy": proxy.url, "WHEREABOUTS_TOKEN": "x"})
        control(bool(proxy.told), "the proxy works")
        proxy.told.clear()
        said = start_apart(house, neighbour.url, http_proxy=proxy.url, HTTP_PROXY=proxy.url,
                           https_proxy=proxy.url, HTTPS_PROXY=proxy.url)
        control(neighbour.knows(SECRET), f"the neighbour is shown it: {neighbour.told} {said}")
        control(neighbour.knows(house.tokens["device-a"]), f"the locator is asked: {neighbour.told}")
        refuse(not proxy.told, f"the proxy was told {proxy.told}")


@attack("D5", "all_proxy, SOCKS and an empty no_proxy get it")
def proxy_by_other_names(house):
    with listeners((), ()) as (neighbour, proxy), socket.socket() as socks:
        socks.bind(("127.0.0.1", 0))
        socks.listen(5)
        socks.setblocking(False)
        for settings in ({"all_proxy": proxy.url, "ALL_PROXY": proxy.url, "no_proxy": "",
                          "NO_PROXY": ""},
                         {"ALL_PROXY": f"socks5h://127.0.0.1:{socks.getsockname()[1]}",
                          "http_proxy": f"socks5h://127.0.0.1:{socks.getsockname()[1]}"}):
            neighbour.told.clear()
            said = start_apart(house, neighbour.url, **settings)
            control(neighbour.knows(SECRET), f"the neighbour is shown the secret: {said}")
            refuse(not proxy.told, f"{settings}: the proxy was told {proxy.told}")
            try:
                stream, _ = socks.accept()
                stream.close()
                refuse(False, f"{settings}: the SOCKS proxy was asked")
            except BlockingIOError:
                pass


@attack("D5", "a neighbour's redirect or a settings file leads the secret elsewhere")
def secret_by_redirect(house):
    with listeners(()) as (stranger,):
        home = house.folder / "home"
        home.mkdir(exist_ok=True)
        (home / ".curlrc").write_text(f"proxy = {stranger.url}\n")
        (home / ".netrc").write_text("default login mallory password x\n")
        for status in (301, 302, 307, 305, 407):
            with listeners((status, {"location": f"{stranger.url}/", "proxy-authenticate": "Basic",
                                     "alt-svc": f'h2="{stranger.url[7:]}"'})) as (neighbour,):
                done = subprocess.run(
                    [*router(house), "--check-config"], timeout=60, capture_output=True, text=True,
                    env=house.environment | {
                        "WHEREABOUTS_LOCATOR_URL": neighbour.url, "HOME": str(home),
                        "CURL_HOME": str(home)})
                control(neighbour.knows(SECRET), f"the neighbour is shown the secret: {done.stderr}")
                refuse(not stranger.told, f"{status} leads to the stranger: {stranger.told}")
                refuse(SECRET not in done.stdout + done.stderr, "the secret is printed")
                refuse(not any("mallory" in one or "Basic" in one for one in neighbour.told),
                       f"a .netrc takes its place: {neighbour.told}")
