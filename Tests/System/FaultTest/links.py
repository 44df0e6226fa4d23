"""Networks and disks of one's own, so that a server's can be cut or filled. Needs root."""

import os
import pathlib
import subprocess
import sys
import time

WITHIN = "WHEREABOUTS_FAULTS_WITHIN"
# A test that can't be made here ends with this.
SKIPPED = 77


def skip(reason: str):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def enter_own_world():
    """Runs this program again in a network and a table of mounts that nobody else has.

    Both are gone with the last process in them, whatever ends it.
    """
    if WITHIN not in os.environ:
        within = ["unshare", "--mount", "--net"]
        if os.geteuid() != 0 or subprocess.run(within + ["true"], capture_output=True).returncode:
            skip("only root may make networks and mount disks, where that is allowed")
        os.environ[WITHIN] = "yes"
        os.execvp(within[0], [*within, "--", sys.executable, *sys.argv])
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "hub", "type", "bridge")
    run("ip", "addr", "add", "10.77.0.1/24", "dev", "hub")
    run("ip", "link", "set", "hub", "up")


def run(*command):
    subprocess.run(list(map(str, command)), check=True)


class Link:
    """A network for one server, and the link to it."""

    def __init__(self, number: int):
        self.address = f"10.77.0.{number + 2}"
        self.ours = f"link{number}"
        # It holds the network while the server is down, and ends with this program.
        self.holder = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "unshare", "--net", "sleep", "infinity"])
        self.network = f"/proc/{self.holder.pid}/ns/net"
        while os.readlink(self.network) == os.readlink("/proc/self/ns/net"):
            time.sleep(0.02)
        run("ip", "link", "add", self.ours, "type", "veth",
            "peer", "name", "far", "netns", self.holder.pid)
        run("ip", "link", "set", self.ours, "master", "hub", "up")
        for words in ["link set lo up", f"addr add {self.address}/24 dev far", "link set far up"]:
            run(*self.within(["ip", *words.split()]))

    def within(self, command: list, identity: dict | None = None) -> list:
        """The command as run in the server's network, by the user of `identity` where there is one."""
        who = ["-S", str(identity["user"]), "-G", str(identity["group"])] if identity else []
        return ["nsenter", f"--net={self.network}", *who, *command]

    def cut(self):
        """Neither side hears of it: what is sent is lost."""
        run("ip", "link", "set", self.ours, "down")

    def mend(self):
        run("ip", "link", "set", self.ours, "up")

    def remove(self):
        self.holder.kill()
        self.holder.wait()


class SmallDisk:
    """A disk in memory that is full from one moment to the next: it shrinks to what lies on it."""

    ROOM = "size=4g"

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        run("mount", "-t", "tmpfs", "-o", self.ROOM + ",mode=0700", "tmpfs", folder)

    def fill(self):
        while True:
            now = os.statvfs(self.folder)
            used = (now.f_blocks - now.f_bfree) * now.f_frsize
            if self._resize(f"size={used}"):
                return

    def make_room(self):
        if not self._resize(self.ROOM):
            raise OSError(f"{self.folder} can't have its room back")

    def _resize(self, size: str) -> bool:
        # What is written meanwhile makes it fail.
        return subprocess.run(
            ["mount", "-o", f"remount,{size}", self.folder], capture_output=True).returncode == 0

    def remove(self):
        subprocess.run(["umount", "--lazy", self.folder], capture_output=True)
