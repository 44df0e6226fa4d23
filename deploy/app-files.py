#!/usr/bin/env python3
"""Writes the list of the visitor's app's files, since SwiftPM embeds files but lists none."""
import pathlib
import re

house = pathlib.Path(__file__).resolve().parent.parent / "Services/site-editor"
folder = house / "web/app"
names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
lines = []
for name in names:
    # SwiftPM's name for the bytes: the file's name without its folder.
    variable = re.sub(r"[^A-Za-z0-9_]", "_", name.split("/")[-1])
    variable = "_" + variable if variable[0].isdigit() else variable
    lines.append(f'        ("{name}", PackageResources.{variable}),\n')
(house / "Pages/AppFiles.swift").write_text(
    "// Printed by deploy/app-files.py from the folder web/app. A test compares both.\n\n"
    "/// The files of the visitor's app, by their names under `/app/`.\n"
    "enum AppFiles {\n"
    "    static let all: [(name: String, bytes: [UInt8])] = [\n"
    + "".join(lines) + "    ]\n}\n")
