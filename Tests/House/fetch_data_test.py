"""Tests deploy/fetch-data with a mirror in a local folder. Exits with 0 when all checks pass."""

import gzip
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "deploy" / "fetch-data"
ADDRESS = "https://example.org/rooms.csv"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class House:
    """A folder with a mirror, a table of files, and a folder for the fetched data."""

    def __init__(self, folder: str, content: bytes):
        self.folder = pathlib.Path(folder)
        self.source = self.folder / "mirror" / "example.org" / "rooms.csv"
        self.source.parent.mkdir(parents=True)
        self.source.write_bytes(content)
        self.target = self.folder / "shared" / "data" / "set" / "rooms.csv"
        self.packed = self.target.with_name("rooms.csv.gz")
        self.aside = self.folder / "shared" / "data" / ".fetch"

    def run(self, digest: str, *options: str) -> tuple[int, list[str], list[str]]:
        table = self.folder / "table.txt"
        table.write_text(
            f"# A comment.\nat site {ADDRESS.removesuffix('rooms.csv')}\n"
            f"set/rooms.csv as-is {digest} {ADDRESS} same\n"
            f"set/rooms.csv.gz gzip {digest} site:rooms.csv same\n"
        )
        command = [SCRIPT, self.folder / "shared", "--table", table, "--from", *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()


def right_content_is_fetched_once(house: House, content: bytes) -> None:
    mirror = str(house.folder / "mirror")
    # The leftover of an earlier call that was interrupted.
    house.aside.mkdir(parents=True)
    (house.aside / "example.org_rooms.csv.part").write_bytes(content[:7])
    found = house.run(sha256(content), mirror)
    assert found == (0, ["set/rooms.csv: fetched", "set/rooms.csv.gz: fetched"], []), found
    assert house.target.read_bytes() == content
    assert gzip.decompress(house.packed.read_bytes()) == content
    assert not house.aside.exists()
    # The second call fetches nothing, so it needs no mirror.
    found = house.run(sha256(content), "/nowhere")
    assert found == (0, ["set/rooms.csv: is there", "set/rooms.csv.gz: is there"], []), found


def wrong_content_is_set_aside(house: House, content: bytes) -> None:
    mirror = f"file://{house.folder}/mirror"
    house.source.write_bytes(content + b"x")
    house.packed.unlink()
    house.target.write_bytes(b"damaged")
    status, told, faults = house.run(sha256(content), mirror)
    assert (status, told, len(faults)) == (1, [], 2), (status, told, faults)
    assert faults[0].startswith(f"fetch-data: set/rooms.csv: the SHA-256 of {ADDRESS} is"), faults
    assert not house.target.exists() and not house.packed.exists()
    assert (house.aside / "example.org_rooms.csv.wrong").read_bytes() == content + b"x"
    assert (house.aside / "rooms.csv.wrong").read_bytes() == b"damaged"


def absent_content_is_named(house: House, content: bytes) -> None:
    house.source.unlink()
    status, _, faults = house.run(sha256(content), str(house.folder / "mirror"))
    assert status == 1 and len(faults) == 2 and "rooms.csv: " in faults[0], faults


def main() -> int:
    content = b"room,x,y\n0.12,1.5,2\n"
    with tempfile.TemporaryDirectory() as folder:
        house = House(folder, content)
        right_content_is_fetched_once(house, content)
        wrong_content_is_set_aside(house, content)
        absent_content_is_named(house, content)
    done = subprocess.run([SCRIPT, "--list"], capture_output=True, text=True, timeout=60)
    rows = [line.split() for line in done.stdout.splitlines() if line[0] != "#"]
    assert done.returncode == 0 and len(rows) > 30, done
    assert all(re.fullmatch("[0-9a-f]{64}", row[1]) for row in rows), done
    assert all(row[2].startswith("https://") and len(row) == 3 for row in rows), done
    done = subprocess.run([SCRIPT, "--only", "nonesuch"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "no set nonesuch" in done.stderr, done
    print("fetch-data: all checks passed")
    return 0


sys.exit(main())
