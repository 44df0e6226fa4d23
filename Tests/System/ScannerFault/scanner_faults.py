#!/usr/bin/env python3
"""A day of a scanner's scans, with the network cut, the program killed, and the power lost.

    scanner_faults.py --bin .build/release [--scans 17280] [--cuts 50] [--kills 50] [--losses 20] [--seed N]
    scanner_faults.py --bin .build/release --scans 2000 --cuts 6 --kills 6 --losses 6     # half a minute

The server here refuses, hangs up and loses answers besides. At the end it must have each scan's id, with one content,
but for those that a loss of power costs. Such a loss cuts each file of the spool at any byte after its last fsync, and
no byte there may be older than a second. The program's own calls of write and fsync tell both (disk_times.c, which
needs a C compiler). The last line of standard output is JSON. Canaries show that a lost scan, and an fsync that does
nothing, would be noticed.
"""
import argparse
import collections
import http.server
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid

# A whole scan, as it lies in a file.
SCAN = re.compile(rb'\{"id":"([0-9a-f-]{36})"[^\x00]*?\}\]\}')
# The most seconds for which a byte may lie in a file before it is on the disk.
OLDEST_SECONDS = 1.0
HERE = os.path.dirname(os.path.abspath(__file__))


class DiskTimes:
    """What a program writes and syncs, as its own calls tell."""

    def __init__(self, folder, spool, is_blind):
        self.notes = os.path.join(folder, "disk-times")
        library = os.path.join(folder, "disk_times.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, os.path.join(HERE, "disk_times.c"), "-ldl"],
                       check=True)
        self.environment = os.environ | {
            "LD_PRELOAD": library, "DISK_TIMES": self.notes, "DISK_TIMES_FOLDER": os.path.realpath(spool)}
        self.is_blind = is_blind
        self.position = 0
        self.synced = {}
        self.writes = collections.defaultdict(list)

    def read(self):
        """Takes what was noted since the last reading."""
        try:
            with open(self.notes, "rb") as file:
                file.seek(self.position)
                content = file.read()
        except FileNotFoundError:
            return
        self.position += len(content)
        for line in content.decode().splitlines():
            kind, moment, size, path = line.split(" ", 3)
            name = os.path.basename(path)
            if kind == "w":
                # A file that is shorter than before is another one of this name.
                if self.writes[name] and self.writes[name][-1][0] >= int(size):
                    self.writes[name], self.synced[name] = [], 0
                self.writes[name].append((int(size), int(moment)))
            elif not self.is_blind:
                self.synced[name] = max(self.synced.get(name, 0), int(size))

    def unsynced(self, name, size):
        """The first byte that may be lost, and when the oldest of those came."""
        first = min(self.synced.get(name, 0), size)
        return first, next((moment for end, moment in self.writes[name] if first < end <= size), None)


class Server:
    """Takes scans, and fails as often as it is told."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.is_cut = False
        self.contents = {}
        self.twice = 0
        self.faults = collections.Counter()
        self.lock = threading.Lock()
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def hang_up(self):
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)

            def do_POST(self):
                if server.is_cut:
                    return self.hang_up()
                body = self.rfile.read(int(self.headers["content-length"]))
                with server.lock:
                    chance = server.random.random()
                    if chance < 0.03:
                        server.faults["hung up before"] += 1
                        return self.hang_up()
                    if chance < 0.06:
                        server.faults["503"] += 1
                        return self.answer(503, b'{"code":"log-behind"}')
                    server.take(body)
                    if chance < 0.09:
                        server.faults["answer lost"] += 1
                        return self.hang_up()
                self.answer(202, b'{"accepted":1,"rejected":[]}')

            def answer(self, status, body):
                self.send_response(status)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        # A killed scanner leaves broken connections behind.
        self.http.handle_error = lambda *_: None
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def take(self, body):
        for line in body.splitlines():
            scan = json.loads(line)
            assert scan.pop("sentAt"), "no time of sending"
            content = json.dumps(scan, sort_keys=True)
            known = self.contents.setdefault(scan["id"], content)
            assert known == content, f"{scan['id']} came with another content"
            self.twice += known is not content


class Scanner:
    def __init__(self, options, folder):
        self.command = [os.path.join(options.bin, "scanner"), "run", "--from", "-", "--state", folder]
        self.spool = os.path.join(folder, "spool")
        self.times = DiskTimes(folder, self.spool, options.blind)
        self.oldest_seconds = 0.0
        self.cut_bytes = 0
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.times.environment)

    def feed(self, scans):
        """Returns those that the program's pipe did not take."""
        for index, scan in enumerate(scans):
            try:
                self.process.stdin.write((json.dumps(scan) + "\n").encode())
                self.process.stdin.flush()
            except BrokenPipeError:
                return scans[index:]
        return []

    def kill(self):
        """Returns when it was killed, in nanoseconds."""
        moment = time.monotonic_ns()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        return moment

    def kept(self):
        """The ids in the spool's files."""
        found = set()
        if not os.path.isdir(self.spool):
            return found
        for name in os.listdir(self.spool):
            with open(os.path.join(self.spool, name), "rb") as file:
                found.update(match.decode() for match in SCAN.findall(file.read()))
        return found

    def lose_power(self, chance, moment):
        """Cuts each file at any byte that may not be on the disk. Returns the ids that went."""
        before = self.kept()
        self.times.read()
        for name in sorted(os.listdir(self.spool) if os.path.isdir(self.spool) else []):
            if name.startswith("position"):
                continue
            path = os.path.join(self.spool, name)
            size = os.path.getsize(path)
            first, since = self.times.unsynced(name, size)
            if since is not None:
                self.oldest_seconds = max(self.oldest_seconds, (moment - since) / 1e9)
            cut = chance.randint(first, size)
            self.cut_bytes += size - cut
            os.truncate(path, cut)
        return before - self.kept()


def scan(number, chance):
    at = 1_800_000_000 + 5 * number
    return {
        "id": str(uuid.UUID(int=(at * 1000 << 80) | 7 << 76 | 2 << 62 | number)),
        "at": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(at)),
        "wifi": [{"bssid": f"02:11:22:00:00:{i:02x}", "ssid": "museum", "rssi": chance.randint(-90, -30)}
                 for i in range(12)],
    }


def run(options):
    chance = random.Random(options.seed)
    server = Server(options.seed)
    folder = tempfile.mkdtemp(prefix="scanner-faults-")
    with open(os.path.join(folder, "enrolment.json"), "w", encoding="utf-8") as file:
        json.dump({"server": f"http://127.0.0.1:{server.http.server_port}", "token": "wab_test",
                   "site": "museum", "scanner": "pi-1"}, file)
    scans = [scan(number, chance) for number in range(options.scans)]
    events = ["cut"] * options.cuts + ["kill"] * options.kills + ["loss"] * options.losses
    chance.shuffle(events)
    scanner = Scanner(options, folder)
    lost = set()
    share = max(1, len(scans) // (len(events) + 1))
    for start in range(0, len(scans), share):
        piece = scans[start:start + share]
        event = events.pop() if events else None
        middle = chance.randrange(len(piece))
        if event == "loss":
            # The scans wait in the spool, and come before and after syncs.
            server.is_cut = True
            for one in piece[:middle]:
                scanner.feed([one])
                time.sleep(chance.random() * 0.03)
        else:
            scanner.feed(piece[:middle])
            time.sleep(chance.random() * 0.15)
        if event == "cut":
            server.is_cut = True
            time.sleep(chance.random() * 0.4)
        elif event:
            moment = scanner.kill()
            with server.lock:
                there = set(server.contents) | scanner.kept()
            if event == "loss":
                with server.lock:
                    lost |= scanner.lose_power(chance, moment) - set(server.contents)
            # A pipe loses what nobody read; its writer sends that again.
            unread = [s for s in scans[:start + middle] if s["id"] not in there and s["id"] not in lost]
            server.is_cut = False
            scanner.start()
            scanner.feed(unread)
        scanner.feed(piece[middle:])
        # The canary needs scans that wait.
        server.is_cut = options.canary
    if options.canary:
        time.sleep(0.5)
        scanner.kill()
        for name in os.listdir(scanner.spool):
            os.unlink(os.path.join(scanner.spool, name))
        server.is_cut = False
        scanner.start()
    scanner.process.stdin.close()
    scanner.process.wait(timeout=120)
    expected = {s["id"] for s in scans} - lost
    missing = expected - set(server.contents)
    print(f"{dict(server.faults)}; {len(missing)} missing", file=sys.stderr)
    return {"scans": len(scans), "received": len(server.contents), "missing": len(missing),
            "strangers": len(set(server.contents) - {s["id"] for s in scans}),
            "sentTwice": server.twice, "lostWithPower": len(lost), "cutBytes": scanner.cut_bytes,
            "oldestUnsyncedSeconds": round(scanner.oldest_seconds, 3)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--canary", action="store_true", help="deletes the spool; scans must be missing")
    parser.add_argument("--blind", action="store_true", help="overlooks each fsync; bytes must be too old")
    for name, number in [("scans", 17_280), ("cuts", 50), ("kills", 50), ("losses", 20)]:
        parser.add_argument(f"--{name}", type=int, default=number)
    options = parser.parse_args()
    begin = time.monotonic()
    result = run(options)
    result["seconds"] = round(time.monotonic() - begin, 1)
    is_whole = result["missing"] == 0 and result["strangers"] == 0
    is_young = result["oldestUnsyncedSeconds"] <= OLDEST_SECONDS
    result["wrong"] = ([] if is_whole else ["scans are missing or strange"]) + (
        [] if is_young else ["bytes older than a second were not on the disk"])
    print(json.dumps(result))
    return 0 if (is_whole, is_young) == (not options.canary, not options.blind) else 1


if __name__ == "__main__":
    sys.exit(main())
