#!/usr/bin/env python3
"""Writes the lists of the two apps' files, since SwiftPM embeds files but lists none."""
import pathlib
import re

house = pathlib.Path(__file__).resolve().parent.parent / "Services/site-editor"


def lines(folder: pathlib.Path, prefix: str) -> str:
    """The files of a folder, by their names under `/app/`."""
    names = sorted(
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    listed = []
    for name in names:
        # SwiftPM's name for the bytes: the file's name without its folder.
        variable = re.sub(r"[^A-Za-z0-9_]", "_", name.split("/")[-1])
        variable = "_" + variable if variable[0].isdigit() else variable
        listed.append(f'        ("{prefix}{name}", PackageResources.{variable}),\n')
    return "".join(listed)


(house / "Pages/AppFiles.swift").write_text(
    "// Printed by deploy/app-files.py from web/app and web/staff. A test compares both.\n\n"
    "/// The files of the apps, by their names under `/app/`.\n"
    "enum AppFiles {\n"
    "    /// The visitor's app.\n"
    "    static let all: [(name: String, bytes: [UInt8])] = [\n"
    + lines(house / "web/app", "") + "    ]\n\n"
    "    /// The staff's app, which visitors never load.\n"
    "    static let staff: [(name: String, bytes: [UInt8])] = [\n"
    + lines(house / "web/staff", "staff/") + "    ]\n}\n")
