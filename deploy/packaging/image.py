#!/usr/bin/env python3
"""Makes an archive for `docker load` from the files of an image.

    image.py FILES.tar DOCKERFILE NAME:TAG OUTPUT.tar.gz

FILES.tar becomes the only layer. The instructions of the Dockerfile's last stage (USER, ENV, EXPOSE,
STOPSIGNAL, HEALTHCHECK, CMD) become the image's settings, so that both images start alike.
SOURCE_DATE_EPOCH is the date of everything; the same input gives the same bytes. The archive also follows
the OCI image layout, which Podman and registries' tools read.
"""

import datetime
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shlex
import sys
import tarfile

PIECE = 1 << 20
NANOSECONDS = {"ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}


class Mistake(Exception):
    """A fault of the input, in words for the person who started the program."""


def instructions(dockerfile: str) -> list[tuple[str, str]]:
    """The instructions of the last stage: their words and their arguments."""
    without_comments = re.sub(r"(?m)^\s*#.*\n", "", dockerfile)
    lines = re.sub(r"\\\n", " ", without_comments).splitlines()
    parts = [line.strip().partition(" ") for line in lines if line.strip()]
    found = [(word.upper(), rest.strip()) for word, _, rest in parts]
    stages = [index for index, (word, _) in enumerate(found) if word == "FROM"]
    if not stages:
        raise Mistake("the Dockerfile has no FROM")
    return found[stages[-1] + 1:]


def duration(text: str) -> int:
    """Nanoseconds, as Docker's settings have them."""
    match = re.fullmatch(r"(\d+)(ms|s|m|h)", text)
    if match is None:
        raise Mistake(f"{text} is no time; write 15s for instance")
    return int(match[1]) * NANOSECONDS[match[2]]


def health_check(text: str) -> dict:
    options, _, command = text.partition("CMD ")
    check = {"Test": ["CMD", *json.loads(command)]}
    names = {"interval": "Interval", "timeout": "Timeout", "start-period": "StartPeriod"}
    for option in shlex.split(options):
        name, _, value = option.removeprefix("--").partition("=")
        if name == "retries":
            check["Retries"] = int(value)
        elif name in names:
            check[names[name]] = duration(value)
        else:
            raise Mistake(f"HEALTHCHECK has the unknown option {option}")
    return check


def settings(dockerfile: str, labels: dict[str, str]) -> dict:
    """The settings of the image that the Dockerfile's last stage describes."""
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    made: dict = {"Env": [f"PATH={path}"], "Labels": labels}
    for word, rest in instructions(dockerfile):
        if word == "ENV":
            made["Env"] += shlex.split(rest)
        elif word == "USER":
            made["User"] = rest
        elif word == "EXPOSE":
            made["ExposedPorts"] = {f"{port}/tcp": {} for port in rest.split()}
        elif word == "STOPSIGNAL":
            made["StopSignal"] = rest
        elif word == "HEALTHCHECK":
            made["Healthcheck"] = health_check(rest)
        elif word == "CMD":
            made["Cmd"] = json.loads(rest)
        elif word not in ("RUN", "COPY"):
            raise Mistake(f"image.py does not know the Dockerfile's instruction {word}")
    return made


def digest(path: pathlib.Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            found.update(piece)
    return found.hexdigest()


def document(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def blobs(layer: pathlib.Path, config: dict, tag: str, created: str) -> list[tuple[str, bytes]]:
    """The small files of the archive: their names and contents."""
    layer_digest, layer_size = digest(layer), layer.stat().st_size
    architecture = {"x86_64": "amd64", "aarch64": "arm64"}.get(os.uname().machine)
    if architecture is None:
        raise Mistake(f"there are no images for {os.uname().machine}")
    image = document({
        "architecture": architecture, "os": "linux", "created": created, "config": config,
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{layer_digest}"]},
        "history": [{"created": created, "created_by": "deploy/release"}]})

    def describe(kind: str, content: str, size: int) -> dict:
        media = f"application/vnd.oci.image.{kind}"
        return {"mediaType": media, "digest": f"sha256:{content}", "size": size}

    def named(content: bytes) -> tuple[str, str]:
        found = hashlib.sha256(content).hexdigest()
        return found, f"blobs/sha256/{found}"

    image_digest, image_name = named(image)
    manifest = document({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": describe("config.v1+json", image_digest, len(image)),
        "layers": [describe("layer.v1.tar", layer_digest, layer_size)]})
    manifest_digest, manifest_name = named(manifest)
    entry = describe("manifest.v1+json", manifest_digest, len(manifest))
    entry["annotations"] = {
        "io.containerd.image.name": f"docker.io/library/{tag}",
        "org.opencontainers.image.ref.name": tag.partition(":")[2]}
    index = document({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [entry]})
    loaded = document([{
        "Config": image_name, "RepoTags": [tag],
        "Layers": [f"blobs/sha256/{layer_digest}"]}])
    return [
        (image_name, image), (manifest_name, manifest), ("index.json", index),
        ("manifest.json", loaded), ("oci-layout", document({"imageLayoutVersion": "1.0.0"}))]


def write(output: pathlib.Path, layer: pathlib.Path, small: list, epoch: int) -> None:
    def member(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
        made = tarfile.TarInfo(name)
        made.size, made.mtime, made.type = size, epoch, kind
        made.mode = 0o755 if kind == tarfile.DIRTYPE else 0o644
        return made

    with output.open("wb") as file:
        with gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
            with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
                for folder in ("blobs", "blobs/sha256"):
                    archive.addfile(member(folder, 0, tarfile.DIRTYPE))
                for name, content in small:
                    archive.addfile(member(name, len(content)), io.BytesIO(content))
                with layer.open("rb") as content:
                    name = f"blobs/sha256/{digest(layer)}"
                    archive.addfile(member(name, layer.stat().st_size), content)


def main(arguments: list[str]) -> int:
    if len(arguments) != 4 or "SOURCE_DATE_EPOCH" not in os.environ:
        print("usage: SOURCE_DATE_EPOCH=SECONDS image.py FILES.tar DOCKERFILE NAME:TAG OUTPUT",
              file=sys.stderr)
        return 64
    layer, dockerfile, tag, output = (
        pathlib.Path(arguments[0]), pathlib.Path(arguments[1]), arguments[2],
        pathlib.Path(arguments[3]))
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc)
    labels = {
        "org.opencontainers.image.title": "Whereabouts",
        "org.opencontainers.image.version": tag.partition(":")[2],
        "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.revision": os.environ.get("WHEREABOUTS_REVISION", "")}
    try:
        config = settings(dockerfile.read_text(), labels)
        small = blobs(layer, config, tag, created.strftime("%Y-%m-%dT%H:%M:%SZ"))
        write(output, layer, small, epoch)
    except (Mistake, OSError, ValueError) as fault:
        print(f"image.py: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
