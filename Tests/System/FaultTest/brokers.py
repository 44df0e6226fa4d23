"""One broker or three, each in a network of its own, so that each can be cut off by itself."""

import pathlib
import re
import signal
import subprocess
import time

from servers import Kafka


class Broker:
    """A broker's process. Nobody starts it again but the test."""

    def __init__(self, cluster: "Brokers", number: int, link):
        self.cluster = cluster
        self.link = link
        self.folder = cluster.folder / f"broker-{number}"
        self.log = cluster.folder.parent / f"broker-{number}.log"
        self.port = cluster.port + 2 * (number - 1)
        self.process = None
        self.kills = 0

    def spawn(self):
        command = [
            "java", "-Xmx512m", f"-Dlog4j2.configurationFile={self.cluster.script}/log4j2.properties",
            "-cp", f"{self.cluster.script}/jars/*", "kafka.Kafka", self.folder / "server.properties"]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.link.within(command), stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                start_new_session=True)

    def start(self):
        self.spawn()
        self.wait()

    def wait(self, seconds: float = 120):
        """Returns when it answers, also where nobody else reaches it."""
        deadline = time.monotonic() + seconds
        probe = self.link.within(
            ["bash", "-c", f"exec 3<>/dev/tcp/{self.link.address}/{self.port}"])
        while subprocess.run(probe, capture_output=True).returncode:
            if self.has_ended() or time.monotonic() > deadline:
                raise SystemExit(f"{self.folder.name} does not start; see {self.log}")
            time.sleep(0.3)

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def kill(self):
        self.kills += 1
        self.process.kill()
        self.process.wait()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()


class Brokers(Kafka):
    """The script makes the brokers' folders and settings; then they get addresses of their own."""

    def __init__(self, folder: pathlib.Path, shared: pathlib.Path, links: list):
        super().__init__(folder, shared, len(links))
        subprocess.run([self.script / "stop", self.folder], check=True, stdout=subprocess.DEVNULL)
        self.members = {
            f"broker-{number}": Broker(self, number, link)
            for number, link in enumerate(links, start=1)}
        for broker in self.members.values():
            file = broker.folder / "server.properties"
            addressed = re.sub(
                r"127\.0\.0\.1:(\d+)",
                lambda found: f"{links[(int(found[1]) - self.port) // 2].address}:{found[1]}",
                file.read_text())
            # A broker that finds no quorum at its start waits for longer than a fault lasts.
            file.write_text(addressed + "initial.broker.registration.timeout.ms=600000\n")
        self.bootstrap = ",".join(
            f"{broker.link.address}:{broker.port}" for broker in self.members.values())
        for broker in self.members.values():
            broker.spawn()
        for broker in self.members.values():
            broker.wait()

    def tool(self, name: str, *arguments) -> str:
        """What one of Kafka's own tools prints."""
        return subprocess.run(
            ["java", "-cp", f"{self.script}/jars/*", f"org.apache.kafka.tools.{name}",
             "--bootstrap-server", self.bootstrap, *map(str, arguments)],
            capture_output=True, text=True, check=True).stdout

    def stop(self):
        for broker in getattr(self, "members", {}).values():
            broker.stop()
        super().stop()
