"""A site with planted names: 50 texts and ids that are the staff's or hidden, in every kind of record.

Every planted text and id contains `zq` and a number, which nothing else has. `staff` are those that the
staff sees, too; `hidden` are for editors only.
"""

GROUND, UPPER, CLOSED = "ground", "upper", "zq01floor"


def square(x: float, y: float, side: float = 8) -> list:
    return [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]


def point(floor: str, x: float, y: float) -> dict:
    return {"floor": floor, "x": x, "y": y}


def stop(floor: str, room: str | None, x: float, y: float) -> dict:
    return point(floor, x, y) | ({"room": room} if room else {})


def room(name: str, floor: str, x: float, y: float, title: str, **members) -> dict:
    return {"id": name, "floor": floor, "name": title, "kind": "lab",
            "outline": square(x, y)} | members


def document(media: dict, secret: dict, *, opened: str = "") -> dict:
    """
    :param media: a file that strangers see; `secret` is one of a staff room, with `zq49` in it.
    :param opened: the id of a room that is made public although its names are planted.
    """
    rooms = [
        room("hall", GROUND, 0, 0, "Hall", kind="corridor"),
        room("lab", GROUND, 8, 0, "Laboratory"),
        room("zq02room", GROUND, 16, 0, "Zq03 vault", names={"cy": "Zq04 cell"},
             visibility="staff"),
        room("zq05room", GROUND, 0, 8, "Zq06 store", restricted=True),
        room("zq07room", GROUND, 8, 8, "Zq08 shaft", visibility="hidden"),
        # One within another, and one on a floor that nobody sees.
        room("zq09room", UPPER, 0, 0, "Zq10 safe", visibility="hidden"),
        room("landing", UPPER, 8, 0, "Landing"),
        room("zq11room", CLOSED, 0, 0, "Zq12 archive"),
        # Its timetable is the staff's.
        room("quiet", GROUND, 16, 8, "Quiet room", timetableVisibility="staff"),
    ]
    for one in rooms:
        if one["id"] == opened:
            one["visibility"] = "public"
            one["restricted"] = False
    return {
        "name": "Planted house", "origin": {"latitude": 51.5, "longitude": -0.1},
        "bearingDegrees": 0, "audience": "everybody",
        "buildings": [{"id": "house", "name": "House", "timeZone": "Europe/London",
                       "outline": square(0, 0, 24)}],
        "floors": [
            {"id": GROUND, "building": "house", "ordinal": 0, "level": "G"},
            {"id": UPPER, "building": "house", "ordinal": 1, "level": "1"},
            {"id": CLOSED, "building": "house", "ordinal": 2, "level": "zq13",
             "names": {"en": "Zq14 floor"}, "visibility": "staff"},
        ],
        "floorPlans": [
            {"id": "zq15plan", "floor": GROUND, "image": secret, "widthPixels": 10,
             "heightPixels": 10, "alignment": {"corners": [[0, 24], [24, 0]]}},
        ],
        "rooms": rooms,
        "locations": [
            point(GROUND, 4, 4) | {"id": "desk", "room": "hall", "name": "Desk"},
            point(GROUND, 20, 4) | {"id": "zq16place", "room": "zq02room", "name": "Zq17 drawer"},
            point(GROUND, 12, 12) | {"id": "zq18place", "name": "Zq19 ladder"},
            point(CLOSED, 4, 4) | {"id": "zq20place", "name": "Zq21 shelf"},
        ],
        "connections": [
            {"id": "front", "kind": "door", "name": "Main door",
             "stops": [stop(GROUND, "hall", 0, 4), {"x": 0, "y": 4}]},
            {"id": "door-lab", "kind": "door",
             "stops": [stop(GROUND, "hall", 8, 4), stop(GROUND, "lab", 8, 4)]},
            {"id": "zq22door", "kind": "door", "name": "Zq23 hatch",
             "stops": [stop(GROUND, "lab", 16, 4), stop(GROUND, "zq02room", 16, 4)]},
            {"id": "zq24door", "kind": "door", "name": "Zq25 gate",
             "stops": [stop(GROUND, "zq02room", 20, 8), stop(GROUND, "quiet", 20, 8)]},
            {"id": "zq26way", "kind": "walk", "name": "Zq27 way",
             "stops": [stop(GROUND, None, 9, 12), stop(GROUND, None, 15, 12)]},
            {"id": "zq28stairs", "kind": "stairs", "name": "Zq29 steps",
             "stops": [stop(GROUND, "hall", 2, 2), stop(CLOSED, "zq11room", 2, 2)]},
            {"id": "lift", "kind": "lift", "name": "Lift",
             "stops": [stop(GROUND, "lab", 14, 2), stop(UPPER, "landing", 14, 2),
                       stop(CLOSED, None, 14, 2)]},
        ],
        "zones": [
            {"id": "open", "name": "Open", "kind": "quiet", "rooms": ["hall", "zq02room"]},
            {"id": "zq30zone", "name": "Zq31 zone", "kind": "zq32kind",
             "rooms": ["zq02room", "zq07room"]},
            {"id": "zq33zone", "name": "Zq34 zone", "kind": "quiet", "floor": GROUND,
             "outline": [[9, 9], [13, 9], [13, 13]]},
        ],
        "beacons": [
            point(GROUND, 12, 12) | {
                "id": "zq35beacon", "name": "Zq36 beacon", "group": "zq37group", "major": 1,
                "minor": 2, "uuid": "f7826da6-4fa2-4e98-8024-bc5b71e0893e"},
        ],
        "scanners": [point(GROUND, 20, 4) | {"id": "zq38scanner", "name": "Zq39 scanner"}],
        "contents": [
            {"id": "welcome", "place": {"room": "hall"}, "title": "Welcome",
             "pictures": [{"media": media, "caption": "The hall"}]},
            {"id": "zq40content", "place": {"room": "zq02room"}, "title": "Zq41 title",
             "text": "Zq42 text", "pictures": [{"media": secret, "caption": "Zq43 caption"}]},
            {"id": "zq44content", "place": {"location": "zq18place"}, "title": "Zq45 title"},
        ],
        "directory": [
            {"id": "office", "kind": "office", "name": "Office",
             "places": [{"room": "lab"}, {"room": "zq02room"}]},
            {"id": "zq46entry", "kind": "office", "name": "Zq47 desk",
             "places": [{"room": "zq05room"}]},
            {"id": "zq48entry", "kind": "office", "name": "Zq50 office", "visibility": "hidden",
             "places": [{"room": "lab"}], "website": "https://zq51.example.org",
             "telephone": "zq52"},
        ],
        "accessPoints": {"places": [point(GROUND, 20, 4) | {"address": "02:aa:51:00:00:53"}]},
    }


# The ids with which other records are asked for, by the list's path.
IDS = {
    "rooms": ["zq02room", "zq05room", "zq07room", "zq09room", "zq11room"],
    "floors": [CLOSED], "floor-plans": ["zq15plan"],
    "locations": ["zq16place", "zq18place", "zq20place"],
    "connections": ["zq22door", "zq24door", "zq26way", "zq28stairs"],
    "zones": ["zq30zone", "zq33zone"], "beacons": ["zq35beacon"], "scanners": ["zq38scanner"],
    "contents": ["zq40content", "zq44content"], "directory": ["zq46entry", "zq48entry"],
    "access-point-places": ["02:aa:51:00:00:53"],
}
# Only editors see these; the staff sees the other planted ones.
HIDDEN = ["zq07", "zq08", "zq09", "zq10", "zq18", "zq19", "zq26", "zq27", "zq33", "zq34", "zq35",
          "zq36", "zq37", "zq44", "zq45", "zq48", "zq50", "zq51", "zq52"]
