#!/usr/bin/env python3
"""The lock: which version of each of Debian's packages is in the image, with its SHA-256.

    lock.py fetch LOCK DIR [--mirror URL]    fetches the packages and compares each with its SHA-256
    lock.py compare LOCK INSTALLED           fails unless the lock names the installed packages
    lock.py make INSTALLED AVAILABLE TIME    prints the lock of the installed packages

A package that the mirror no longer has comes from snapshot.debian.org, as it was at the lock's time.
INSTALLED has a line of name, version and architecture for each package; AVAILABLE is what
`apt-cache dumpavail` prints; TIME is like 20261124T000000Z.
"""

import concurrent.futures
import dataclasses
import hashlib
import pathlib
import re
import sys
import time
import urllib.error
import urllib.request

MIRROR = "http://deb.debian.org"
OWN_PACKAGE = "whereabouts"
HEADER = """\
# Debian's packages in the image, each with its version, SHA-256 and path at a mirror. From this file a release
# makes the same image again. `deploy/release --lock` makes it anew from Debian's present packages; do so
# before each release, for the sake of security updates."""
AT_ONCE = 4
ATTEMPTS = 3
TIMEOUT_SECONDS = 60
MOST_BYTES = 200_000_000


class Mistake(Exception):
    """A fault of the input or of a mirror, in words for the person who started the program."""


@dataclasses.dataclass(frozen=True)
class Package:
    name: str
    version: str
    architecture: str
    sha256: str
    path: str


@dataclasses.dataclass(frozen=True)
class Lock:
    """The time of the lock, and its packages."""

    snapshot: str
    packages: tuple[Package, ...]


def read_lock(text: str) -> Lock:
    snapshot, packages = "", []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "snapshot" and len(words) == 2 and re.fullmatch(r"\d{8}T\d{6}Z", words[1]):
            snapshot = words[1]
        elif len(words) == 5 and re.fullmatch(r"[0-9a-f]{64}", words[3]) and is_path(words[4]):
            packages.append(Package(*words))
        else:
            raise Mistake(f"line {number} of the lock is neither a time nor a package: {line}")
    if not snapshot or not packages:
        raise Mistake("the lock has no time or no packages; make it with deploy/release --lock")
    return Lock(snapshot, tuple(packages))


def is_path(text: str) -> bool:
    parts = text.split("/")
    return parts[0] in ("debian", "debian-security") and ".." not in parts


def addresses(package: Package, lock: Lock, mirror: str) -> list[str]:
    archive, _, path = package.path.partition("/")
    then = f"https://snapshot.debian.org/archive/{archive}/{lock.snapshot}/{path}"
    return [f"{mirror}/{package.path}", then]


def read(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=TIMEOUT_SECONDS) as answer:
        content = answer.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise Mistake(f"{address} is larger than {MOST_BYTES} bytes")
    return content


def fetch(package: Package, lock: Lock, mirror: str, folder: pathlib.Path) -> None:
    faults = []
    for address in addresses(package, lock, mirror):
        for attempt in range(ATTEMPTS):
            try:
                content = read(address)
            except urllib.error.HTTPError as fault:
                faults.append(f"{address}: {fault}")
                break
            except OSError as fault:
                faults.append(f"{address}: {fault}")
                time.sleep(attempt)
                continue
            if hashlib.sha256(content).hexdigest() == package.sha256:
                (folder / pathlib.PurePosixPath(package.path).name).write_bytes(content)
                return
            faults.append(f"{address} has another SHA-256 than the lock")
            break
    raise Mistake(f"{package.name} {package.version} can't be fetched: {'; '.join(faults)}")


def fetch_all(lock: Lock, folder: pathlib.Path, mirror: str) -> None:
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        works = [pool.submit(fetch, package, lock, mirror, folder) for package in lock.packages]
        for work in works:
            work.result()


def read_installed(text: str) -> set[tuple[str, ...]]:
    """Name, version and architecture of each installed package but our own."""
    lines = {tuple(line.split()) for line in text.splitlines()}
    return {line for line in lines if line[0] != OWN_PACKAGE}


def compare(lock: Lock, installed: set[tuple[str, ...]]) -> None:
    named = {(each.name, each.version, each.architecture) for each in lock.packages}
    if unused := named - installed:
        names = ", ".join(sorted(name for name, _, _ in unused))
        raise Mistake(f"the image does not need {names}; make the lock again: deploy/release --lock")
    if unnamed := installed - named:
        raise Mistake(f"the lock does not name {sorted(unnamed)}")


def make(installed: set[tuple[str, ...]], available: str, snapshot: str) -> str:
    known = {}
    for paragraph in available.split("\n\n"):
        fields = dict(re.findall(r"(?m)^([A-Za-z0-9-]+): (.*)$", paragraph))
        key = tuple(fields.get(name) for name in ("Package", "Version", "Architecture"))
        known[key] = fields
    lines = [HEADER, f"snapshot {snapshot}"]
    for package in sorted(installed):
        if package not in known:
            raise Mistake(f"apt does not know where {' '.join(package)} comes from")
        fields = known[package]
        path = fields["Filename"]
        archive = "debian-security" if path.startswith("pool/updates/") else "debian"
        lines.append(" ".join([*package, fields["SHA256"], f"{archive}/{path}"]))
    text = "\n".join(lines) + "\n"
    read_lock(text)
    return text


def main(arguments: list[str]) -> int:
    try:
        match arguments:
            case ["fetch", lock, folder, *rest] if not rest or rest[0] == "--mirror" and rest[1:]:
                mirror = rest[1].rstrip("/") if rest else MIRROR
                fetch_all(read_lock(text_of(lock)), pathlib.Path(folder), mirror)
            case ["compare", lock, installed]:
                compare(read_lock(text_of(lock)), read_installed(text_of(installed)))
            case ["make", installed, available, snapshot]:
                print(make(read_installed(text_of(installed)), text_of(available), snapshot), end="")
            case _:
                print(__doc__, file=sys.stderr)
                return 64
    except (Mistake, OSError) as fault:
        print(f"lock.py: {fault}", file=sys.stderr)
        return 1
    return 0


def text_of(file: str) -> str:
    return pathlib.Path(file).read_text()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
