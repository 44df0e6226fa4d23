"""Makes the files of deploy/fetch-data from the fetched ones."""

import gzip
import io
import json
import pathlib
import re
import shutil
import subprocess
import tarfile
import zipfile

MOST_BYTES = 200 * 1024 * 1024  # the size of one file, fetched or unpacked
MOST_SECONDS = 1800  # the time to fetch one file
MONTHS = re.compile(r"(?:^|/)((?:0[1-9]|1[0-2])/(?:trn|tst)\d\d(?:rss|crd|tms|ids)\.csv)$")


class Fault(Exception):
    """The reason why a file can't be fetched or made, in one line."""


def write_gzip(target: pathlib.Path, content) -> None:
    """Compresses a stream; the same content always gives the same file."""
    with open(target, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        shutil.copyfileobj(content, packed)


def make_osm(source: pathlib.Path, target: pathlib.Path) -> None:
    """Converts OpenStreetMap's binary form to XML, with the generator's name on which the SHA-256 depends."""
    plain = target.with_suffix(".osm")
    command = ["osmium", "cat", "--no-progress", "--overwrite", "--generator", "osmium/1.15.0"]
    done = subprocess.run(
        [*command, "--input-format", "pbf", "--output-format", "osm", "--output", plain, source],
        stderr=subprocess.PIPE, text=True, timeout=MOST_SECONDS,
    )  # fmt: skip
    if done.returncode != 0:
        raise Fault(f"osmium: {done.stderr.strip()}")
    with open(plain, "rb") as stream:
        write_gzip(target, stream)
    plain.unlink()


def make_months(source: pathlib.Path, target: pathlib.Path) -> None:
    """The first twelve months of the UJI library as a tar file."""
    with zipfile.ZipFile(source) as archive, open(target, "wb") as file:
        with gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
            with tarfile.open(fileobj=packed, mode="w") as tar:
                for entry in sorted(archive.infolist(), key=lambda entry: entry.filename):
                    match = MONTHS.search(entry.filename)
                    if not match:
                        continue
                    if entry.file_size > MOST_BYTES:
                        raise Fault(f"{entry.filename} holds more than {MOST_BYTES} bytes")
                    member = tarfile.TarInfo(f"UJI_LIB_DB_v2/db/{match[1]}")
                    member.size = entry.file_size
                    tar.addfile(member, archive.open(entry))


def between(waypoints: list, time: int) -> tuple[float, float]:
    """The walker's place at a time: on the straight line between two waypoints, or at the first or last one."""
    time = min(max(time, waypoints[0][0]), waypoints[-1][0])
    for (t0, x0, y0), (t1, x1, y1) in zip(waypoints, waypoints[1:]):
        if t0 <= time <= t1:
            share = (time - t0) / (t1 - t0)
            return round(x0 + share * (x1 - x0), 2), round(y0 + share * (y1 - y0), 2)
    raise Fault("has only one waypoint")


def scans_of(floor: str, path: str, trace: pathlib.Path):
    """The lines of scans.jsonl for one walked path."""
    waypoints, beacons, wifi = [], [], {}
    for line in trace.read_text(errors="replace").splitlines():
        words = line.split("\t")
        if len(words) < 4:
            continue
        if words[1] == "TYPE_WAYPOINT":
            waypoints.append([int(words[0]), float(words[2]), float(words[3])])
        elif words[1] == "TYPE_BEACON":
            beacons.append((int(words[0]), ":".join(words[2:5]), int(words[6])))
        elif words[1] == "TYPE_WIFI":
            time = int(words[0])
            # If an access point appears twice in a scan, its first reading counts.
            reading = [int(words[4]), int(words[5]), time - int(words[6])]
            wifi.setdefault(time, {}).setdefault(words[3], reading)
    of_path = {"site": "site1", "floor": floor, "path": path}
    yield json.dumps({"k": "path", **of_path, "wp": waypoints})
    for time, readings in wifi.items():
        x, y = between(waypoints, time)
        near: dict[str, list[int]] = {}
        for at, beacon, strength in beacons:
            if time - 2500 <= at <= time + 500:
                near.setdefault(beacon, []).append(strength)
        ble = {beacon: round(sum(all) / len(all)) for beacon, all in near.items()}
        scan = {"k": "scan", **of_path, "t": time, "x": x, "y": y, "wifi": readings, "ble": ble}
        yield json.dumps(scan, separators=(",", ":"))


def make_scans(traces, target: pathlib.Path) -> None:
    """The scans of the mall from the raw traces of its paths: floor, name and file of each."""
    lines = io.BytesIO()
    for floor, name, trace in traces:
        try:
            for line in scans_of(floor, name, trace):
                lines.write(line.encode() + b"\n")
        except (ValueError, IndexError, Fault) as error:
            raise Fault(f"{trace}: {error}") from error
    lines.seek(0)
    write_gzip(target, lines)
