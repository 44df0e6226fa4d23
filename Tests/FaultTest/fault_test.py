"""Kills everything while scans come in, then counts what went in and what came out.

Runs the built executables as separate processes under a supervisor, offers scans at a fixed rate,
sends SIGKILL to each process, to the database and to the broker at moments drawn from a seed, and
lets the services die at named points besides. Each accepted scan must have exactly one position in
the log and exactly one row in the view. Log and tables are read with psql and kcat: nothing of the
project takes part in the count.

    fault_test.py --bin FOLDER --log postgres|kafka [--scans 100000] [--rate 500] [--kills 5]
                  [--seed N] [--planted offsets-before-rows] [--shared FOLDER]

The last line of stdout is one JSON object; the exit status is 0 when nothing was lost or doubled.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from servers import Kafka, Postgres, Service, free_port  # noqa: E402

SITE = "bush-house"


def say(text: str):
    print(text, file=sys.stderr, flush=True)


class Campus:
    """The servers, the services and the scans of one run."""

    def __init__(self, options, folder: pathlib.Path):
        self.options = options
        self.folder = folder
        self.bin = pathlib.Path(options.bin).resolve()
        self.postgres = Postgres(folder)
        self.kafka = Kafka(folder, pathlib.Path(options.shared)) if options.log == "kafka" else None
        names = ["site-editor", "fingerprint-builder", "scan-ingest", "locator", "locator-2"]
        self.ports = {name: free_port_other_than(i) for i, name in enumerate(names)}
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": os.environ.get("HOME", "/"),
            "WHEREABOUTS_LOG": options.log,
            "DATABASE_URL": self.postgres.url,
            "WHEREABOUTS_SERVICE_SECRET": "fault-test-service-secret-0123456789",
            "WHEREABOUTS_LOG_LEVEL": "warning",
        }
        if self.kafka:
            self.environment["KAFKA_BOOTSTRAP_SERVERS"] = self.kafka.bootstrap
        for name in names:
            variable = "WHEREABOUTS_" + name.upper().replace("-", "_") + "_URL"
            if name != "locator-2":
                self.environment[variable] = f"http://127.0.0.1:{self.ports[name]}"
        faults = {
            "site-editor": "outbox-appended:3",
            "fingerprint-builder": "rows-before-commit:40",
            "scan-ingest": "appended-before-answer:8000",
            "locator": "inside-transaction:1500",
            "locator-2": "rows-before-commit:1500",
        }
        self.services = {}
        for name in names:
            environment = dict(self.environment)
            environment["WHEREABOUTS_LISTEN"] = f"127.0.0.1:{self.ports[name]}"
            environment["WHEREABOUTS_FAULT"] = faults[name]
            if options.planted:
                environment["WHEREABOUTS_PLANTED"] = options.planted
            executable = self.bin / name.removesuffix("-2")
            self.services[name] = Service(
                name, [str(executable)], environment, folder / f"{name}.log")

    def tool(self, *arguments, **kwargs):
        """The command-line program, as an administrator would run it."""
        return subprocess.run([str(self.bin / "whereabouts"), *map(str, arguments)],
                              env=self.environment, check=True, **kwargs)

    def wait_until_ready(self):
        deadline = time.monotonic() + 120
        for name, port in self.ports.items():
            while True:
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2):
                        break
                except OSError:
                    if time.monotonic() > deadline:
                        raise SystemExit(f"{name} did not become ready; see {self.folder}")
                    time.sleep(0.2)

    def prepare(self):
        self.wait_until_ready()
        token = self.tool("token", "create", "--role", "administrator", "--plain",
                          capture_output=True, text=True).stdout.strip()
        self.environment["WHEREABOUTS_TOKEN"] = token
        # A device scans every 4 s: as many devices as give the rate.
        devices = self.options.rate * 4
        minutes = max(1, -(-self.options.scans // self.options.rate) / 60)
        building = self.folder / "building"
        self.tool("simulate", "--seed", self.options.seed, "--devices", devices,
                  "--minutes", f"{minutes:.3f}", "--output", building,
                  stdout=subprocess.DEVNULL)
        self.scans = self.folder / "scans.jsonl.gz"
        self.tool("import", "jsonl", building, "--site", SITE, "--scans", self.scans,
                  stdout=subprocess.DEVNULL)

    def stop(self):
        for service in self.services.values():
            service.stop()
        if self.kafka:
            self.kafka.stop()
        self.postgres.stop()

    def positions_in_log(self) -> list[str]:
        if self.kafka:
            values = self.kafka.values("whereabouts.positions")
        else:
            rows = self.postgres.query(
                "SELECT convert_from(value, 'UTF8') FROM log.read('whereabouts.positions')")
            values = [row[0] for row in rows]
        return [json.loads(value)["scanId"] for value in values]

    def positions_in_view(self) -> list[str]:
        return [row[0] for row in self.postgres.query("SELECT scan_id FROM locator.positions")]


_ports = []


def free_port_other_than(index: int) -> int:
    while len(_ports) <= index:
        start = (_ports[-1] if _ports else 23000 + os.getpid() % 5000) + 1
        import socket
        for port in range(start, 32000):
            with socket.socket() as probe:
                try:
                    probe.bind(("127.0.0.1", port))
                except OSError:
                    continue
            _ports.append(port)
            break
    return _ports[index]


class Killer(threading.Thread):
    """Kills each target `kills` times at moments spread over the load, drawn from the seed."""

    def __init__(self, campus: Campus, seconds: float):
        super().__init__(daemon=True)
        self.campus = campus
        generator = random.Random(campus.options.seed)
        targets = list(campus.services) + ["postgres"] + (["kafka"] if campus.kafka else [])
        self.plan = sorted(
            (generator.uniform(0.03, 0.92) * seconds, target)
            for target in targets for _ in range(campus.options.kills))
        self.ending = threading.Event()

    def run(self):
        began = time.monotonic()
        for moment, target in self.plan:
            if self.ending.wait(max(0.0, moment - (time.monotonic() - began))):
                return
            say(f"   {moment:7.1f} s  SIGKILL {target}")
            if target in self.campus.services:
                self.campus.services[target].kill()
            else:
                server = self.campus.postgres if target == "postgres" else self.campus.kafka
                server.kill()
                server.start()


def settle(campus: Campus, wanted: int, seconds: float):
    """Waits until log and view have stopped growing, or hold what is wanted."""
    deadline = time.monotonic() + seconds
    before, since = (-1, -1), time.monotonic()
    while time.monotonic() < deadline:
        try:
            now = (len(campus.positions_in_log()), len(campus.positions_in_view()))
        except subprocess.CalledProcessError:
            time.sleep(1)
            continue
        if now != before:
            before, since = now, time.monotonic()
        if min(now) >= wanted and time.monotonic() - since > 3:
            return
        if time.monotonic() - since > 40:
            return
        time.sleep(1)


def count(ids: list[str], accepted: set[str]) -> dict:
    seen = collections.Counter(ids)
    return {
        "missing": sum(1 for scan in accepted if seen[scan] == 0),
        "doubled": sum(1 for scan, times in seen.items() if times > 1),
        "notAccepted": sum(1 for scan in seen if scan not in accepted),
    }


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--log", choices=["postgres", "kafka"], required=True)
    parser.add_argument("--scans", type=int, default=100_000)
    parser.add_argument("--rate", type=int, default=500)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000)
    parser.add_argument("--planted")
    parser.add_argument("--keep", action="store_true", help="leave the folder for a look")
    here = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--shared", default=os.environ.get("WHEREABOUTS_SHARED", here / "../shared"))
    options = parser.parse_args()
    say(f"seed {options.seed}")

    folder = pathlib.Path(tempfile.mkdtemp(prefix="whereabouts-fault."))
    folder.chmod(0o755)
    campus = None
    try:
        campus = Campus(options, folder)
        campus.prepare()
        say(f"   offering {options.scans} scans at {options.rate} a second")
        killer = Killer(campus, options.scans / options.rate)
        accepted_file = folder / "accepted.txt"
        killer.start()
        campus.tool("replay", campus.scans, "--rate", options.rate, "--limit", options.scans,
                    "--until-accepted", "--accepted", accepted_file, stdout=subprocess.DEVNULL)
        killer.join(timeout=120)
        killer.ending.set()
        accepted = set(accepted_file.read_text().split())
        settle(campus, len(accepted), 240)
        in_log, in_view = campus.positions_in_log(), campus.positions_in_view()
        log, view = count(in_log, accepted), count(in_view, accepted)
        kills = {name: service.kills for name, service in campus.services.items()}
        kills["postgres"] = campus.postgres.kills
        if campus.kafka:
            kills["kafka"] = campus.kafka.kills
        deaths = {name: service.deaths for name, service in campus.services.items()}
        # A position of a scan whose client never heard of its acceptance is no fault: the answer
        # was lost on the way, and the sender gave up.
        whole = (
            log["missing"] == log["doubled"] == 0 and view["missing"] == view["doubled"] == 0
            and sorted(in_log) == sorted(in_view)
            and len(accepted) >= 0.99 * options.scans)
        print(json.dumps({
            "log": options.log, "seed": options.seed, "offered": options.scans,
            "accepted": len(accepted), "positionsInLog": len(in_log),
            "positionsInView": len(in_view), "logFaults": log, "viewFaults": view,
            "kills": kills, "deaths": deaths, "ok": whole}))
        if not whole:
            options.keep = True
        return 0 if whole else 1
    finally:
        if campus:
            campus.stop()
        if options.keep:
            say(f"   logs are in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


sys.exit(main())
