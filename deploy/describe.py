#!/usr/bin/env python3
"""Writes the tables that `whereabouts describe` prints into the documents, between their marks.

Usage: describe.py              writes all documents
       describe.py TABLE        prints the document of one table as it should be

The program is the newer one of .build/debug/whereabouts and .build/release/whereabouts, or the one that
WHEREABOUTS_PROGRAM names.
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FILES = {
    "errors": "docs/errors.md",
    "paths": "ARCHITECTURE.md",
    "caddyfile": "deploy/Caddyfile",
    "roles": "docs/roles.md",
    "settings": "deploy/example.env",
    "personal-data": "docs/privacy.md",
    "security-events": "SECURITY.md",
    "metrics": "docs/operation/alarms.md",
    "alarms": "docs/operation/alarms.md",
    "prometheus-rules": "deploy/prometheus/rules.yml",
    "prometheus-tests": "deploy/prometheus/tests.yml",
}


def program() -> str:
    if named := os.environ.get("WHEREABOUTS_PROGRAM"):
        return named
    built = [ROOT / ".build" / kind / "whereabouts" for kind in ("debug", "release")]
    built = [file for file in built if file.exists()]
    if not built:
        sys.exit("build whereabouts first: swift build --product whereabouts")
    return str(max(built, key=lambda file: file.stat().st_mtime))


def printed(table: str) -> str:
    """The table's document as it should be."""
    part = subprocess.run(
        [program(), "describe", table] + (["--page"] if table == "roles" else []), check=True, capture_output=True, text=True).stdout
    document = (ROOT / FILES[table]).read_text()
    begin = rf"(?m)^.*Printed by whereabouts describe {table}\b.*\n"
    end = rf"(?m)^.*End of whereabouts describe {table}\b"
    marks = re.search(begin, document), re.search(end, document)
    if not all(marks):
        sys.exit(f"{FILES[table]} lacks the marks")
    return document[:marks[0].end()] + part + document[marks[1].start():]


def main(arguments: list[str]) -> None:
    if arguments:
        sys.stdout.write(printed(arguments[0]))
        return
    for table, file in FILES.items():
        (ROOT / file).write_text(printed(table))


if __name__ == "__main__":
    main(sys.argv[1:])
