"""Asks a running server everything that its OpenAPI document offers, whole and with faults.

Makes requests from each schema of docs/openapi.json, with numbers at their edges, letters of every
class and lengths at limits, as every role that may call the operation, against one process on a
private PostgreSQL. No request may end the process, hang, or be answered with a 5xx but 503, and of
those hardly one. Beside it a device behaves well, and each of its scans must be located. Afterwards
all consumers must catch up, and a survey that is sent then must be in the map.

    request_fuzz.py --bin FOLDER [--requests 1000000] [--least 200] [--seed N] [--workers 4]
                    [--only PATH] [--long] [--planted MISTAKE] [--keep]

`--requests` counts those that got past token, role and quota; `--least` of them are of each operation
and role. `--long` also holds the server to its times and its memory. The last line of stdout is one
JSON object, whose "wrong" says what is not as it must be; the exit status is 0 when nothing is.
"""

import argparse
import collections
import http.client
import json
import multiprocessing
import pathlib
import queue
import random
import shutil
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FaultTest"))

from asking import Requests  # noqa: E402
from house import House  # noqa: E402
from people import People  # noqa: E402
from schema import Document  # noqa: E402
from things import WELL, scan  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Each of these costs much, or leaves much behind: no more of them than must be.
# Parts of paths, or operations by name.
RARE = ("media", "imports", "export", "explain", "map", "tokens", "publish", "restore", "picture",
        "accounts", "invitations", "session", "shared-position", "shared-positions", "sign-in",
        "magnetic-routes", "survey-reviews",
        "POST /v1/surveys", "POST /v1/outages", "DELETE /v1/outages/{id}", "DELETE /v1/sites/{site}")
# What can't be accepted here, and why.
OUTSIDE = {
    "GET /v1/sign-in/provider": "it needs an OpenID provider, which somebody else runs",
    "GET /v1/sign-in/provider/return": "only such a provider makes a code that is taken",
    "GET /v1/dead-letters/{topic}/{partition}/{offset}": "nothing may be set aside here",
    "POST /v1/dead-letters/{topic}/{partition}/{offset}/apply": "nothing may be set aside here",
}
# Asked so often, anything else must have been accepted once.
ENOUGH = 200
HANG_SECONDS = 30
SLOW_SECONDS = 2.0
MOST_UNAVAILABLE = 0.001
LEAST_ACCEPTED = 0.30
# Memory is measured while nothing is asked: in the middle of the second quarter, and at the end.
# Pages on their way, which come and go, would hide a byte a request that stays.
FIRST_REST = 0.375
REST_SECONDS = 60


def pairs(document: Document, only: str) -> list:
    """Each operation with each role that may call it; streams are for others' tests."""
    return [(operation, role) for operation in document.operations
            for role in operation.roles if not operation.streams and only in operation.path]


def is_rare(operation) -> bool:
    return any(part in RARE for part in [operation.name, *operation.path.split("/")])


def ask(number: int, options, house: tuple, reports, resting, ending, share: int):
    """One worker: asks until it has its share of what counts, but never while `resting` is set."""
    document = Document(options.document)
    generator = random.Random(options.seed * 1000 + number)
    port, callers, helper, known = house
    people = People(port, helper, f"worker-{number}")
    requests = Requests(document, generator, known, people)
    todo = [pair for pair in pairs(document, options.only) if pair[1] in callers]
    common = [pair for pair in todo if not is_rare(pair[0])] or todo
    # First each pair as often as it must be, in an order of the seed's; then the common ones.
    least = -(-options.least // options.workers)
    ahead = [pair for pair in todo for _ in range(least)]
    generator.shuffle(ahead)
    connection, counted, report = None, 0, collections.Counter()
    times, faults, since = [], [], time.monotonic()
    missing = collections.Counter()
    while not ending.is_set() and (ahead or counted < share):
        if resting.is_set():
            if connection is not None:
                connection.close()
                connection = None
            time.sleep(0.1)
            continue
        operation, role = ahead.pop() if ahead else generator.choice(common)
        request = requests.make(operation, callers[role])
        if connection is None:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG_SECONDS)
        began = time.monotonic()
        try:
            connection.request(request.method, request.target, request.body, request.headers)
            answer = connection.getresponse()
            body, status = answer.read(), answer.status
            if answer.will_close:
                connection.close()
                connection = None
        except TimeoutError:
            faults.append(f"no answer within {HANG_SECONDS} s: {request}")
            connection = None
            continue
        except (OSError, http.client.HTTPException) as error:
            connection = None
            report["lost"] += 1
            ahead.append((operation, role))
            if report["lost"] > 20:
                faults.append(f"{error!r}: {request}")
                break
            continue
        times.append(time.monotonic() - began)
        report[f"status {status}"] += 1
        if status == 429 or status in (401, 403) and not operation.is_open:
            # It did not get past the token, the role or the quota: once more, later.
            report[f"turned away {json.loads(body or b'{}').get('code')}"] += 1
            missing[(operation.name, role)] += 1
            # Wrong tokens count against the sender's address, so they are few.
            again = (2 if status == 401 else 8) * least
            if missing[(operation.name, role)] <= again:
                ahead.insert(generator.randrange(len(ahead) + 1), (operation, role))
        else:
            counted += 1
            report["counted"] += 1
            report[f"pair {operation.name} as {role}"] += 1
            is_accepted = 200 <= status < 400
            report["accepted"] += is_accepted
            report[f"accepted {operation.name}"] += is_accepted
            if is_accepted:
                requests.learn(operation, body)
            if request.faults == 0:
                report["whole"] += 1
        if status == 503:
            report[f"unavailable {operation.name} {json.loads(body or b'{}').get('code')}"] += 1
        if status >= 500 and status != 503:
            faults.append(f"{status} {body[:200]!r}: {request}")
        elif (status >= 400 and status not in (414, 431) and b'"code"' not in body
                # A page for people says it in words.
                and not (status == 404 and operation.name == "GET /s/{site}")
                # FIND3's form of a refusal.
                and not (operation.name == "POST /data" and b'"success":false' in body)):
            # Heads beyond its memory libmicrohttpd refuses by itself, in its own words.
            faults.append(f"{status} without a code, {body[:100]!r}: {request}")
        if time.monotonic() - since > 1 or len(faults) > 20:
            reports.put((report, times, faults))
            report, times, faults, since = collections.Counter(), [], [], time.monotonic()
    reports.put((report, times, faults))
    reports.put(None)


class GoodDevice(threading.Thread):
    """Sends a scan every half second and nothing else; each must be located."""

    def __init__(self, house: House):
        super().__init__(daemon=True)
        self.house, self.ending = house, threading.Event()
        self.accepted, self.refused = [], collections.Counter()

    def run(self):
        generator, number = random.Random(1), 0
        while not self.ending.wait(0.5):
            number += 1
            name = f"10000000-0000-7000-8000-{number:012x}"
            body = scan(generator.uniform(1, 19), generator.uniform(1, 7)) | {"id": name}
            for _ in range(20):
                status, _ = self.house.send("POST", "/v1/scans", self.house.device, body)
                if status == 202:
                    self.accepted.append(name)
                    break
                self.refused[status] += 1
                if not self.house.is_running or status not in (0, 503):
                    break
                time.sleep(0.3)

    def located(self) -> int:
        rows = self.house.postgres.query(
            "SELECT count(*), count(DISTINCT scan_id) FROM locator.positions "
            f"WHERE site = '{WELL}' AND device = 'good' AND state <> 'lost'")
        return int(rows[0][0]) if rows[0][0] == rows[0][1] else -1


def run(options, house: House) -> tuple[dict, list[str]]:
    document = Document(options.document)
    roles = sorted({role for _, role in pairs(document, options.only)})
    house.start(roles)
    if options.long:
        house.fill()
    reports, ending = multiprocessing.Queue(), multiprocessing.Event()
    resting = multiprocessing.Event()
    share = -(-options.requests // options.workers)
    known = (house.port, house.callers, house.helper, house.known)
    workers = [
        multiprocessing.Process(
            target=ask, args=(number, options, known, reports, resting, ending, share))
        for number in range(options.workers)]
    device = GoodDevice(house)
    device.start()
    began = time.monotonic()
    for worker in workers:
        worker.start()
    total, times, faults, memory, left = collections.Counter(), [], [], [], len(workers)
    while left:
        try:
            entry = reports.get(timeout=5)
        except queue.Empty:
            if not any(worker.is_alive() for worker in workers):
                break
            continue
        if entry is None:
            left -= 1
            continue
        total.update(entry[0])
        times += entry[1]
        faults += entry[2]
        if options.long and not memory and total["counted"] >= FIRST_REST * options.requests:
            resting.set()
            memory.append((total["counted"], at_rest(house)))
            resting.clear()
        if not house.is_running or len(faults) > 50:
            ending.set()
    seconds = time.monotonic() - began
    ending.set()
    for worker in workers:
        worker.join(timeout=60)
        if worker.exitcode != 0:
            faults.append(f"a worker ended with {worker.exitcode}")
    if options.long and house.is_running:
        memory.append((total["counted"], at_rest(house)))
    device.ending.set()
    device.join(timeout=60)
    return judge(options, house, document, device, total, times, faults, memory, seconds)


def judge(options, house, document, device, total, times, faults, memory, seconds):
    wrong = [f"{len(faults)} faults, such as: {one}" for one in faults[:5]]
    if not house.is_running:
        wrong.append(f"the server ended: {house.log.read_text(errors='replace')[-3000:]}")
    unavailable = total["status 503"] / max(1, total["counted"])
    accepted = total["accepted"] / max(1, total["counted"])
    times.sort()
    slowest = times[int(0.999 * (len(times) - 1))] if times else 0
    few = [
        f"{operation.name} as {role}: {total[f'pair {operation.name} as {role}']}"
        for operation, role in pairs(document, options.only)
        if role in house.callers
        and total[f"pair {operation.name} as {role}"] < options.least]
    unasked = sorted({
        role for _, role in pairs(document, options.only) if role not in house.callers})
    never, surely = [], []
    for operation in {operation for operation, _ in pairs(document, options.only)}:
        if not total[f"accepted {operation.name}"]:
            never.append(operation.name)
            asked = sum(total[f"pair {operation.name} as {role}"] for role in operation.roles)
            if operation.name not in OUTSIDE and asked >= ENOUGH:
                surely.append(operation.name)
    if unavailable > MOST_UNAVAILABLE:
        which = {name: count for name, count in total.items() if name.startswith("unavailable ")}
        wrong.append(f"{unavailable:.4%} of the answers were 503: {which}")
    if few:
        wrong.append(f"{len(few)} operations were asked too seldom, such as {few[:5]}")
    if unasked:
        wrong.append(f"there is no token of {unasked}")
    if surely:
        wrong.append(f"asked {ENOUGH} times and never accepted: {sorted(surely)}")
    if accepted < LEAST_ACCEPTED:
        wrong.append(f"only {accepted:.1%} were accepted")
    growth = grown(memory)
    if options.long and slowest > SLOW_SECONDS:
        wrong.append(f"one of a thousand took {slowest:.2f} s or longer")
    if options.long and (growth is None or growth > 1):
        wrong.append(f"bytes in use grew by {growth} a request")
    if house.is_running:
        wrong += afterwards(house, device)
    result = {
        "seed": options.seed, "counted": total["counted"], "accepted": round(accepted, 3),
        "statuses": {name[7:]: count for name, count in sorted(total.items())
                     if name.startswith("status ")},
        "turnedAway": {name[12:]: count for name, count in sorted(total.items())
                       if name.startswith("turned away ")},
        "neverAccepted": sorted(never),
        "lost": total["lost"], "seconds": round(seconds), "p999Seconds": round(slowest, 3),
        "bytesPerRequest": growth, "device": len(device.accepted), "refused": device.refused,
    }
    return result, wrong


def at_rest(house: House) -> float:
    """Bytes that the server has in use after a time without requests; the device goes on."""
    began, values = time.monotonic(), []
    while time.monotonic() - began < REST_SECONDS:
        time.sleep(1)
        values += house.metrics("whereabouts_allocated_bytes").values()
    for value in values[::10]:
        print(f"at rest: {value:.0f} bytes in use", file=sys.stderr, flush=True)
    # The lowest that was seen in the last part: what more there was is on its way.
    return min(values[len(values) // 2:], default=0)


def grown(memory: list) -> float | None:
    """Bytes that stay of a request, from the second quarter to the end."""
    if len(memory) < 2:
        return None
    (before, low), (after, high) = memory
    return round((high - low) / max(1, after - before), 3)


def afterwards(house: House, device: GoodDevice) -> list[str]:
    """The consumers catch up, the device was located, and a new survey is in the map."""
    wrong = []

    def late() -> dict:
        return {name: value for name, value in house.metrics("whereabouts_lag_records").items()
                if value > 0}
    deadline = time.monotonic() + 45  # The gauges are measured every 15 s.
    while late() and time.monotonic() < deadline:
        time.sleep(0.5)
    if late():
        wrong.append(f"still behind: {late()}")
    deadline = time.monotonic() + 30
    while device.located() != len(device.accepted) and time.monotonic() < deadline:
        time.sleep(0.5)
    if device.located() != len(device.accepted) or not device.accepted:
        wrong.append(f"{device.located()} of {len(device.accepted)} scans of the device are located")
    # What was accepted and set aside afterwards is lost: it should have been refused at the door.
    letters = house.postgres.query(
        "SELECT value::json ->> 'topic', value::json ->> 'code', count(*) "
        "FROM log.\"whereabouts.dead-letters\" GROUP BY 1, 2")
    if letters:
        wrong.append(f"set aside after they were accepted: {letters}")
    if set(device.refused) - {503}:
        wrong.append(f"the device was refused: {dict(device.refused)}")
    before = house.surveys() or 0
    house.survey(5)
    deadline = time.monotonic() + 90
    while (house.surveys() or 0) <= before and time.monotonic() < deadline:
        time.sleep(0.5)
    if (house.surveys() or 0) <= before:
        wrong.append("a survey that was sent afterwards is not in the map")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="the folder of the built executables")
    parser.add_argument(
        "--document", type=pathlib.Path, default=ROOT / "docs" / "openapi.json")
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--least", type=int, default=200)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=20_261_122)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", default="", help="operations whose path holds this")
    parser.add_argument("--planted")
    parser.add_argument("--keep", action="store_true", help="leave the folder for a look")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="request-fuzz-"))
    folder.chmod(0o755)
    house = House(options, folder)
    try:
        result, wrong = run(options, house)
    finally:
        status = house.stop()
        if options.keep:
            print(folder, file=sys.stderr)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    if status != 0:
        wrong.append(f"the server ended with {status}")
    print(json.dumps(result | {"wrong": wrong}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
