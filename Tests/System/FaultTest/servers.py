"""Private servers and supervised processes for the fault tests. Only Python's own library."""

import contextlib
import os
import pathlib
import pwd
import random
import signal
import socket
import subprocess
import threading
import time

# On a machine with other work a service that is busy takes long to stop; one that hangs, for ever.
STOP_SECONDS = 120


def free_ports(count: int) -> list[int]:
    """Ports in a row below the ephemeral range, where no client's own port can come in between."""
    while True:
        first = random.SystemRandom().randrange(20_000, 32_700 - count)
        with contextlib.ExitStack() as stack:
            try:
                for port in range(first, first + count):
                    stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
            except OSError:
                continue
        return list(range(first, first + count))


def database_identity() -> dict:
    """PostgreSQL refuses to run as root; then it runs as the user that its package made."""
    if os.geteuid() != 0:
        return {}
    user = pwd.getpwnam("postgres")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Postgres:
    """A private PostgreSQL with fsync on, reachable through a socket in its own folder.

    Behind a link it has a network of its own, and services reach it through that.
    """

    def __init__(self, folder: pathlib.Path, link=None):
        self.folder = folder / "postgres"
        self.link = link
        found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        if not found:
            raise SystemExit("PostgreSQL's server is not installed (apt install postgresql)")
        self.bin = found[-1]
        self.identity = database_identity()
        self.folder.mkdir(exist_ok=True)
        if self.identity:
            os.chown(self.folder, self.identity["user"], self.identity["group"])
        subprocess.run(
            [self.bin / "initdb", "-D", self.folder, "-U", "whereabouts", "-A", "trust",
             "-E", "UTF8", "--locale=C.UTF-8"],
            check=True, cwd="/", stdout=subprocess.DEVNULL, **self.identity)
        self.socket = f"postgresql://whereabouts@/postgres?host={self.folder}"
        self.url = self.socket
        if link:
            self.url = f"postgresql://whereabouts@{link.address}/postgres"
            with open(self.folder / "pg_hba.conf", "a") as rules:
                rules.write("host all all samenet trust\n")
        self.process = None
        self.kills = 0
        self.start()

    def start(self):
        deadline = time.monotonic() + 120
        self._spawn()
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                # The former server's children may still hold the shared memory for a moment.
                time.sleep(0.3)
                self._spawn()
            ready = subprocess.run(
                [self.bin / "pg_isready", "-q", "-h", str(self.folder), "-U", "whereabouts"])
            if ready.returncode == 0:
                return
            time.sleep(0.1)
        raise SystemExit(f"PostgreSQL did not start; see {self.folder.parent}/postgres.log")

    def _spawn(self):
        command = [self.bin / "postgres", "-D", self.folder,
                   "-c", f"listen_addresses={self.link.address if self.link else ''}",
                   "-c", f"unix_socket_directories={self.folder}", "-c", "max_connections=200"]
        identity = self.identity
        if self.link:
            # Only root may enter the network.
            command = self.link.within(command, identity)
            identity = {}
        with open(self.folder.parent / "postgres.log", "ab") as log:
            self.process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd="/", start_new_session=True, **identity)

    def kill(self):
        """SIGKILL to the server itself, as a crash would; its children notice and end."""
        self.kills += 1
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def pause(self):
        """Stops the server and all of its children, where they are."""
        self._signal_all(signal.SIGSTOP)

    def resume(self):
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number: int):
        # The server first: it starts no child then that would be missed.
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, number)
        children = subprocess.run(
            ["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(child), number)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.resume()
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(timeout=60)

    def query(self, sql: str) -> list[list[str]]:
        """Rows of text, through psql."""
        done = subprocess.run(
            ["psql", "-X", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", self.socket,
             "-c", sql], check=True, capture_output=True, text=True)
        return [line.split("\t") for line in done.stdout.splitlines() if line]


class Kafka:
    """A private Apache Kafka, started by the data folder's script."""

    def __init__(self, folder: pathlib.Path, shared: pathlib.Path, brokers: int = 1):
        self.brokers = brokers
        self.script = shared / "kafka"
        if not (self.script / "start").exists():
            raise SystemExit(f"there is no Kafka in {shared} (--shared FOLDER)")
        self.folder = folder / "kafka"
        self.port = free_ports(2 * brokers)[0]
        self.bootstrap = f"127.0.0.1:{self.port}"
        self.kills = 0
        # One cluster id in 64 begins with "-", which Kafka's own program takes for an option.
        for attempt in range(3):
            try:
                return self.start()
            except subprocess.CalledProcessError:
                if attempt == 2:
                    raise

    def start(self):
        subprocess.run([self.script / "start", str(self.port), self.folder, str(self.brokers)],
                       check=True, stdout=subprocess.DEVNULL)

    def kill(self):
        self.kills += 1
        broker = int((self.folder / "broker-1" / "pid").read_text())
        os.kill(broker, signal.SIGKILL)
        # Its threads hold the ports for a moment longer than the process can be seen.
        while not is_gone(broker) or self._answers(self.port) or self._answers(self.port + 1):
            time.sleep(0.05)

    @staticmethod
    def _answers(port: int) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    def stop(self):
        subprocess.run([self.script / "stop", self.folder], stdout=subprocess.DEVNULL)

    def read(
            self, topic: str, form: str, start: str = "beginning", patience: float = 60
    ) -> list[str]:
        """A line for each committed record of the topic, through kcat and its format. Bytes that are no
        text are surrogates."""
        command = ["kcat", "-C", "-b", self.bootstrap, "-t", topic, "-o", start, "-e", "-q",
                   "-X", "isolation.level=read_committed", "-f", form + "\n"]
        for _ in range(5):
            try:
                done = subprocess.run(
                    command, check=True, capture_output=True, text=True, timeout=patience,
                    errors="surrogateescape")
                return [line for line in done.stdout.splitlines() if line]
            except subprocess.TimeoutExpired:
                # Now and then kcat does not notice the end of a partition that grows.
                continue
        raise SystemExit(f"kcat does not come to the end of {topic}")


def end(process: subprocess.Popen | None) -> int | None:
    """Asks a process to end, and kills it after a minute; its status."""
    if process and process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    return process and process.returncode


def is_gone(process: int) -> bool:
    """Whether it has ended; one that nobody has collected yet counts."""
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
        return state == "Z"
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
        # SIGKILL that did not come from here: the process died at its named point.
        self.point_deaths = 0
        # Any other end. There should be none.
        self.failures: list[int] = []
        self.died_at = None
        self.restarts = True
        self._wanted_end = False
        self._stopping = False
        self._guard = threading.Lock()
        self._keeper = None
        self.process = None

    def start(self):
        self._stopping = False
        self._spawn()
        self._keeper = threading.Thread(target=self._keep, daemon=True)
        self._keeper.start()

    def _spawn(self):
        self._wanted_end = False
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, env=self.environment, stdout=log, stderr=log,
                stdin=subprocess.DEVNULL)

    def _keep(self):
        while True:
            status = self.process.wait()
            with self._guard:
                self.died_at = time.time()
                if status == -signal.SIGKILL and not self._wanted_end:
                    self.point_deaths += 1
                elif status != -signal.SIGKILL and not (self._stopping and status == 0):
                    self.failures.append(status)
                if self._stopping or not self.restarts:
                    return
            time.sleep(0.3)
            with self._guard:
                if self._stopping:
                    return
                self._spawn()

    def pause(self):
        self._signal(signal.SIGSTOP)

    def resume(self):
        self._signal(signal.SIGCONT)

    def _signal(self, number: int):
        with self._guard:
            if self.process.poll() is None:
                self.process.send_signal(number)

    def kill(self):
        """Returns when it is dead."""
        with self._guard:
            self.kills += 1
            if self.process.poll() is None:
                self._wanted_end = True
                self.process.send_signal(signal.SIGKILL)
                self.process.wait()

    def wait_for_death(self, seconds: float) -> bool:
        """With `restarts` off: whether the process has ended within so many seconds."""
        self._keeper.join(seconds)
        return not self._keeper.is_alive()

    def stop(self):
        with self._guard:
            self._stopping = True
            if self.process and self.process.poll() is None:
                self.process.send_signal(signal.SIGTERM)
                self.process.send_signal(signal.SIGCONT)
        if self._keeper:
            self._keeper.join(STOP_SECONDS)
            if self._keeper.is_alive():
                self.failures.append(f"did not stop within {STOP_SECONDS} s")
                self.process.kill()
