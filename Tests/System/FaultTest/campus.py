"""The servers and services of one fault test, and how their log and tables are read."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

from brokers import Brokers
from client import LOST
from links import Link, SmallDisk
from programs import command
from servers import Kafka, Postgres, Service, free_ports

SITE = "bush-house"
SERVICES = ["site-editor", "fingerprint-builder", "scan-ingest", "locator", "locator-2", "router"]
BEGAN = time.monotonic()


def say(text: str):
    print(f"{time.monotonic() - BEGAN:7.1f} s  {text}", file=sys.stderr, flush=True)


def add_options(parser):
    here = pathlib.Path(__file__).resolve().parents[3]
    parser.add_argument("--bin", required=True, help="the folder of the built executables")
    parser.add_argument("--log", choices=["postgres", "kafka"], required=True)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000)
    parser.add_argument("--shared", default=os.environ.get("WHEREABOUTS_SHARED", here / "../shared"))
    parser.add_argument("--keep", action="store_true", help="leave the folder for a look")


class Campus:
    """A database, a broker where one is asked for, and each service as a process of its own.

    With `is_apart`, which needs a world of one's own, each server is behind a link that can be cut,
    and the database and the first broker have disks that can be filled.
    """

    def __init__(self, options, folder: pathlib.Path, names=tuple(SERVICES), is_apart=False):
        self.options = options
        self.names = names
        self.folder = folder
        self.bin = pathlib.Path(options.bin).resolve()
        self.services: dict[str, Service] = {}
        self.kafka = self.postgres = None
        self.links: dict[str, Link] = {}
        self.disks: dict[str, SmallDisk] = {}
        try:
            self._start_servers(is_apart)
        except BaseException:
            self.stop()
            raise
        self.ports = dict(zip(names, free_ports(len(names))))
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": os.environ.get("HOME", "/"),
            "WHEREABOUTS_LOG": options.log,
            "DATABASE_URL": self.postgres.url,
            "WHEREABOUTS_SERVICE_SECRET": "fault-test-service-secret-0123456789",
            "WHEREABOUTS_LOG_LEVEL": "warning",
            # A process that ends by a fault of its own says where.
            "SWIFT_BACKTRACE": "enable=yes,color=no",
        }
        if getattr(options, "positioner", None):
            self.environment["WHEREABOUTS_POSITIONER"] = options.positioner
            # A map that chose meanwhile would give other positions than a pass with its choice.
            self.environment["WHEREABOUTS_QUALITY_QUIET"] = "3600s"
        if self.kafka:
            self.environment["KAFKA_BOOTSTRAP_SERVERS"] = self.kafka.bootstrap
        for name in names:
            if name != "locator-2":
                variable = "WHEREABOUTS_" + name.upper().replace("-", "_") + "_URL"
                self.environment[variable] = self.url(name)
        for name in names:
            environment = dict(self.environment)
            environment["WHEREABOUTS_LISTEN"] = f"127.0.0.1:{self.ports[name]}"
            self.services[name] = Service(
                name, command(self.bin, name.removesuffix("-2")), environment,
                folder / f"{name}.log")

    def _start_servers(self, is_apart: bool):
        shared = pathlib.Path(self.options.shared).resolve()
        if is_apart:
            self.disks["postgres"] = SmallDisk(self.folder / "postgres")
            self.links["postgres"] = Link(0)
        self.postgres = Postgres(self.folder, self.links.get("postgres"))
        if self.options.log != "kafka":
            return
        if not is_apart:
            self.kafka = Kafka(self.folder, shared)
            return
        self.disks["broker-1"] = SmallDisk(self.folder / "kafka" / "broker-1")
        for number in range(1, self.options.brokers + 1):
            self.links[f"broker-{number}"] = Link(number)
        self.kafka = Brokers(self.folder, shared, list(self.links.values())[1:])

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.ports[name]}"

    def tool(self, *arguments, **kwargs):
        """The command-line program, as an administrator would run it."""
        return subprocess.run([*command(self.bin, "whereabouts"), *map(str, arguments)],
                              env=self.environment, check=True, **kwargs)

    def replay(self, rate: int, limit: int, accepted: pathlib.Path) -> subprocess.Popen:
        """Offers so many scans, each with one id until it is accepted; writes the accepted ids."""
        return subprocess.Popen(
            [*command(self.bin, "whereabouts"), "replay", str(self.scans), "--rate", str(rate),
             "--limit", str(limit), "--until-accepted", "--accepted", str(accepted)],
            env=self.environment, stdout=subprocess.DEVNULL)

    def start(self):
        for service in self.services.values():
            service.start()
        self.wait_until_ready()

    def wait_until_ready(self, names=None, seconds: float = 240):
        deadline = time.monotonic() + seconds
        for name in names or self.names:
            while not self.is_ready(name):
                if time.monotonic() > deadline:
                    raise SystemExit(
                        f"{name} is not ready after {seconds} s; it said: {self.last_words(name)}")
                time.sleep(0.2)

    def last_words(self, name: str) -> str:
        lines = self.services[name].log.read_text(errors="replace").splitlines()
        return " / ".join(lines[-3:])

    def is_ready(self, name: str) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url(name)}/readyz", timeout=5):
                return True
        except LOST:
            return False

    def arm(self, faults: dict[str, str], planted: str | None = None):
        """Starts the services again, each with its named point."""
        for name, fault in faults.items():
            service = self.services[name]
            service.stop()
            service.environment["WHEREABOUTS_FAULT"] = fault
            if planted:
                service.environment["WHEREABOUTS_PLANTED"] = planted
            service.start()
        self.wait_until_ready(list(faults))

    def import_building(self, devices: int, minutes: float):
        """A simulated building with its surveys; its scans are in `self.scans` after that."""
        self.environment["WHEREABOUTS_TOKEN"] = self.tool(
            "token", "create", "--role", "administrator", "--plain",
            capture_output=True, text=True).stdout.strip()
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
        if self.postgres:
            self.postgres.stop()
        for part in [*self.disks.values(), *self.links.values()]:
            part.remove()

    def values(self, topic: str) -> list[dict]:
        """What the topic's records say; compacted topics' tombstones are left out.

        Of each partition in the order of the log.
        """
        if self.kafka:
            lines = self.kafka.read(f"whereabouts.{topic}", "%s")
        else:
            lines = [row[0] for row in self.postgres.query(
                f'SELECT value FROM log."whereabouts.{topic}" WHERE value IS NOT NULL '
                'ORDER BY partition, "offset"')]
        return [json.loads(line) for line in lines]

    def is_view_at_end(self, schema: str, topic: str) -> bool:
        """Whether the view has read all of the topic; on Kafka that is not known, and False."""
        if self.kafka:
            return False
        return self._is_none(f"""
            SELECT count(*) FROM log.partitions p JOIN log.topics t ON t.id = p.topic
            LEFT JOIN {schema}.view_positions v ON v.topic = t.name AND v.partition = p.partition
            WHERE t.name = 'whereabouts.{topic}' AND p.next_offset > coalesce(v.next_offset, 0)""")

    def is_all_located(self) -> bool:
        """Whether the locators have read all scans and their view all positions, as above."""
        if self.kafka:
            return False
        return self._is_none("""
            SELECT count(*) FROM log.partitions p JOIN log.topics t ON t.id = p.topic
            LEFT JOIN log.group_partitions g
                ON g.topic = p.topic AND g.partition = p.partition AND g.group_name = 'locator'
            WHERE t.name = 'whereabouts.scans' AND p.next_offset > coalesce(g.next_offset, 0)
            """) and self.is_view_at_end("locator", "positions")

    def _is_none(self, question: str) -> bool:
        try:
            return self.postgres.query(question) == [["0"]]
        except subprocess.CalledProcessError:
            return False

    def has_position(self, scan: str, since: float) -> bool:
        """Whether the scan, accepted after the moment, has a position in the log."""
        try:
            if self.kafka:
                return any(scan in line for line in self.kafka.read(
                    "whereabouts.positions", "%s", f"s@{int((since - 10) * 1000)}", patience=10))
            return self.postgres.query(
                'SELECT count(*) FROM log."whereabouts.positions" '
                f"WHERE appended_at > to_timestamp({since - 10}) AND value LIKE '%{scan}%'"
            ) != [["0"]]
        except (subprocess.CalledProcessError, SystemExit):
            return False

    def first_positions_after(self, moment: float) -> dict[int, float]:
        """For each partition, when the first position after the moment was appended."""
        if self.kafka:
            # From a little before the moment: a reader of committed records that starts at the end
            # of a partition waits while a transaction is open there.
            start = f"s@{int((moment - 10) * 1000)}"
            lines = self.kafka.read("whereabouts.positions", "%p %T", start, patience=10)
            rows = [(int(partition), int(time) / 1000)
                    for partition, time in map(str.split, lines)]
        else:
            rows = [(int(partition), float(time)) for partition, time in self.postgres.query(
                'SELECT partition, extract(epoch FROM min(appended_at)) '
                f'FROM log."whereabouts.positions" WHERE appended_at > to_timestamp({moment}) '
                'GROUP BY partition')]
        first: dict[int, float] = {}
        for partition, time in rows:
            if time > moment:
                first[partition] = min(time, first.get(partition, time))
        return first


def run_on_campus(
        kind: str, options, run, names=tuple(SERVICES), keeps_logs: bool = True,
        is_apart: bool = False) -> int:
    """Gives the test a campus in a fresh folder, prints its outcome and gives the exit status.

    `run` gives what it has counted, and a sentence for each thing that is wrong; without any it has
    succeeded. The logs of a run that failed are left for a look, unless it was known to fail.
    """
    say(f"seed {options.seed}")
    # So that what was started is stopped also then.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"whereabouts-{kind}."))
    folder.chmod(0o755)
    campus, is_whole = None, False
    try:
        campus = Campus(options, folder, names, is_apart)
        outcome, wrong = run(options, campus)
        is_whole = not wrong
        print(json.dumps({**outcome, "wrong": wrong[:20], "ok": is_whole}))
        return 0 if is_whole else 1
    finally:
        if campus:
            campus.stop()
        if options.keep or (keeps_logs and not is_whole):
            say(f"logs are in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
