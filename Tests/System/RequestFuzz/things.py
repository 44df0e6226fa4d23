"""What the wild site has, and requests about it that are known to be accepted."""

import io
import math
import struct
import zipfile
import zlib

WILD, WELL = "wild", "well"
# It is there to be deleted: the wild site would take all tokens along.
PASSING = "passing"
IDS = [f"00000000-0000-7000-8000-{number:012x}" for number in range(40)]
# A room of five by four feet, as a drawing.
DRAWING = (
    "0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n8\nrooms\n70\n1\n10\n50\n20\n0\n10\n55\n20\n0\n10\n55\n20\n4\n"
    "10\n50\n20\n4\n0\nENDSEC\n0\nEOF\n").encode()
PLACE = "02:00:00:00:00:01"


def scan(x: float, y: float) -> dict:
    corners = [(0, 0), (20, 0), (0, 8), (20, 8), (10, 4)]
    return {"wifi": [
        {"bssid": f"02:00:00:00:00:{number:02x}",
         "rssi": -int(40 + 2 * ((x - a) ** 2 + (y - b) ** 2) ** 0.5)}
        for number, (a, b) in enumerate(corners)]}


def document() -> dict:
    def room(name: str, x: float) -> dict:
        return {"id": name, "floor": "ground", "name": f"Room {name}", "kind": "lab",
                "outline": [[x, 0], [x + 10, 0], [x + 10, 8], [x, 8]]}
    return {
        "name": "House", "origin": {"latitude": 51.5, "longitude": -0.1}, "bearingDegrees": 0,
        "buildings": [{"id": "house", "name": "House", "timeZone": "Europe/London"}],
        "floors": [{"id": "ground", "building": "house", "ordinal": 0, "level": "G"}],
        "rooms": [room("a", 0), room("b", 10)],
        "locations": [{"id": "a-1", "floor": "ground", "room": "a", "x": 5, "y": 4},
                      {"id": "a-2", "floor": "ground", "room": "a", "x": 7, "y": 4}],
        "connections": [{"id": "door-ab", "kind": "door", "stops": [
            {"floor": "ground", "room": "a", "x": 10, "y": 4},
            {"floor": "ground", "room": "b", "x": 10, "y": 4}]}],
    }


def records(media: dict) -> list[tuple[str, dict]]:
    """One or two records of each kind, in an order to send them in; `media` is a picture."""
    more = {
        "zones": [{"id": "z", "name": "Z", "kind": "quiet", "floor": "ground",
                   "outline": [[0, 0], [4, 0], [4, 3], [0, 3]]}],
        "beacons": [{"id": "b1", "floor": "ground", "x": 5, "y": 4, "major": 1, "minor": 2,
                     "uuid": "f7826da6-4fa2-4e98-8024-bc5b71e0893e"}],
        "scanners": [{"id": "node", "floor": "ground", "x": 5, "y": 4, "heightMetres": 2}],
        "access-point-places": [{"address": PLACE, "floor": "ground", "x": 5, "y": 4}],
        "floor-plans": [{"id": "p", "floor": "ground", "image": media, "widthPixels": 1,
                         "heightPixels": 1, "alignment": {"corners": [[0, 8], [20, 0]]}}],
        "contents": [{"id": "c", "place": {"room": "a"}, "title": "C", "text": "Of the room.",
                      "pictures": [{"media": media}]}],
        "directory": [{"id": "d", "kind": "office", "name": "D", "places": [{"room": "b"}]}],
    }
    site = {kind: rows for kind, rows in document().items() if isinstance(rows, list)}
    return [(kind, row) for kind, rows in (site | more).items() for row in rows]


def walk(pace: float, is_backward: bool = False) -> list[list[float]]:
    """Milliseconds and field of one who walks 20 m; the field is nowhere twice the same."""
    def field(metres: float) -> float:
        return 8 * math.sin(0.7 * metres) + 5 * math.sin(1.9 * metres + 1) + 0.4 * metres
    count = int(400 / pace)
    walked = [min(20, number / 20 * pace) for number in range(count + 1)]
    return [[number * 50, 18, 0, round(-40 + field(20 - metres if is_backward else metres), 3)]
            for number, metres in enumerate(walked)]


def known(media: dict, things: dict, published: dict, exports: list) -> dict:
    """Things of the wild site by the names of the members and parameters that ask for them.

    `things` are ids that the server made, by their path's part; `exports` are the site as files,
    with format and media type.
    """
    ids = {
        "buildings": ["house"], "floors": ["ground"], "rooms": ["a", "b"],
        "locations": ["a-1", "a-2"], "connections": ["door-ab"], "zones": ["z"],
        "beacons": ["b1"], "scanners": ["node"], "contents": ["c"], "directory": ["d"],
        "floor-plans": ["p"],
        "access-point-places": [PLACE], "magnetic-routes": ["m"], "surveys": IDS[:],
    }
    values = {"of " + name: rows for name, rows in (ids | things).items()}
    values |= {
        "site": [WILD], "floor": ["ground"], "building": ["house"], "room": ["a", "b"],
        "location": ["a-1"], "connection": ["door-ab"], "device": ["pi-1"], "scanner": ["pi-1"],
        "version": ["1", "2", "draft", 1, 2], "record": ["a", "a-1"], "other": ["a-2", "a-1", "1", "draft"],
        "timeZone": ["Europe/London"], "position": things["positions"], "accessPoint": [PLACE],
        "q": ["room", "a"], "author": [IDS[0]], "confirm": [PASSING],
        # Hidden networks announce as many zero bytes as their name has letters.
        "ssid": ["eduroam", "", "\0" * 8], "bssid": [PLACE],
        "rssi": [-40, -62, -93, -120, 0], "id": IDS,
        "x": [1, 5.5, 19], "y": [1, 4, 7.5], "outline": [[[0, 0], [4, 0], [4, 3], [0, 3]]],
        "format": ["geojson", "rooms", "access-points", "connections", "heights", "imdf"], "width": [100, 640],
        "language": ["en", "cy"], "at": ["2026-11-21T08:00:00Z"], "role": ["visitor"],
        "expiresAt": ["2027-01-01T00:00:00Z"], "latitude": [51.5], "longitude": [-0.1],
        "sample files": samples() | {kind: file for _, kind, file in exports},
        "examples": examples(media, things, published, exports),
    }
    for name in ("sentAt", "from", "until"):
        values[name] = ["2026-11-21T08:00:00Z"]
    return values


def examples(media: dict, things: dict, published: dict, exports: list) -> dict[str, list[dict]]:
    """Parts of accepted requests by operation: parameters, headers, a media type and a body."""
    site = "/v1/sites/{site}"
    grants = [{"role": "visitor", "site": WILD}]
    place = {"floor": "ground", "x": 5, "y": 4}
    route = {"id": "m", "floor": "ground", "polyline": [[0, 4], [20, 4]], "samples": walk(1.2)}
    survey = scan(5, 4) | {"device": "pi-1", "scanner": "pi-1", "place": place}
    whole = {"parameters": {"site": WILD}, "body": published}
    found = {
        f"PUT {site}": [whole] * 5 + [{"parameters": {"site": PASSING}, "body": document()}],
        f"PATCH {site}": [{"body": {"name": "House"}}, {"body": {"bearingDegrees": 1}}],
        # Only an administrator of all sites may; the others try the wild one, without its name.
        f"DELETE {site}": [{"parameters": {"site": PASSING, "confirm": PASSING}}, {}, {}],
        f"GET {site}/map/parts/{{zoom}}/{{x}}/{{y}}": [
            {"parameters": {"zoom": zoom, "x": x, "y": y}}
            for zoom, x, y in ((15, 16374, 10897), (8, 127, 85), (12, 0, 4095))],
        f"POST {site}/draft/edits": [
            {"body": {"edits": [{"id": IDS[number], "do": word, "kind": kind, "record": record,
                                 "value": value}], "together": number == 0}}
            for number, (word, kind, record, value) in enumerate((
                ("patch", "rooms", "a", {"name": "Room A"}),
                ("put", "locations", "a-3", place | {"room": "a"}),
                ("remove", "locations", "a-3", {"cascade": True})))],
        f"POST {site}/draft/undo": [{"body": {"id": IDS[9]}}, {"body": {"id": IDS[8], "revision": 1}}],
        f"POST {site}/publish": [{"body": {}}, {"body": {"audience": "test"}}],
        f"POST {site}/versions/{{version}}/restore": [{"parameters": {"version": 1}}],
        f"POST {site}/survey-reviews": [
            {"body": {"decision": decision, "surveys": [one]}}
            for decision in ("accept", "reject") for one in things["survey-reviews"]],
        f"POST {site}/imports": [
            {"parameters": {"format": name} | more, "kind": kind, "body": file}
            for name, kind, file in [*exports, ("dxf", "image/vnd.dxf", DRAWING),
                                     ("room-list", "text/csv", b"number,name\r\na,Room a\r\n")]
            for more in ({}, {"preview": True, "floor": "ground", "unit": "feet"})],
        "POST /v1/surveys": [{"kind": "application/json", "body": survey}],
        "POST /v1/taps": [{"kind": "application/json", "body": survey}],
        "POST /v1/guidance": [{"body": {"site": WILD, "to": [{"room": "b"}], "position": place}}],
        "POST /v1/routes": [{"body": {"site": WILD, "from": place, "to": [{"room": "b"}]}}],
        "POST /v1/outages": [{"body": {
            "site": WILD, "connection": "door-ab", "reason": "stuck", "reportedBy": "Anna"}}],
        f"POST {site}/barriers": [
            {"body": {"kind": "door-locked", "place": one}}
            for one in ({"connection": "door-ab"}, {"room": "a"}, place)],
        "POST /v1/tokens": [{"body": {"role": "visitor", "site": WILD}}],
        "POST /v1/media": [
            {"parameters": {"site": WILD}, "kind": kind, "body": samples()[kind]}
            for kind in ("image/png", "application/pdf")],
        "POST /v1/media/{hash}/picture": [{"parameters": {"hash": things["media"][1]}}],
        "POST /v1/magnetic-routes": [{"body": route | {"site": WILD}}],
        "POST /v1/magnetic-routes/{id}/validations": [
            {"parameters": {"id": "m"}, "body": {"site": WILD, "samples": walk(0.9, True)}}],
        "POST /v1/invitations": [{"body": {"note": "of the fuzzer", "grants": grants}}],
        "PATCH /v1/accounts/{id}": [{"body": {"name": "Berta"}}, {"body": {"grants": grants}}],
        "GET /v1/sign-in/proxy": [
            {"headers": {"remote-user": name, "remote-groups": "staff"}}
            for name in ("anna", "bo")],
    }
    for kind in ("floors", "buildings", "rooms"):
        # Seldom: until the whole site is put back, the draft is an empty one.
        found[f"DELETE {site}/{kind}/{{id}}"] = [{"parameters": {"cascade": True}}, {}, {}, {}]
    for kind, record in records(media):
        identifier = {"id": record.get("id") or record["address"]}
        path = f"{site}/{kind}/{{id}}"
        found.setdefault("PUT " + path, []).append({"parameters": identifier, "body": record})
        found.setdefault("PATCH " + path, []).extend(
            {"parameters": identifier, "body": {name: value}}
            for name, value in record.items() if name not in ("id", "address"))
    return found


def samples() -> dict[str, bytes]:
    """A small file of each kind that may be sent as it is."""
    pixels = zlib.compress(b"\x00\xff\xff\xff")

    def chunk(name: bytes, data: bytes) -> bytes:
        whole = name + data
        return struct.pack(">I", len(data)) + whole + struct.pack(">I", zlib.crc32(whole))
    png = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
           + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr("manifest.json", '{"version": "1.0.0", "language": "en"}')
        files.writestr("venue.geojson", '{"type": "FeatureCollection", "features": []}')
    # Readers find what a page needs without a table of places.
    page = (b"%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
            b"2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n"
            b"3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 20 20]>>\nendobj\n"
            b"trailer\n<</Size 4/Root 1 0 R>>\n%%EOF\n")
    return {
        "image/png": png, "image/svg+xml": b"<svg xmlns='http://www.w3.org/2000/svg'><g/></svg>",
        "application/pdf": page, "audio/mpeg": b"ID3\x04" + b"\x00" * 30,
        "audio/ogg": b"OggS" + b"\x00" * 30, "application/zip": archive.getvalue(),
        "text/csv": b"id,floor,name\r\na,ground,Anna's room\r\n",
        "application/geo+json": b'{"type": "FeatureCollection", "features": []}',
        "image/jpeg": b"\xff\xd8\xff\xc0\x00\x11\x08\x00\x01\x00\x01\x03" + b"\x00" * 12,
    }
