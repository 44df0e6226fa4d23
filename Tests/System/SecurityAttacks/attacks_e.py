"""E1: strangers who only pass by, looked for afterwards in every file, and in Kafka in every record.

A day of a thousand telephones and two hundred hotspots is sent to a house of its own. Its pseudonyms
change an hour from now, so that scans of the last 22 hours are of one day.
"""

import contextlib
import datetime
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import tempfile
import time
import zoneinfo

from house_of_attacks import ROOT, House, attack, control, refuse, scan
from servers import Kafka

TELEPHONES, ADDRESSES, HOTSPOTS = 1_000, 6, 200
BATCH = 250
DAY_HOURS = 22
# The first three bytes of all strangers' addresses of this run.
MAKER = bytes([0x5e, *random.randbytes(2)])
HOTSPOT = f"hotspot-{random.randbytes(4).hex()}"
KNOWN = {"bssid": "02:00:00:00:00:00", "ssid": "museum", "rssi": -50}


def colons(address: bytes) -> str:
    return address.hex(":")


def places(data: bytes, word: bytes):
    at = data.find(word)
    while at >= 0:
        yield at
        at = data.find(word, at + 1)


def found(folder: pathlib.Path, addresses: set[bytes], words: list[bytes]) -> list[str]:
    """The files with one of these addresses, as bytes in either order or as text, or of these words."""
    texts = re.compile(rb"[:-]?".join(f"{byte:02x}".encode() for byte in MAKER) + rb"(?:[:-]?[0-9a-f]{2}){3}")
    half = len(MAKER)
    names = []
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            data = path.read_bytes() if path.is_file() else b""
            hits = set()
            if addresses:
                hits.update(bytes.fromhex(re.sub(rb"[:-]", b"", hit).decode())
                            for hit in texts.findall(data.lower()))
                hits.update(data[at:at + 2 * half] for at in places(data, MAKER))
                hits.update(data[at - half:at + half][::-1] for at in places(data, MAKER[::-1]) if at >= half)
            if addresses & hits or any(word in data for word in words):
                names.append(str(path.relative_to(folder)))
    return names


class Street(House):
    """A house with rules of its own networks, past which people walk. Its log is PostgreSQL."""

    def open(self):
        hour = datetime.datetime.now(zoneinfo.ZoneInfo("Europe/London")).hour
        self.start({"WHEREABOUTS_DAY_BEGINS": str((hour + 1) % 24)})
        tag = self.get("/v1/sites/a?version=draft", self.owner).headers["etag"]
        rules = {"accessPoints": {"allow": [{"ssid": KNOWN["ssid"]}, *(
            {"address": reading["bssid"]} for reading in scan(5, 4)["wifi"])]}}
        answer = self.send("PATCH", "/v1/sites/a", self.owner, rules, {"if-match": tag})
        control(answer.is_good, f"names its own networks: {answer}")
        answer = self.send(
            "POST", "/v1/sites/a/publish", self.owner, {}, {"if-match": answer.headers["etag"]})
        control(answer.is_good, f"publishes them: {answer}")
        self.gateway = self.token("gateway", "a")

    def send_all(self, scans: list[dict]):
        for first in range(0, len(scans), BATCH):
            answer = self.send("POST", "/v1/scans", self.gateway, scans[first:first + BATCH], seconds=120)
            control(answer.status == 202 and not answer.json.get("rejected"), f"a batch: {answer}")

    def scans_with(self, text: str) -> int:
        """The scans of the log that contain the text."""
        return int(self.query("SELECT count(*) FROM log.\"whereabouts.scans\""
                              f" WHERE value LIKE '%{text}%'")[0][0])

    def write_all(self):
        """Ends both servers. Only then are unlogged tables written out of PostgreSQL's memory."""
        self.end()
        self.postgres.process.send_signal(signal.SIGINT)
        self.postgres.process.wait(timeout=60)


class KafkaStreet(Street):
    """The same, and its log is an Apache Kafka of its own."""

    def listen(self):
        super().listen()
        self.kafka = Kafka(self.folder, pathlib.Path(
            os.environ.get("WHEREABOUTS_SHARED", ROOT / "../shared")).resolve())
        self.environment |= {
            "WHEREABOUTS_LOG": "kafka", "KAFKA_BOOTSTRAP_SERVERS": self.kafka.bootstrap}

    def scans_with(self, text: str) -> int:
        return sum(text in scan for scan in self.kafka.read("whereabouts.scans", "%s"))

    def write_all(self):
        """Also writes each topic's records to a file, since Kafka's own files are compressed."""
        self.end()
        listing = subprocess.run(
            ["kcat", "-L", "-J", "-b", self.kafka.bootstrap], check=True, capture_output=True).stdout
        for topic in (topic["topic"] for topic in json.loads(listing)["topics"]):
            if topic.startswith("whereabouts."):
                records = self.kafka.read(topic, "%k %h %s", patience=300)
                (self.folder / f"records-of-{topic}").write_text(
                    "\n".join(records), errors="surrogateescape")
        control((self.folder / "records-of-whereabouts.scans").stat().st_size > 0,
                "the scans' records are in a file")
        self.kafka.stop()
        super().write_all()

    def stop(self):
        self.kafka.stop()
        super().stop()


@contextlib.contextmanager
def street(house, kind=Street):
    with tempfile.TemporaryDirectory(prefix="street-", ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        made = kind(house.programs, folder)
        try:
            made.open()
            yield made
        finally:
            made.stop()


@attack("E1", "a telephone's address that only others heard, of a whole day, lies in a file")
def telephones(house, kind=Street):
    with street(house, kind) as passed:
        addresses = [MAKER + number.to_bytes(3) for number in random.sample(
            range(1 << 24), TELEPHONES * ADDRESSES)]
        now = time.time()
        scans = [{
            "device": address.hex("-").upper(), "site": "a",
            "at": datetime.datetime.fromtimestamp(
                now - random.random() * DAY_HOURS * 3600, datetime.UTC).isoformat(),
            "heardBy": [{"scanner": f"node-{number % 5}", "rssi": -random.randint(40, 90)}],
        } for number, address in enumerate(addresses)]
        passed.wait("the day's key is there", 60, lambda: passed.send(
            "POST", "/v1/scans", passed.gateway, scans[:1]).json.get("accepted") == 1)
        passed.send_all(scans[1:])
        passed.wait("all are located", 300, lambda: int(passed.query(
            "SELECT count(DISTINCT device) FROM locator.positions WHERE device LIKE 'anon-%'")[0][0])
            >= len(scans))
        passed.write_all()
        control(found(passed.folder, set(), [b"phone-a"]) != [], "a known device is in a file")
        planted = [addresses[0], addresses[1][::-1], addresses[2].hex().encode(), colons(addresses[3]).encode()]
        for number, text in enumerate(planted):
            (passed.folder / f"planted-{number}").write_bytes(b"text " + text + b" text")
        control(len(found(passed.folder, set(addresses), [])) >= len(planted), "planted addresses are found")
        for number in range(len(planted)):
            (passed.folder / f"planted-{number}").unlink()
        names = found(passed.folder, set(addresses), [])
        refuse(not names, f"addresses are in {names}")


@attack("E1", "the same, in Kafka's topics or files", is_long=True)
def telephones_on_kafka(house):
    telephones(house, KafkaStreet)


@attack("E1", "a hotspot that passes by is in a scan, a survey, a dead letter, or a file of them")
def hotspots(house, kind=Street):
    with street(house, kind) as passed:
        addresses = [MAKER + number.to_bytes(3) for number in random.sample(range(1 << 24), HOTSPOTS)]
        strange = [{"bssid": colons(address), "ssid": f"{HOTSPOT}-{number}", "rssi": -60}
                   for number, address in enumerate(addresses)]
        device = passed.token("device", "a", device="tablet")
        # The rules come to scan-ingest within seconds; until then a site keeps all networks.
        marker = scan(5, 4)["wifi"] + [KNOWN, {
            "bssid": "06:00:00:00:00:99", "ssid": "unknown-marker", "rssi": -60}]

        def knows_rules() -> bool:
            before = passed.scans_with("unknown-marker")
            control(passed.send("POST", "/v1/scans", device, {"wifi": marker}).status == 202, "a scan")
            return before == passed.scans_with("unknown-marker")
        passed.wait("the rules are known", 60, knows_rules)
        for first in range(0, HOTSPOTS, 10):
            some = strange[first:first + 10]
            body = {"wifi": scan(5, 4)["wifi"] + [KNOWN] + some, "ble": [
                {"address": reading["bssid"], "rssi": -60} for reading in some]}
            control(passed.send("POST", "/v1/scans", device, body).status == 202, "a scan")
            control(passed.survey(first % 24, wifi=body["wifi"]).status == 202, "a survey")
            broken = json.dumps(body | {"site": "a", "at": "yesterday"})
            passed.send("POST", "/v1/scans", device, broken.encode())
        passed.wait("a scan is in the log", 30, lambda: passed.scans_with(KNOWN["ssid"]))
        passed.write_all()
        names = found(passed.folder, set(addresses), [HOTSPOT.encode()])
        refuse(not names, f"hotspots are in {names}")


@attack("E1", "the same, in Kafka's topics or files", is_long=True)
def hotspots_on_kafka(house):
    hotspots(house, KafkaStreet)


@attack("E1", "a key of the day before yesterday is left, in memory's table or in a file")
def keys(house):
    with street(house) as passed:
        secrets = passed.wait("there are keys", 60, lambda: passed.query(
            "SELECT encode(secret, 'hex') FROM site_editor.day_keys WHERE site = 'a'"))
        passed.write_all()
        known = [bytes.fromhex(row[0]) for row in secrets]
        control(all(found(passed.folder, set(), [key]) for key in known), "keys are in the table's file")
        passed.postgres.start()
        # Three days later, told by the keys. The server's own clock is not moved: what moves it also
        # keeps timers from going off.
        passed.query("UPDATE site_editor.day_keys SET begins = begins - interval '3 days',"
                     " ends = ends - interval '3 days'")
        passed.start(passed.settings)
        passed.wait("new keys are there", 60, lambda: not {row[0] for row in secrets} & {
            row[0] for row in passed.query("SELECT encode(secret, 'hex') FROM site_editor.day_keys")})
        passed.write_all()
        names = {name for key in known for name in found(passed.folder, set(), [key])}
        refuse(not names, f"keys are in {names}")
