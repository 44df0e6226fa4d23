#!/usr/bin/env python3
"""Makes the routes of deploy/Caddyfile from the table of paths and owners in ARCHITECTURE.md.

Usage: caddyfile.py           prints the file as it should be
       caddyfile.py --write   writes it

Only what stands between the two marks is made; the rest is written by hand.
"""

import pathlib
import re
import sys

BEGIN = "\t# Routes: made from the table in ARCHITECTURE.md by deploy/caddyfile.py."
END = "\t# End of the routes."
# Serves the pages and whatever no path names.
FALLBACK = "site-editor"
# Events reach the reader as they come.
STREAMING = {"locator"}


def table(markdown: str) -> dict[str, list[str]]:
    """The patterns of each owner, both in the table's order."""
    owners: dict[str, list[str]] = {}
    for pattern, owner in re.findall(r"^\| `(/[^`]*)` \| ([a-z-]+) \|$", markdown, re.MULTILINE):
        owners.setdefault(owner, []).append(re.sub(r"\{[a-z]+\}", "*", pattern))
    if FALLBACK not in owners:
        sys.exit("ARCHITECTURE.md has no table of paths and owners")
    return owners


def routes(owners: dict[str, list[str]]) -> list[str]:
    lines = []
    for owner, patterns in owners.items():
        if owner == FALLBACK:
            continue
        lines += [f"\t@{owner} path {' '.join(patterns)}", f"\thandle @{owner} {{"]
        if owner in STREAMING:
            lines += proxy(owner, "flush_interval -1")
        else:
            lines += proxy(owner)
        lines += ["\t}", ""]
    return lines + ["\thandle {", *proxy(FALLBACK), "\t}"]


def proxy(owner: str, *options: str) -> list[str]:
    inside = [f"\t\t\t{option}" for option in ("import patient", *options)]
    return [f"\t\treverse_proxy {owner}:8080 {{", *inside, "\t\t}"]


def main() -> None:
    root = pathlib.Path(__file__).resolve().parents[1]
    file = root / "deploy/Caddyfile"
    before, _, rest = file.read_text().partition(BEGIN + "\n")
    _, mark, after = rest.partition(END + "\n")
    if not mark:
        sys.exit(f"{file} lacks the marks")
    made = routes(table((root / "ARCHITECTURE.md").read_text()))
    text = before + "\n".join([BEGIN, *made, END]) + "\n" + after
    if sys.argv[1:] == ["--write"]:
        file.write_text(text)
    else:
        sys.stdout.write(text)


main()
