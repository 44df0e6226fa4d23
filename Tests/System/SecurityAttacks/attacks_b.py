"""Attacks on the findings B1 to B13."""

import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import threading
import time
import uuid
import zlib

from attacks_a import fresh_device, produce, signed, signing_token
from house_of_attacks import ROOT, SECRET, attack, control, document, patience, refuse, scan

HERE = pathlib.Path(__file__).resolve().parent
# Behind a proxy at 127.0.0.1, with two foreign programs, and little patience.
PROXIED = {
    "WHEREABOUTS_TRUSTED_PROXIES": "127.0.0.1",
    "WHEREABOUTS_POSITIONERS":
        f"nosy=exec:exec {sys.executable} {HERE}/nosy.py FOLDER/nosy.json FOLDER/postgres/.s.PGSQL.5432",
    "PATH": f"FOLDER/bin:{os.environ['PATH']}",
    "WHEREABOUTS_REQUEST_TIMEOUT": "8s", "PGPASSWORD": "attack-password-of-the-database", "KAFKA_SASL_PASSWORD": "attack-password-of-kafka",
}


# B1: names of members that are escaped to their longest.


def keeps(house, path: str, token: str, method: str, body: bytes, headers=None):
    answer = house.send(method, path, token, body, {"if-match": "*"} | (headers or {}))
    refuse(answer.status not in (0, 500), f"{method} {body[:100]}: {answer}")
    return answer


@attack("B1", "a body whose length leaves no byte for the colon after an empty name")
def colon_after_empty(house):
    mine, path = house.tokens["administrator-b"], "/v1/sites/b/rooms/b1"
    for arrays in range(0, 60):
        for name, number in (("", "1e5"), ("", "1"), ("\\u0001", "1e15")):
            body = f'{{"b":{number},"c":[{",".join(["[]"] * arrays)}],"{name}":1}}'.encode()
            keeps(house, path, mine, "PUT", body)
            whole = {"floor": "ground", "name": "x", "kind": "lab",
                     "outline": [[0, 0], [4, 0], [4, 3]], "": 1, "properties": {
                         "b": 1e5, "c": [[]] * arrays, json.loads(f'"{name}"'): 1}}
            keeps(house, path, mine, "PUT", json.dumps(whole, separators=(",", ":")).encode())
    refuse(house.locates("b"), "no scan is located any more")


@attack("B1", "a merge patch with names that are all control characters, of all lengths")
def patched_names(house):
    mine, path = house.tokens["administrator-b"], "/v1/sites/b/rooms/b2"
    keeps(house, path, mine, "PUT", json.dumps({
        "floor": "ground", "name": "x", "kind": "lab", "outline": [[0, 0], [4, 0], [4, 3]]}).encode())
    kept = 0
    for length in [*range(0, 70), 127, 128, 255, 256, 511, 512, 1023, 4095]:
        name = "\u0001" * length
        for change in ({"properties": {"a": 1, name: 1}}, {name: {"a": 1}}, {"names": {name: name}}):
            answer = keeps(house, path, mine, "PATCH", json.dumps(change, separators=(",", ":")).encode(),
                           {"content-type": "application/merge-patch+json"})
            kept += answer.is_good
        back = house.get(path + "?version=draft", mine)
        refuse(back.status == 404 or back.json is not None, f"{length}: what comes back is no JSON: {back}")
    house.check_alive()


@attack("B1", "properties with such names go through an import and the exports")
def exported_names(house):
    mine = house.tokens["administrator-b"]
    for length in (1, 7, 8, 9, 63, 64, 65, 500):
        names = {chr(1) * length: 1, "": 2, "\"" * length: "\\" * length, "\u2028" * length: [[]] * length}
        feature = {"type": "Feature", "id": f"b3-{length}", "properties": {
            "record": "room", "id": f"b3-{length}", "floor": "ground", "name": "x", "kind": "lab"} | names, "geometry": {
                "type": "Polygon", "coordinates": [[[-0.1, 51.5], [-0.09995, 51.5], [-0.09995, 51.50003],
                                                    [-0.1, 51.5]]]}}
        answer = house.send("POST", "/v1/sites/b/imports?format=geojson", mine, json.dumps({
            "type": "FeatureCollection", "features": [feature]}).encode(),
            {"content-type": "application/geo+json"})
        control(answer.is_good, f"import {length}: {answer}")
        for form in ("geojson", "imdf", "rooms"):
            for version in ("", "&version=draft"):
                back = house.get(f"/v1/sites/b/export?format={form}{version}", mine)
                refuse(back.status not in (0, 500), f"export {form}: {back}")
                if form == "geojson" and back.is_good:
                    refuse(back.json is not None, f"the export is no JSON: {back.body[:500]}")
                    control(not version or f"b3-{length}".encode() in back.body, "it is in the export")
    house.check_alive()


# B2: a stream ends with its token.


class Stream(threading.Thread):
    """Follows positions and keeps what comes."""

    def __init__(self, house, token: str = "", headers: str = "", reads: bool = True):
        super().__init__(daemon=True)
        self.data, self.has_ended = b"", False
        self.socket = house.connect(60)
        field = f"Authorization: Bearer {token}\r\n" if token else ""
        self.socket.sendall(f"GET /v1/positions/stream HTTP/1.1\r\nHost: x\r\n{field}{headers}\r\n".encode())
        if reads:
            self.start()

    def run(self):
        try:
            # The last chunk ends the answer; the connection may stay for another request.
            while not self.data.endswith(b"\r\n0\r\n\r\n") and (part := self.socket.recv(65536)):
                self.data += part
        except OSError:
            pass
        self.has_ended = True

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()

    @property
    def status(self) -> int:
        return int(self.data[9:12]) if len(self.data) > 12 else 0


def moves_on(house, streams) -> tuple[str, bool]:
    """Positions of a device that is new; whether a stream of a good token shows it."""
    name, token = fresh_device(house)
    good = Stream(house, house.tokens["analyst-a"])
    house.wait("the good stream is there", 10, lambda: good.status == 200)
    house.send("POST", "/v1/scans", token, scan(5, 4))
    try:
        house.wait("the good stream shows it", 15, lambda: name.encode() in good.data)
        time.sleep(1)
        return name, True
    except AssertionError:
        return name, False
    finally:
        good.close()


def ends(house, streams: dict, end, within: float):
    for what, stream in streams.items():
        house.wait(f"{what} is there", 10, lambda: stream.status > 0)
        control(stream.status == 200, f"{what}: {stream.data[:300]}")
    end()
    time.sleep(within)
    name, is_shown = moves_on(house, streams)
    control(is_shown, "a good stream goes on")
    for what, stream in streams.items():
        refuse(name.encode() not in stream.data, f"{what} still shows {name}")
        refuse(stream.has_ended, f"{what} is still open")


@attack("B2", "a stream goes on after its token, or the token that issued it, was revoked")
def revoked_streams(house):
    parent = house.issue("administrator", "a")
    child = house.issue("analyst", "a", by=parent["token"])
    own = house.issue("analyst", "a")

    def end():
        for path in (f"{own['id']}", f"{parent['id']}?children=true"):
            answer = house.send("DELETE", f"/v1/tokens/{path}", house.owner)
            control(answer.status == 204, f"revokes: {answer}")
    ends(house, {"a revoked token's stream": Stream(house, own["token"]),
                 "a child's stream": Stream(house, child["token"]),
                 "the issuer's own stream": Stream(house, parent["token"])}, end, 6)


@attack("B2", "a stream goes on after its token's end, and begins anew with Last-Event-ID")
def expired_streams(house):
    soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=4)
    made = house.issue("analyst", "a", expiresAt=soon.strftime("%Y-%m-%dT%H:%M:%S.%fZ"))
    stream = Stream(house, made["token"])
    ends(house, {"an expired token's stream": stream}, lambda: time.sleep(4), 6)
    again = house.raw(
        f"GET /v1/positions/stream HTTP/1.1\r\nHost: x\r\nLast-Event-ID: 0\r\nAuthorization: Bearer "
        f"{made['token']}\r\nConnection: close\r\n\r\n".encode(), 3)
    refuse(b" 401 " in again[:20], f"it begins again: {again[:200]}")


@attack("B2", "a person's stream goes on after the account was ended, or has lost its role")
def ended_account(house):
    streams, accounts = {}, {}
    for name in (f"ended-{uuid.uuid4().hex[:6]}", f"poorer-{uuid.uuid4().hex[:6]}",
                 f"outside-{uuid.uuid4().hex[:6]}"):
        link = house.send("POST", "/v1/invitations", house.owner, {
            "grants": [{"role": "analyst", "site": "a"}]})
        control(link.status == 201, f"invites: {link}")
        joined = house.send("POST", "/v1/accounts", "", {
            "secret": link.json["link"].partition("#")[2].rpartition("=")[2], "signIn": name,
            "name": name, "password": "a long and odd one 4711 " + name})
        control(joined.is_good, f"joins: {joined}")
        cookie = joined.headers.get("set-cookie", "").partition(";")[0]
        streams[name] = Stream(house, headers=f"Cookie: {cookie}\r\n")
        people = house.get("/v1/accounts?limit=1000", house.owner).json["accounts"]
        accounts[name] = next(person["id"] for person in people if person.get("name") == name)
    ended, poorer, outside = accounts.values()

    def end():
        for answer in (house.send("DELETE", f"/v1/accounts/{ended}", house.owner),
                       house.send("PATCH", f"/v1/accounts/{poorer}", house.owner, {
                           "grants": [{"role": "visitor", "site": "a"}]}),
                       house.send("DELETE", f"/v1/accounts/{outside}/sessions", house.owner)):
            control(answer.is_good, f"changes the account: {answer}")
    ends(house, streams, end, 6)


# B3: streams of one.


@attack("B3", "one token opens as many streams as it can")
def many_streams(house):
    token = house.token("device", "a", device=f"greedy-{uuid.uuid4().hex[:6]}")
    streams = [Stream(house, token) for _ in range(150)]
    try:
        house.wait("all are answered", 15, lambda: all(stream.status for stream in streams))
        good = sum(stream.status == 200 for stream in streams)
        refuse(good <= 100, f"{good} streams of one token")
        _, is_shown = moves_on(house, {})
        refuse(is_shown, "nobody else follows positions")
    finally:
        for stream in streams:
            stream.close()
    house.wait("its places are free", 20, lambda: opens(house, token))


def opens(house, token: str) -> bool:
    stream = Stream(house, token)
    try:
        house.wait("it is answered", 5, lambda: stream.status)
        return stream.status == 200
    finally:
        stream.close()


@attack("B3", "streams that read the log from its beginning keep others from learning of tokens")
def old_streams(house):
    token = house.token("analyst", "a")
    partitions = int(house.query("SELECT partitions FROM log.topics WHERE name = 'whereabouts.positions'")[0][0])
    seen = Stream(house, token)
    moves_on(house, {})
    time.sleep(0.5)
    last = re.findall(rb"^id: ?(.+)$", seen.data, re.M)
    seen.close()
    control(bool(last), f"a stream has ids: {seen.data[:300]}")
    oldest = re.sub(rb"\d+", b"0", last[-1]).decode().strip()
    streams = [Stream(house, token, f"Last-Event-ID: {oldest}\r\n") for _ in range(90)]
    try:
        began = time.monotonic()
        house.token("visitor", "a")
        took = time.monotonic() - began
        refuse(took < patience(10), f"a new token is known after {took:.1f} s")
        refuse(house.locates(), f"no scan is located any more ({partitions} partitions)")
    finally:
        for stream in streams:
            stream.close()


@attack("B3", "streams that are never read fill the memory")
def unread_streams(house):
    before = house.memory()
    streams = [Stream(house, house.tokens["analyst-a"], reads=False) for _ in range(90)]
    name, token = fresh_device(house)
    try:
        for _ in range(4):
            house.send("POST", "/v1/scans", token, [scan(5, 4) for _ in range(12)])
            time.sleep(0.3)
        refuse(house.memory() - before < 128 << 20, f"{(house.memory() - before) >> 20} MiB")
        refuse(house.locates(), "no scan is located any more")
    finally:
        for stream in streams:
            stream.close()


# B4: what costs much.


EDITING = ("/v1/sites/a/export?format=imdf", "/v1/sites/a/export?format=geojson", "/v1/sites/a/review",
           "/v1/sites/a/versions/1/compare/1", "/v1/sites/a/versions/1/compare/draft")


@attack("B4", "everybody exports, reviews and compares, by any spelling")
def exports_of_all(house):
    for role in ("device-a", "visitor-a", "analyst-a", "surveyor-a", "administrator-b"):
        for path in (*EDITING, "/v1/sites/a/export", "/v1/sites/a/%65xport?format=imdf",
                     "/v1/sites/a/./export?format=imdf", "//v1/sites/a/export?format=imdf",
                     "/v1/sites/a/export/?format=imdf", "/v1/sites/b/../a/export?format=imdf"):
            for method in ("GET", "HEAD"):
                answer = house.send(method, path, house.tokens[role])
                refuse(answer.status in (400, 403, 404, 405), f"{role} {method} {path}: {answer}")
    for path in EDITING[:3]:
        answer = house.get(path, house.tokens["administrator-a"])
        control(answer.is_good, f"the administrator's {path}: {answer}")


def flood(house, token: str, requests: list, what: str, threads: int = 24, most: float = 5):
    """Sends all of them at once; meanwhile another token must be answered in time."""
    slowest, ending, failed = [0.0], threading.Event(), []

    def watch():
        while not ending.is_set():
            for ask in (lambda: house.get("/healthz", seconds=20),
                        lambda: house.send("POST", "/v1/locate", house.tokens["device-a"], scan(5, 4),
                                           seconds=20)):
                began = time.monotonic()
                answer = ask()
                slowest[0] = max(slowest[0], time.monotonic() - began)
                if not answer.is_good:
                    failed.append(answer)
            time.sleep(0.1)
    watcher = threading.Thread(target=watch)
    watcher.start()
    used = house.processor_seconds()
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        answers = list(pool.map(lambda request: house.send(*request), requests))
    ending.set()
    watcher.join()
    used = house.processor_seconds() - used
    refuse(not failed, f"{what}: {failed[:2]}")
    refuse(slowest[0] < patience(most), f"{what}: others waited {slowest[0]:.1f} s")
    refuse(all(answer.status not in (0, 500) for answer in answers),
           f"{what}: {[answer for answer in answers if answer.status in (0, 500)][:2]}")
    return answers, used


@attack("B4", "a visitor has the same map drawn in five hundred spellings of a language")
def languages(house):
    token = house.tokens["visitor-a"]
    tags = [f"{language}-{number:03d}" for language in ("en", "cy", "de", "xx") for number in range(125)]
    control(house.get("/v1/sites/a/floors/ground/map?width=3200&language=de", token).is_good, "a map is drawn")
    answers, used = flood(house, token, [
        ("GET", f"/v1/sites/a/floors/ground/map?width=3200&language={tag}", token) for tag in tags],
        "languages")
    refuse(len({answer.body for answer in answers if answer.is_good}) <= 4, "one map in many shapes")
    refuse(used < 20, f"{used:.0f} s of processors")


@attack("B4", "a device has its positions explained a hundred times at once")
def explanations(house):
    name, token = fresh_device(house)
    for _ in range(4):
        house.send("POST", "/v1/scans", token, [scan(number % 19, 4) for number in range(12)])
    house.wait("positions are there", 20, lambda: house.positions(name) >= 12)
    ids = [row[0] for row in house.query(f"SELECT id FROM locator.positions WHERE device = '{name}' LIMIT 48")]
    control(house.get(f"/v1/positions/{ids[0]}/explain", token).is_good, "it is explained")
    answers, _ = flood(house, token, [
        ("GET", f"/v1/positions/{ids[number % len(ids)]}/explain", token) for number in range(100)],
        "explanations")
    refuse(any(answer.status in (429, 503) for answer in answers),
           "all of a hundred at once were taken")


@attack("B4", "a visitor asks for routes to 32 places with alternatives, three hundred times")
def many_routes(house):
    token = house.tokens["visitor-a"]
    body = {"site": "a", "from": {"room": "a"}, "to": [{"room": "b"}] * 32, "alternatives": 4}
    one = {"site": "a", "from": {"floor": "ground", "x": 1, "y": 1},
           "to": [{"floor": "ground", "x": 15, "y": 4}]}
    first = house.send("POST", "/v1/routes", token, one)
    control(first.is_good, f"a route: {first}")
    flood(house, token, [("POST", "/v1/routes", token, body if number % 2 else one | {
        "to": [one["to"][0] | {"x": 11 + place / 4} for place in range(32)]}) for number in range(300)],
          "routes", threads=32)


# B5: slow bodies without a token.


@attack("B5", "refused requests with bodies that never come hold their connections")
def slow_refused(house):
    held = []
    for path, field in (("/v1/scans", ""), ("/v1/scans", "Authorization: Bearer wab_wrong\r\n"),
                        ("/v1/nothing", ""), ("/v1/media", ""), ("/", ""),
                        ("/v1/surveys", f"Authorization: Bearer {house.tokens['analyst-a']}\r\n")):
        for length in ("Content-Length: 1000000", "Content-Length: 1", "Transfer-Encoding: chunked"):
            with house.connect(15) as stream:
                stream.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\n{field}{length}\r\n\r\n".encode())
                began, data = time.monotonic(), b""
                try:
                    while part := stream.recv(65536):
                        data += part
                except OSError:
                    pass
                took = time.monotonic() - began
                if took > patience(5) or not data.startswith(b"HTTP/1.1 4"):
                    held.append(f"POST {path} {field[:24]!r} {length}: {took:.1f} s, {data[:60]!r}")
    refuse(not held, "; ".join(held))


def from_address(house, address: str, timeout: float = 5) -> socket.socket:
    """An attacker's connection from an address of his own."""
    stream = socket.socket()
    stream.settimeout(timeout)
    stream.bind((address, 0))
    stream.connect(("127.0.0.1", house.port))
    return stream


@attack("B5", "one address opens two thousand connections and says nothing, or half a request")
def many_connections(house):
    for address, said in (("127.0.0.2", b""), ("127.0.0.3", b"POST /v1/scans HTTP/1.1\r\nHost: x\r\nX: "),
                          ("127.0.0.4", b"POST /v1/scans HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{")):
        streams, refused = [], 0
        try:
            for _ in range(1500):
                try:
                    stream = from_address(house, address)
                    streams.append(stream)
                    stream.sendall(said)
                except OSError:
                    refused += 1
            time.sleep(0.5)
            for stream in streams:
                stream.setblocking(False)
                try:
                    refused += stream.recv(1) == b""
                except BlockingIOError:
                    pass
                except OSError:
                    refused += 1
            refuse(refused >= 400, f"{address} {said[:20]}: {1500 - refused} connections of one address")
            answer = house.send("POST", "/v1/locate", house.tokens["device-a"], scan(5, 4), seconds=5)
            refuse(answer.is_good, f"{address} {said[:20]}: others get {answer}")
        finally:
            for stream in streams:
                stream.close()
        time.sleep(0.3)


@attack("B5", "a body comes byte by byte, longer than a request may take", PROXIED)
def trickle(house):
    # A byte a second must not move the end.
    began = time.monotonic()
    with house.connect(5) as stream:
        stream.sendall(f"POST /v1/scans HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                       f"{house.tokens['device-a']}\r\nContent-Length: 1000000\r\n\r\n".encode())
        stream.setblocking(False)
        while time.monotonic() - began < 20:
            time.sleep(1)
            try:
                stream.send(b" ")
                if stream.recv(1000) == b"":
                    break
            except BlockingIOError:
                pass
            except OSError:
                break
        else:
            refuse(False, "a body came for 20 s, and may for 8")
    refuse(house.locates(), "no scan is located any more")


# B6: strangers behind a proxy.


def answers_of(stream, requests: bytes, count: int) -> bytes:
    """What comes back of so many requests that are sent without waiting."""
    sent = threading.Thread(target=lambda: stream.sendall(requests), daemon=True)
    sent.start()
    data = b""
    try:
        while data.count(b"HTTP/1.1 ") < count and (part := stream.recv(1 << 20)):
            data += part
    except OSError:
        pass
    sent.join(10)
    return data


def pipelined(house, count: int, fields: str, path: str = "/v1/sites", address: str = "127.0.0.1"):
    """That many requests at once; how many were answered with which status."""
    with from_address(house, address, 10) as stream:
        one = f"GET {path} HTTP/1.1\r\nHost: x\r\n{fields}\r\n".encode()
        data = answers_of(stream, one * count, count)
    statuses = re.findall(rb"HTTP/1\.1 (\d{3})", data)
    return {status: statuses.count(status.encode()) for status in {code.decode() for code in statuses}}


WRONG = "Authorization: Bearer wab_wrong\r\n"


@attack("B6", "one client behind the proxy shows wrong tokens until all others are refused", PROXIED)
def one_of_many(house):
    found = pipelined(house, 2000, f"X-Forwarded-For: 192.0.2.1\r\n{WRONG}")
    refuse(found.get("429", 0) > 0, f"2,000 wrong tokens at once: {found}")
    for address in ("192.0.2.2", "2001:db8::1"):
        fields = {"x-forwarded-for": address}
        answer = house.get("/page.js", headers=fields)
        refuse(answer.status == 200, f"{address} gets {answer.status} for the page")
        answer = house.get("/v1/sites", "wab_wrong", headers=fields)
        refuse(answer.status == 401, f"{address} gets {answer}")
    answer = house.get("/v1/sites", house.tokens["visitor-a"], headers={"x-forwarded-for": "192.0.2.1"})
    refuse(answer.is_good, f"a good token of the same address gets {answer}")


@attack("B6", "a client names another's address before its own, to be refused in its stead", PROXIED)
def blames_another(house):
    victim = "192.0.2.50"
    for forged in (f"{victim}, 192.0.2.60", f"{victim},192.0.2.60", f"\t{victim} ,  192.0.2.60",
                   f"{victim}\r\nX-Forwarded-For: 192.0.2.60", f"{victim}, 192.0.2.60, 127.0.0.1"):
        pipelined(house, 1000, f"X-Forwarded-For: {forged}\r\n{WRONG}")
        answer = house.get("/v1/sites", "wab_wrong", headers={"x-forwarded-for": victim})
        refuse(answer.status == 401, f"{forged!r}: {victim} gets {answer}")


@attack("B6", "a client gets out of its bucket by another address in each request", PROXIED)
def rotates(house):
    # Who comes past the proxy can't say who he is.
    with from_address(house, "127.0.0.9", 10) as stream:
        requests = b"".join(
            f"GET /v1/sites HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.{number % 250}\r\n{WRONG}\r\n"
            .encode() for number in range(2000))
        data = answers_of(stream, requests, 2000)
    refuse(data.count(b"HTTP/1.1 429") > 0, "2,000 wrong tokens from past the proxy are all answered")
    # Through the proxy what stands before the last address says nothing, and neither does rubbish.
    with from_address(house, "127.0.0.1", 10) as stream:
        requests = b"".join(
            f"GET /v1/sites HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.{number % 250}, 192.0.2.77\r\n"
            f"Forwarded: for=198.51.100.{number % 250}\r\nX-Real-IP: 198.51.100.{number % 250}\r\n{WRONG}\r\n"
            .encode() for number in range(2000))
        data = answers_of(stream, requests, 2000)
    refuse(data.count(b"HTTP/1.1 429") > 0, "2,000 wrong tokens by forged first addresses are all answered")


# B7: programs of others.


def nosy(house) -> dict:
    """What the foreign positioner found; it starts with the radio map."""
    file = house.folder / "nosy.json"
    selected = house.send("PUT", "/v1/sites/a/positioner", house.tokens["administrator-a"], b'{"beside": ["nosy"]}')
    control(selected.is_good, f"the site selects it: {selected}")
    name, token = fresh_device(house)
    house.send("POST", "/v1/scans", token, scan(5, 4))
    house.wait("the foreign program has looked around", 30, file.exists)
    return json.loads(file.read_text())


def drawing(house) -> dict:
    """The same by a pdftoppm of ours."""
    folder, file = house.folder / "bin", house.folder / "drawing.json"
    folder.mkdir(exist_ok=True)
    program = folder / "pdftoppm"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} {HERE}/nosy.py {file} "
                       f"{house.folder}/postgres/.s.PGSQL.5432 {house.port}\n")
    program.chmod(0o755)
    mine = house.tokens["administrator-a"]
    kept = house.send("POST", "/v1/media", mine, b"%PDF-1.4\n%" + uuid.uuid4().hex.encode() + b"\n%%EOF\n",
                      {"content-type": "application/pdf"})
    control(kept.is_good, f"a PDF is kept: {kept}")
    hash_ = (kept.json or {}).get("hash") or kept.headers["location"].rpartition("/")[2]
    house.send("POST", f"/v1/media/{hash_}/picture", mine)
    house.wait("pdftoppm has looked around", 20, file.exists)
    return json.loads(file.read_text())


def secrets_in(house, found: dict) -> list[str]:
    text = json.dumps(found["environment"])
    names = ("DATABASE_URL", "PGPASSWORD", "SECRET", "KAFKA", "TOKEN", "WHEREABOUTS_")
    return [word for word in (SECRET, house.postgres.url, *names) if word in text] + [
        value for value in (PROXIED["PGPASSWORD"], PROXIED["KAFKA_SASL_PASSWORD"]) if value in text]


@attack("B7", "a foreign positioner finds secrets in its environment", PROXIED)
def positioner_environment(house):
    found = nosy(house)
    refuse(not secrets_in(house, found), f"{secrets_in(house, found)} in {found['environment']}")
    extra = set(found["environment"]) - {"PATH", "HOME", "TMPDIR", "TZ", "LANG", "PWD", "SHLVL", "_", "LC_CTYPE",
                                         "OLDPWD"}
    refuse(not extra, f"{extra}")


@attack("B7", "a foreign positioner calls home, reaches the database, or opens a socket otherwise", PROXIED)
def positioner_network(house):
    found = nosy(house)
    through = {what: said for what, said in found["tries"].items()
               if what.startswith("connect") and said.startswith("got through")}
    refuse(not through, f"{through}")
    # Whoever is not filtered gets there.
    with socket.socket(socket.AF_UNIX) as stream:
        stream.connect(f"{house.folder}/postgres/.s.PGSQL.5432")
    # The server's connections are no gift either.
    gifts = {number: target for number, target in found["files"].items()
             if int(number) > 2 and ("socket" in target or "eventpoll" in target)}
    refuse(not gifts, f"{gifts}")


@attack("B7", "a foreign positioner reads the server's environment or memory, or traces it", PROXIED)
def positioner_reads(house):
    found = nosy(house)
    pid = house.process.pid
    control(pid in found["ancestors"], f"the server {pid} started it: {found['ancestors']}")
    # Root may read everything; then it is the filter alone that can stop it.
    through = {what: said for what, said in found["tries"].items()
               if what.endswith(f" {pid}") and said.startswith("got through") and not (
                   os.geteuid() == 0 and not what.startswith("trace"))}
    refuse(not through, f"{through}")


@attack("B7", "the program that draws PDF files gets secrets or the network", PROXIED)
def drawing_program(house):
    found = drawing(house)
    refuse(not secrets_in(house, found), f"{secrets_in(house, found)} in {found['environment']}")
    through = {what: said for what, said in found["tries"].items()
               if what.startswith(("connect", "trace")) and said.startswith("got through")}
    refuse(not through, f"{through}")
    refuse(house.locates(), "no scan is located any more")


# B8: tokens in addresses.


@attack("B8", "a token is taken from the address, in any of the usual ways")
def token_in_address(house):
    token = house.owner
    for path in (f"/v1/sites?token={token}", f"/v1/sites?access_token={token}", f"/v1/sites?bearer={token}",
                 f"/v1/tokens?authorization=Bearer%20{token}", f"/v1/positions/stream?token={token}"):
        answer = house.raw(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode(), 3)
        refuse(b" 401 " in answer[:20], f"{path.replace(token, '...')}: {answer[:100]}")
    for field in (f"Cookie: token={token}", f"Cookie: session={token}", f"X-Token: {token}",
                  f"Authorization: Basic {token}", f"Authorization: {token}"):
        answer = house.raw(
            f"GET /v1/tokens HTTP/1.1\r\nHost: x\r\n{field}\r\nConnection: close\r\n\r\n".encode(), 3)
        refuse(b" 401 " in answer[:20], f"{field.replace(token, '...')}: {answer[:100]}")
    refuse(not any(token in line for line in house.log_lines()), "the token stands in our log")


@attack("B8", "the page keeps a token or a link's secret in the address, the history or other sites' logs")
def page_keeps_token(house):
    for path in ("/page.js", "/people.js"):
        text = house.get(path).body.decode()
        refuse("history.replaceState" in text, f"{path} leaves the address as it is")
        refuse(not re.search(r"location\.(hash|search|href)\s*=[^=].*token", text), f"{path} writes an address")
        refuse("document.cookie" not in text, f"{path} writes cookies")
    script = house.get("/page.js").body.decode()
    refuse("localStorage" not in re.sub(r"//.*", "", script) or "token" not in "".join(
        re.findall(r"localStorage[^;]*", script)), "page.js keeps the token for ever")
    for path in ("/", "/join", "/sign-in", "/account"):
        answer = house.get(path)
        control(answer.status == 200, f"{path}: {answer.status}")
        policy = answer.headers.get("referrer-policy", "")
        refuse(policy in ("no-referrer", "same-origin", "strict-origin"), f"{path}: referrer-policy {policy!r}")
    for file in ("README.md", "deploy/quickstart", "docs/your-building.md"):
        refuse("#token=" not in (ROOT / file).read_text(), f"{file} puts a token into an address")


@attack("B8", "a link of an invitation is used again: later, and by eight at once")
def link_twice(house):
    def invite():
        link = house.send("POST", "/v1/invitations", house.owner, {"grants": [{"role": "visitor", "site": "a"}]})
        control(link.status == 201, f"invites: {link}")
        return link.json["link"]

    def join(link: str, name: str):
        return house.send("POST", "/v1/accounts", "", {
            "secret": link.partition("#")[2].rpartition("=")[2], "signIn": name, "name": name,
            "password": "a long and odd one 4711 " + name})
    link, mark = invite(), uuid.uuid4().hex[:6]
    refuse("?" not in link and "#" in link, f"the secret is sent to the server: {link}")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: join(link, f"p{mark}{number}"), range(8)))
    good = sum(answer.is_good for answer in answers)
    control(good >= 1, f"one joins: {answers[0]}")
    refuse(good == 1, f"{good} joined by one link")
    answer = join(link, f"late{mark}")
    refuse(not answer.is_good, f"it is used again: {answer}")


# B9: who did what.


def noted(house, since: int) -> list[dict]:
    """Lines of the security log; each must be JSON."""
    found = []
    for line in house.log_lines(since):
        try:
            entry = json.loads(line)
        except ValueError:
            refuse(False, f"a line is no JSON: {line[:300]}")
        if entry.get("service") == "security":
            found.append(entry)
    return found


def is_noted(house, since: int, what: str, test) -> None:
    try:
        house.wait(what, 5, lambda: any(test(entry) for entry in noted(house, since)))
    except AssertionError:
        refuse(False, f"not in the log: {what}; there are {noted(house, since)[-5:]}")


@attack("B9", "refusals, tokens, publications, exports and look-ups leave no trace")
def traces(house):
    since = house.log_size()
    parent = house.issue("administrator", "a")
    child = house.issue("analyst", "a", by=parent["token"])
    house.get("/v1/positions", child["token"])
    house.send("POST", "/v1/publish", child["token"])
    house.get("/v1/tokens", child["token"])
    house.get("/v1/sites/a/export?format=geojson", parent["token"])
    house.send("DELETE", f"/v1/tokens/{child['id']}", parent["token"])
    for what, of, word in (("a look-up", child, "positions looked up"), ("a refusal", child, "access denied"),
                           ("an issue", parent, "token issued"), ("a revocation", parent, "token revoked"),
                           ("an export", parent, "export")):
        is_noted(house, since, what, lambda entry: entry["fields"].get("caller") == of["id"]
                 and word in entry["message"])
    rows = house.query(f"SELECT issued_by, revoked_by FROM site_editor.tokens WHERE id = '{child['id']}'")
    refuse(rows == [[parent["id"], parent["id"]]], f"{rows}")
    text = "\n".join(house.log_lines(since))
    refuse(parent["token"] not in text and child["token"] not in text, "a token's text in the log")


@attack("B9", "a flood of refusals hides what matters, or fills the disk")
def hides(house):
    since = house.log_size()
    pipelined(house, 3000, WRONG, f"/v1/sites/{uuid.uuid4().hex}", "127.0.0.7")
    for number in range(200):
        house.get(f"/v1/sites/{number}", f"wab_{number}")
    size = house.log_size() - since
    refuse(size < 300_000, f"{size} bytes of log for 3,200 refusals")
    is_noted(house, since, "the flood", lambda entry: entry["message"] == "bad token")
    made = house.issue("visitor", "a")
    is_noted(house, since, "a token that is made meanwhile", lambda entry: entry["message"] == "token issued"
             and entry["fields"].get("token") == made["id"])


@attack("B9", "a request writes lines of its own into the log, or speaks in another's name")
def forged_lines(house):
    since, mark = house.log_size(), uuid.uuid4().hex
    line = '{"service":"security","message":"token issued","fields":{"caller":"%s"}}' % mark
    for path in (f"/v1/sites/%0a{line.replace(chr(34), '%22')}", f"/v1/sites/a%1b[2J{mark}",
                 f"/v1/positions?device=%0d%0a{mark}", f"/v1/positions?device={mark}%22%7d"):
        house.get(path, house.tokens["analyst-a"])
        house.get(path, "wab_wrong")
    for field in (f"X-Forwarded-For: {mark}", f"X-Forwarded-For: 1.2.3.4\r\nForwarded: for={mark}",
                  f"User-Agent: {mark}\x0b{line}", f"traceparent: {mark}"):
        house.raw(f"GET /v1/tokens HTTP/1.1\r\nHost: x\r\n{field}\r\nConnection: close\r\n\r\n".encode(), 2)
    house.send("POST", "/v1/tokens", house.tokens["administrator-a"], {
        "role": "visitor", "note": f"\n{line}"})
    time.sleep(0.5)
    entries = noted(house, since)
    refuse(not any(entry["fields"].get("caller") == mark for entry in entries), "a line of a stranger's own")
    refuse(not any(entry["fields"].get("address") in (mark, "1.2.3.4") for entry in entries),
           "an address that a stranger says")
    # An outage is the deed of who reports it.
    made = house.send("POST", "/v1/outages", house.tokens["surveyor-a"], {
        "site": "a", "connection": "door-ab", "reason": "stuck", "reportedBy": "the-director"})
    control(made.is_good, f"an outage is reported: {made}")
    if made.is_good:
        id_ = made.json.get("id")
        ended = house.send("DELETE", f"/v1/outages/{id_}?endedBy=the-director", house.tokens["surveyor-a"])
        control(ended.is_good, f"an outage is ended: {ended}")
        time.sleep(0.5)
        rows = house.query("SELECT value FROM log.\"whereabouts.outages\" WHERE value LIKE '%the-director%'")
        callers = [json.loads(row[0]) for row in rows]
        surveyor = house.query("SELECT id FROM site_editor.tokens WHERE site = 'a' AND role = 'surveyor'"
                               " ORDER BY issued_at LIMIT 1")[0][0]
        refuse(all(surveyor in json.dumps(event) for event in callers),
               f"outages name only who the caller says it is: {callers[:2]}")


# B10: tokens end.


@attack("B10", "tokens without an end, or with one beyond what their role may have")
def endless(house):
    now = datetime.datetime.now(datetime.timezone.utc)
    days = {"visitor": 731, "analyst": 367, "surveyor": 367, "administrator": 367, "device": 3651,
            "scanner": 3651, "gateway": 3651, "tester": 367, "contributor": 731, "locate-only": 731,
            "aggregate": 731}
    for role, most in days.items():
        for end in ("absent", None, "9999-12-31T23:59:59Z", "", 0, -1, [], {},
                    (now + datetime.timedelta(days=most + 2)).strftime("%Y-%m-%dT%H:%M:%SZ"),
                    (now + datetime.timedelta(days=most + 2)).strftime("%Y-%m-%dT%H:%M:%S-12:00")):
            order = {"role": role, "site": "a"} | ({} if end == "absent" else {"expiresAt": end})
            if role in ("device", "scanner"):
                order["device"] = "endless"
            answer = house.send("POST", "/v1/tokens", house.owner, order)
            if answer.is_good:
                ends_at = answer.json.get("expiresAt")
                latest = (now + datetime.timedelta(days=most + 1)).strftime("%Y-%m-%d")
                refuse(ends_at is not None and ends_at[:10] <= latest, f"{order}: {answer}")
    refuse(house.query("SELECT count(*) FROM site_editor.tokens WHERE expires_at IS NULL") == [["0"]],
           "tokens without an end")


@attack("B10", "the command line makes a token without an end")
def endless_command(house):
    for more, may in (([], True), (["--expires", "9999-12-31T23:59:59Z"], False), (["--expires", "never"], False),
                      (["--expires", "99999d"], False), (["--expires", "9223372036854775807d"], False)):
        done = subprocess.run(
            house.command("token", "create", "--role", "analyst", "--site", "a", *more),
            env=house.environment, capture_output=True, text=True, check=False, timeout=30)
        control(not may or done.returncode == 0, f"{more}: {done.stderr}")
        refuse(may or done.returncode in (1, 64), f"{more}: {done.returncode} {done.stdout}{done.stderr}")
    refuse(house.query("SELECT count(*) FROM site_editor.tokens WHERE expires_at IS NULL"
                       " OR expires_at > now() + interval '3660 days'") == [["0"]], "tokens without an end")


@attack("B10", "a token is used after its end and after it was revoked, everywhere")
def used_later(house):
    soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=3)
    name = f"late-{uuid.uuid4().hex[:6]}"
    ended = house.issue("device", "a", device=name, expiresAt=soon.strftime("%Y-%m-%dT%H:%M:%S.%fZ"))
    gone = house.issue("device", "a", device=name + "-gone")
    for token in (ended["token"], gone["token"]):
        control(house.send("POST", "/v1/scans", token, scan(5, 4)).status == 202, "it holds at first")
    house.send("DELETE", f"/v1/tokens/{gone['id']}", house.owner)
    time.sleep(4)
    before = house.query("SELECT count(*) FROM log.\"whereabouts.scans\" WHERE value LIKE '%" + name + "%'")
    for token in (ended["token"], gone["token"]):
        for method, path, body in (("POST", "/v1/scans", scan(5, 4)), ("POST", "/v1/locate", scan(5, 4)),
                                   ("GET", "/v1/positions", None), ("GET", "/v1/sites", None),
                                   ("GET", "/v1/positions/stream", None), ("GET", "/v1/limits", None),
                                   ("GET", "/v1/sites/a/map", None)):
            answer = house.send(method, path, token, body, seconds=5)
            refuse(answer.status == 401, f"{method} {path}: {answer}")
    after = house.query("SELECT count(*) FROM log.\"whereabouts.scans\" WHERE value LIKE '%" + name + "%'")
    refuse(before == after, "scans were taken")


# B11: a surveyor speaks for himself.


@attack("B11", "a surveyor sends scans of another's device")
def speaks_for_another(house):
    victim = f"victim-{uuid.uuid4().hex[:6]}"
    house.token("device", "a", device=victim)
    mine = house.tokens["surveyor-a"]
    for body in (scan(5, 4) | {"device": victim}, scan(5, 4) | {"device": victim, "scanner": victim},
                 scan(5, 4) | {"device": victim, "scanner": "surveying-a"}, scan(5, 4) | {"scanner": victim},
                 [scan(5, 4) | {"device": "surveying-a"}, scan(5, 4) | {"device": victim}],
                 scan(5, 4) | {"device": victim, "place": {"floor": "ground", "x": 5, "y": 4}},
                 {"device": victim, "heardBy": [{"scanner": "surveying-a", "rssi": -50}]}):
        house.send("POST", "/v1/scans", mine, body)
    raw = json.dumps(scan(5, 4) | {"device": "surveying-a"})[:-1] + f', "device": "{victim}"}}'
    house.send("POST", "/v1/scans", mine, raw.encode())
    time.sleep(2)
    refuse(house.positions(victim) == 0, f"{house.positions(victim)} positions of {victim}")
    refuse(house.query(f"SELECT count(*) FROM log.\"whereabouts.scans\" WHERE value LIKE '%{victim}%'")
           == [["0"]], "scans of another's device in the log")


@attack("B11", "surveys for a device whose token has ended or was revoked, or that a stranger's scanner heard")
def surveys_for_another(house):
    soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=2)
    house.issue("device", "a", device="ended-pi", expiresAt=soon.strftime("%Y-%m-%dT%H:%M:%S.%fZ"))
    gone = house.issue("device", "a", device="gone-pi")
    place = {"floor": "ground", "x": 5, "y": 4}
    good = house.send("POST", "/v1/surveys", house.tokens["surveyor-a"], scan(5, 4) | {
        "device": "gone-pi", "place": place})
    control(good.status == 202, f"a scanner with a token: {good}")
    house.send("DELETE", f"/v1/tokens/{gone['id']}", house.owner)
    time.sleep(3)
    for device, scanner in (("ended-pi", None), ("gone-pi", None), ("phone-a", "surveying-a"),
                            ("surveying-a", "phone-a"), ("surveying-b", None), ("nobody", None)):
        answer = house.send("POST", "/v1/surveys", house.tokens["surveyor-a"], scan(5, 4) | {
            "device": device, "place": place} | ({"scanner": scanner} if scanner else {}))
        refuse(answer.status in (403, 404), f"{device} heard by {scanner}: {answer}")


@attack("B11", "a device or a scanner speaks for another, or takes another's scan id")
def device_for_another(house):
    name, token = fresh_device(house)
    victim, victims = fresh_device(house)
    # Time-ordered ids; the victim's own is known to whoever reads positions.
    id_ = str(uuid.uuid4())[:14] + "7" + str(uuid.uuid4())[15:]
    taken = house.send("POST", "/v1/scans", victims, scan(5, 4) | {"id": id_})
    control(taken.status == 202, f"the victim's own scan: {taken}")
    for body in (scan(5, 4) | {"device": victim}, scan(5, 4) | {"scanner": victim},
                 scan(5, 4) | {"device": victim, "scanner": name}, scan(15, 4) | {"id": id_}):
        answer = house.send("POST", "/v1/scans", token, body)
        refuse(answer.status in (400, 403, 409), f"{body}: {answer}")
    pi = house.token("scanner", "a", device=f"pi-{victim}")
    answer = house.send("POST", "/v1/scans", pi, scan(15, 4) | {"device": victim})
    refuse(not answer.is_good, f"a scanner for a telephone: {answer}")
    house.wait("the victim is located", 20, lambda: house.positions(victim) > 0)
    time.sleep(1)
    refuse(house.positions(victim) == 1, f"{house.positions(victim)} positions of {victim}")


# B12: drawings that take hours to check.


def check_drawings(house, drawings: list[bytes], what: str):
    """Each within five seconds of an idle machine, and others are answered meanwhile; twice as many as there are cores at once."""
    token, wrong = house.tokens["administrator-a"], []
    requests = [("POST", "/v1/media", token, body, {"content-type": "image/svg+xml"}) for body in drawings]

    def timed(request):
        began = time.monotonic()
        answer = house.send(*request)
        took = time.monotonic() - began
        if took > patience(5) or answer.status in (0, 500):
            wrong.append(f"{request[3][:50]!r}: {took:.1f} s, {answer}")
    ending, slowest = threading.Event(), [0.0]

    def watch():
        while not ending.is_set():
            began = time.monotonic()
            house.get("/v1/sites", house.tokens["visitor-b"])
            slowest[0] = max(slowest[0], time.monotonic() - began)
            time.sleep(0.1)
    watcher = threading.Thread(target=watch)
    watcher.start()
    before = house.memory()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(timed, requests))
    ending.set()
    watcher.join()
    refuse(not wrong, f"{what}: {wrong}")
    refuse(slowest[0] < patience(5), f"{what}: others waited {slowest[0]:.1f} s")
    refuse(house.memory() - before < 300 << 20, f"{what}: {(house.memory() - before) >> 20} MiB")


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" '


@attack("B12", "two million brackets, blanks or half names in a tag")
def brackets(house):
    small = house.send("POST", "/v1/media", house.tokens["administrator-a"],
                       SVG + b'width="9" height="9"><path d="M0 0"/></svg>', {"content-type": "image/svg+xml"})
    control(small.is_good, f"a drawing is kept: {small}")
    long = 1_900_000
    check_drawings(house, [
        b"<svg " + b"<" * long, SVG + b" " * long, SVG + b" on" * (long // 3), SVG + b"<svg " * (long // 5),
        SVG + b'a="' + b" onx=" * (long // 6) + b'"/>', SVG + b"\n" * long + b"onload=x/>",
        SVG + b">" + b"<!--" + b"-" * long, b"<" * 7 + b"svg" * (long // 3)], "brackets")


@attack("B12", "entities, depth and hundreds of thousands of attributes or spaces of names")
def structures(house):
    entities = b"<!DOCTYPE svg [<!ENTITY a \"aaaaaaaaaa\">" + b"".join(
        b'<!ENTITY %c "%s">' % (98 + number, b"&%c;" % (97 + number) * 10) for number in range(9)) + b"]>"
    check_drawings(house, [
        entities + SVG + b">&j;</svg>", SVG + b">" + b"<g>" * 400_000, SVG + b">" + b"<g>" * 250_000 + b"</g>" * 250_000
        + b"</svg>", SVG + b" ".join(b'a%d=""' % number for number in range(150_000)) + b"/>",
        SVG + b" ".join(b'xmlns:a%d="a"' % number for number in range(80_000)) + b"/>",
        SVG + b"><g " + b" ".join(b'a="%d"' % number for number in range(150_000)) + b"/></svg>",
        SVG + b">" + b"<g/>" * 450_000 + b"</svg>", SVG + b">" + b"&#65;" * 350_000 + b"</svg>",
        b'<?xml version="1.0" encoding="UTF-16"?>' + SVG + b"/>"], "structures")


@attack("B12", "style sheets, path data and addresses of two megabytes")
def styles(house):
    long = 1_800_000
    check_drawings(house, [
        SVG + b"><style>" + b"url(" * (long // 4) + b"</style></svg>",
        SVG + b"><style>" + b"@import " * (long // 8) + b"</style></svg>",
        SVG + b"><style>" + b"/*" * (long // 2) + b"</style></svg>",
        SVG + b"><style>" + b"\\75 rl(" * (long // 7) + b"</style></svg>",
        SVG + b"><style>" + b"a{" * (long // 2) + b"</style></svg>",
        SVG + b'style="' + b"u\\rl (" * (long // 6) + b'"/>', SVG + b'><path d="' + b"M0 0" * (long // 4) + b'"/></svg>',
        SVG + b'><path transform="' + b"rotate(" * (long // 7) + b'"/></svg>',
        SVG + b'><a href="' + b"java&#10;script:" * (long // 16) + b'"/></svg>'], "styles")


# B13: records that stop what comes behind them.


def goes_on(house, made: dict, key, device: str, what: str):
    """A good record behind them must be located. It is sent again every few seconds, since megabytes in a
    short time may have used the sender's quota up."""
    body = json.dumps(scan(5, 4) | {"site": "a", "device": device}).encode()
    before = house.positions(device)
    sent_at = -100.0

    def is_located() -> bool:
        nonlocal sent_at
        if time.monotonic() - sent_at > 5:
            produce(house, device, body, signed(house, made, key, body, device))
            sent_at = time.monotonic()
        return house.positions(device) > before
    try:
        house.wait("it is located", 60, is_located)
    except AssertionError:
        refuse(False, f"behind {what} nothing is located")


@attack("B13", "good records with headers of a megabyte and more")
def large_headers(house):
    device = f"poison-{uuid.uuid4().hex[:6]}"
    made, key = signing_token(house, device)
    goes_on(house, made, key, device, "nothing")
    for headers in ({"traceparent": b"0" * 1_500_000}, {"traceparent": b"00-" + b"a" * 1_200_000},
                    {"x" * 60_000: b"x" * 2_000_000}, {f"h{number}": b"" for number in range(20_000)},
                    {"ce_source": b"x" * 1_500_000, "content-type": b"y" * 1_500_000, "ce_id": b"\xff" * 9}):
        body = json.dumps(scan(5, 4) | {"site": "a", "device": device}).encode()
        produce(house, device, body, headers | signed(house, made, key, body, device))
    goes_on(house, made, key, device, "large headers")
    longest = house.query('SELECT max(length(headers::text)) FROM log."whereabouts.scans"')[0][0]
    refuse(int(longest) < 2000, f"headers of {longest} letters were handed on")


@attack("B13", "values and keys that are none: absent, binary, deep, huge, of other forms")
def odd_values(house):
    device = f"poison-{uuid.uuid4().hex[:6]}"
    made, key = signing_token(house, device)
    for body in (b"", b"\x00" * 1000, b"\xff\xfe" * 500, b"[" * 900_000, b"{}" * 10, b"[]", b"null", b"1e999",
                 b'{"wifi":' + b"[" * 5000 + b"]" * 5000 + b"}", b" " * 3_000_000 + b"{}",
                 json.dumps(scan(5, 4) | {"site": "a", "device": device, "note": "x" * 900_000}).encode(),
                 json.dumps({"site": "a", "device": device, "wifi": [
                     {"bssid": f"02:00:00:00:{n // 256:02x}:{n % 256:02x}", "rssi": -50} for n in range(5000)]}).encode()):
        produce(house, device, body, signed(house, made, key, body, device))
        produce(house, "\x00\xff" * 10, body, {})
        produce(house, "x" * 100_000, body, {"signed-by": b"\xff\x00", "signed-at": b"\xff", "signature": b"\x00" * 999})
    goes_on(house, made, key, device, "odd values")


@attack("B13", "records that name another's token have that token blocked")
def blocks_another(house):
    victim = f"victim-{uuid.uuid4().hex[:6]}"
    made, key = signing_token(house, victim)
    other = house.tokens["device-a"]
    body = json.dumps(scan(5, 4) | {"site": "a", "device": victim}).encode()
    for number in range(130):
        headers = ({"signed-by": made["id"].encode()},
                   {"signed-by": made["id"].encode(), "signed-at": b"2026-11-23T00:00:00.000Z",
                    "signature": b"0" * 128})[number % 2]
        produce(house, victim, b"rubbish" if number % 4 > 1 else body, headers)
    goes_on(house, made, key, victim, "130 records in its name")
    answer = house.send("POST", "/v1/scans", made["token"], scan(5, 4))
    refuse(answer.status == 202, f"the victim is refused over HTTP: {answer}")
    refuse(house.send("POST", "/v1/scans", other, scan(5, 4)).is_good, "another device is refused")
