#!/usr/bin/env python3
"""Prints the bill of materials of a release, as CycloneDX 1.5: all software in the image and the program.

    bill.py FILES.tar LOCK SWIFT [PACKAGE=VERSION ...]

FILES.tar has the image's files with dpkg's status, LOCK the SHA-256 of each package, SWIFT is the
version of the toolchain, such as 6.3.1. The program contains the headers of Debian's packages that
follow. SOURCE_DATE_EPOCH is the bill's date.
"""

import datetime
import json
import os
import re
import sys
import tarfile
import urllib.parse
import uuid

import lock as locks

STATUS = "./var/lib/dpkg/status"
# Parts of the toolchain that the program contains.
SWIFT_PARTS = (
    "swift", "swift-corelibs-foundation", "swift-corelibs-libdispatch", "swift-foundation",
    "swift-foundation-icu",
)


def paragraphs(status: str) -> list[dict[str, str]]:
    found = [dict(re.findall(r"(?m)^([A-Za-z-]+): (.*)$", text)) for text in status.split("\n\n")]
    return sorted((each for each in found if each), key=lambda each: each["Package"])


def package_url(fields: dict[str, str]) -> str:
    def quoted(text: str) -> str:
        return urllib.parse.quote(text, safe="")

    source = fields.get("Source", fields["Package"]).split()[0]
    return (f"pkg:deb/debian/{quoted(fields['Package'])}@{quoted(fields['Version'])}"
            f"?arch={fields['Architecture']}&distro=debian-12&upstream={quoted(source)}")


def needed(fields: dict[str, str], known: dict[str, str]) -> list[str]:
    """The installed packages that a package depends on."""
    found = set()
    for name in ("Pre-Depends", "Depends"):
        for choice in fields.get(name, "").split(","):
            names = [re.split(r"[\s:(]", one.strip())[0] for one in choice.split("|")]
            found.update(known[one] for one in names if one in known)
    return sorted(found)


def compiled_in(swift: str, headers: list[str], architecture: str) -> list[dict]:
    """What the program contains of others."""
    found = [
        (name, swift, f"pkg:github/swiftlang/{name}@swift-{swift}-RELEASE") for name in SWIFT_PARTS]
    for name, _, version in (each.partition("=") for each in headers):
        fields = {"Package": name, "Version": version, "Architecture": architecture}
        found.append((name, version, package_url(fields)))
    return [
        {"type": "library", "bom-ref": reference, "name": name, "version": version,
         "purl": reference} for name, version, reference in found]


def bill(
    status: str, lock: locks.Lock, swift: str, headers: list[str], date: datetime.datetime
) -> dict:
    sums = {each.name: each.sha256 for each in lock.packages}
    all_fields = paragraphs(status)
    own = next(each for each in all_fields if each["Package"] == locks.OWN_PACKAGE)
    others = [each for each in all_fields if each is not own]
    known = {each["Package"]: package_url(each) for each in others}
    own_reference = f"whereabouts@{own['Version']}"
    components = [
        {"type": "library", "bom-ref": known[each["Package"]], "name": each["Package"],
         "version": each["Version"], "purl": known[each["Package"]],
         "hashes": [{"alg": "SHA-256", "content": sums[each["Package"]]}]}
        for each in others]
    components.append(
        {"type": "operating-system", "bom-ref": "debian", "name": "debian", "version": "12"})
    parts = compiled_in(swift, headers, own["Architecture"])
    components += parts
    inside = [part["bom-ref"] for part in parts]
    dependencies = [{"ref": own_reference, "dependsOn": needed(own, known) + inside}]
    dependencies += [
        {"ref": known[each["Package"]], "dependsOn": needed(each, known)} for each in others]
    made = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {
            "timestamp": date.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application", "bom-ref": own_reference, "name": "whereabouts",
                "version": own["Version"], "licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": components, "dependencies": dependencies}
    # The number of the bill follows from its contents.
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(made, sort_keys=True))
    return made | {"serialNumber": f"urn:uuid:{number}"}


def main(arguments: list[str]) -> int:
    if len(arguments) < 3 or "SOURCE_DATE_EPOCH" not in os.environ:
        print("usage: SOURCE_DATE_EPOCH=SECONDS bill.py FILES.tar LOCK SWIFT [PACKAGE=VERSION ...]",
              file=sys.stderr)
        return 64
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    try:
        with tarfile.open(arguments[0]) as files:
            status = files.extractfile(STATUS).read().decode()
        lock = locks.read_lock(locks.text_of(arguments[1]))
        date = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc)
        made = bill(status, lock, arguments[2], arguments[3:], date)
        print(json.dumps(made, indent=1, sort_keys=True))
    except (locks.Mistake, KeyError, OSError, tarfile.TarError) as fault:
        print(f"bill.py: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
