"""Private servers and supervised processes for the fault test. Only Python's own library."""

import os
import pathlib
import pwd
import signal
import socket
import subprocess
import threading
import time


def free_port() -> int:
    """A port below the ephemeral range, so that no client's own port can take it in between."""
    for port in range(21000 + os.getpid() % 8000, 32000):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise SystemExit("no free port below 32000")


def database_identity() -> dict:
    """PostgreSQL refuses to run as root; then it runs as the user that its package made."""
    if os.geteuid() != 0:
        return {}
    user = pwd.getpwnam("postgres")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Postgres:
    """A private PostgreSQL with fsync on, reachable through a socket in its own folder."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder / "postgres"
        found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        if not found:
            raise SystemExit("PostgreSQL's server is not installed (apt install postgresql)")
        self.bin = found[-1]
        self.identity = database_identity()
        self.folder.mkdir()
        if self.identity:
            os.chown(self.folder, self.identity["user"], self.identity["group"])
        self._run("initdb", "-D", self.folder, "-U", "whereabouts", "-A", "trust", "-E", "UTF8",
                  "--locale=C.UTF-8")
        self.url = f"postgresql://whereabouts@/postgres?host={self.folder}"
        self.process = None
        self.kills = 0
        self.start()

    def _run(self, program, *arguments):
        subprocess.run([self.bin / program, *map(str, arguments)], check=True, cwd="/",
                       stdout=subprocess.DEVNULL, **self.identity)

    def start(self):
        log = open(self.folder.parent / "postgres.log", "ab")
        self.process = subprocess.Popen(
            [self.bin / "postgres", "-D", self.folder, "-c", "listen_addresses=",
             "-c", f"unix_socket_directories={self.folder}", "-c", "max_connections=200"],
            stdout=log, stderr=log, cwd="/", start_new_session=True, **self.identity)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            ready = subprocess.run(
                [self.bin / "pg_isready", "-q", "-h", str(self.folder), "-U", "whereabouts"])
            if ready.returncode == 0:
                return
            if self.process.poll() is not None:
                # The former server's children may still hold the shared memory for a moment.
                time.sleep(0.3)
                return self.start()
            time.sleep(0.1)
        raise SystemExit(f"PostgreSQL did not start; see {self.folder.parent}/postgres.log")

    def kill(self):
        """SIGKILL to the server itself, as a crash would; its children notice and end."""
        self.kills += 1
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(timeout=30)

    def query(self, sql: str) -> list[list[str]]:
        """Rows of text, through psql."""
        done = subprocess.run(
            ["psql", "-X", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", self.url,
             "-c", sql], check=True, capture_output=True, text=True)
        return [line.split("\t") for line in done.stdout.splitlines() if line]


class Kafka:
    """A private Apache Kafka of one broker, started by the data folder's script."""

    def __init__(self, folder: pathlib.Path, shared: pathlib.Path):
        self.script = shared / "kafka"
        self.folder = folder / "kafka"
        self.port = free_port()
        self.bootstrap = f"127.0.0.1:{self.port}"
        self.kills = 0
        self.start()

    def start(self):
        subprocess.run([self.script / "start", str(self.port), self.folder], check=True,
                       stdout=subprocess.DEVNULL)

    def kill(self):
        self.kills += 1
        broker = int((self.folder / "broker-1" / "pid").read_text())
        os.kill(broker, signal.SIGKILL)
        while pathlib.Path(f"/proc/{broker}").exists() and not is_zombie(broker):
            time.sleep(0.05)

    def stop(self):
        subprocess.run([self.script / "stop", self.folder], stdout=subprocess.DEVNULL)

    def values(self, topic: str) -> list[str]:
        """Every committed value of the topic, through kcat."""
        done = subprocess.run(
            ["kcat", "-C", "-b", self.bootstrap, "-t", topic, "-o", "beginning", "-e", "-q",
             "-X", "isolation.level=read_committed", "-f", "%s\n"],
            check=True, capture_output=True, text=True)
        return [line for line in done.stdout.splitlines() if line]


def is_zombie(process: int) -> bool:
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


class Service:
    """A process that is started again whenever it dies, as a container's restart policy does."""

    def __init__(self, name: str, command: list[str], environment: dict, log: pathlib.Path):
        self.name = name
        self.command = command
        self.environment = environment
        self.log = log
        self.kills = 0
        self.deaths = 0
        self.stopping = False
        self.guard = threading.Lock()
        self.process = self._spawn()
        self.keeper = threading.Thread(target=self._keep, daemon=True)
        self.keeper.start()

    def _spawn(self):
        log = open(self.log, "ab")
        return subprocess.Popen(self.command, env=self.environment, stdout=log, stderr=log,
                                stdin=subprocess.DEVNULL)

    def _keep(self):
        while True:
            self.process.wait()
            with self.guard:
                if self.stopping:
                    return
                self.deaths += 1
            time.sleep(0.3)
            with self.guard:
                if self.stopping:
                    return
                self.process = self._spawn()

    def kill(self):
        with self.guard:
            self.kills += 1
            if self.process.poll() is None:
                self.process.send_signal(signal.SIGKILL)

    def stop(self):
        with self.guard:
            self.stopping = True
            if self.process.poll() is None:
                self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
