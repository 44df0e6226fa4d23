"""Drawing in the staff's app: a museum from its plan, what is wrong told where it happens, and undo."""

import itertools
import math
import tempfile
import time
import uuid

import plan_files
from hand import Hand
from keys import ARROW_DOWN, ARROW_RIGHT, DELETE, ENTER, ESCAPE, TAB
from page import Page
from staff_draft_tests import CHOOSE
from staff_subject import SAVED, SIZES, StaffSubject

SIZE = (30, 24)
# Name, and the corners of a rectangle: west, south, east, north.
GROUND = (
    ("Foyer", 10, 0, 20, 10), ("Museum Shop", 20, 0, 30, 10), ("Harbour Café", 0, 0, 10, 10),
    ("Long Gallery", 0, 10, 30, 13), ("Egypt", 0, 13, 10, 24), ("Greece and Rome", 10, 13, 20, 24),
    ("Toilets", 20, 13, 24, 18), ("Lift", 24, 13, 27, 18), ("Stairs", 27, 13, 30, 24),
    ("Store", 20, 18, 27, 24),
)
UPPER = (
    ("Upper Gallery", 0, 10, 30, 13), ("Paintings", 0, 13, 10, 24), ("Clocks", 10, 13, 20, 24),
    ("Lift", 24, 13, 27, 18), ("Stairs", 27, 13, 30, 24), ("Lecture Theatre", 10, 0, 30, 10),
)
GROUND_DOORS = (
    (15, 0), (26, 0), (20, 5), (10, 5), (15, 10), (5, 13), (15, 13), (22, 13), (20, 21), (25.5, 13),
    (28.5, 13),
)
UPPER_DOORS = ((5, 13), (15, 13), (20, 10), (25.5, 13), (28.5, 13))
MOST_STEPS = 110
# Where the house of the other tests stands, and metres to a degree there.
ORIGIN = (52.4153, -4.0829)
TURN = math.radians(ORIGIN[0])
NORTH = 111_132.95 - 559.85 * math.cos(2 * TURN) + 1.175 * math.cos(4 * TURN)
EAST = 111_412.88 * math.cos(TURN) - 93.5 * math.cos(3 * TURN) + 0.118 * math.cos(5 * TURN)
numbers = itertools.count()
WAITING = "return whereabouts.draft.queue.waiting().length === 0"


class StaffDraw(StaffSubject):
    def _hand(self, page: Page) -> Hand:
        hand = Hand(page, self.words["en"])
        hand.size = plan_files.sheet_size(SIZE)
        return hand

    def _at(self, x: float, y: float):
        return plan_files.share(SIZE, x, y)

    def _begin(self, page: Page, folder: str, site: str, hand: Hand) -> None:
        """Makes a site with a museum of two floors, and lays the plan of the ground floor."""
        ada = self.staff.person("Ada", "administrator", None)
        self.open(page, ada, f"/staff/{site}")
        hand.press("draw.makeSite")
        page.until("return document.querySelector('#draw-new-name') !== null")
        page.settled()
        hand.field("#draw-new-name", "Museum of the Coast")
        hand.press("draw.make")
        page.until("return whereabouts.view.floorID !== null")
        page.settled()
        plan = plan_files.write(
            folder, "ground.pdf", plan_files.sheet(SIZE, [room[1:] for room in GROUND]))
        hand.file("#draw-file", plan)
        page.until("return document.querySelector('.draw-viewer .draw-plan') !== null")
        page.settled()
        hand.plan = ".draw-viewer .draw-plan"
        hand.tap_plan(*self._at(0, 0))
        hand.tap_plan(*self._at(30, 0))
        hand.field("#draw-metres", "30", ENTER)
        hand.plan = ".leaflet-overlay-pane > .draw-plan"
        page.until("return document.querySelector('.draw-viewer') === null")
        page.settled()

    def _rooms(self, hand: Hand, rooms) -> None:
        for name, west, south, east, north in rooms:
            hand.drag_plan(self._at(west, south), self._at(east, north))
            hand.name(name)

    def _floor(self, page: Page, hand: Hand, label: str) -> None:
        hand.press(label)
        page.until("return document.querySelector('.floors [aria-current]').textContent === arguments[0]",
                   30, label[-1:])
        page.settled()

    def a_museum_is_drawn_from_its_plan(self):
        """Two floors, 16 rooms, 16 doors, stairs and a lift: published, and a way upstairs is found."""
        site = f"drawn-{id(self) % 100_000}-{int(time.time())}"
        with tempfile.TemporaryDirectory() as folder, Page(self.at, SIZES["desk"]) as page:
            hand = self._hand(page)
            self._begin(page, folder, site, hand)
            self._rooms(hand, GROUND)
            hand.press("draw.tool.door")
            for door in GROUND_DOORS:
                hand.tap_plan(*self._at(*door))
            hand.press("draw.tool.stairs")
            hand.tap_plan(*self._at(28, 20))
            self._floor(page, hand, "Level 1")
            plan = plan_files.write(
                folder, "upper.pdf", plan_files.sheet(SIZE, [room[1:] for room in UPPER]))
            hand.file("#draw-file", plan)
            hand.press("draw.alignLike", name="Level G")
            page.until("return document.querySelector('.draw-viewer') === null")
            page.settled()
            hand.press("draw.tool.room")
            self._rooms(hand, UPPER)
            hand.press("draw.tool.door")
            for door in UPPER_DOORS:
                hand.tap_plan(*self._at(*door))
            hand.press("draw.tool.stairs")
            hand.tap_plan(*self._at(28, 20))
            self._floor(page, hand, "Level G")
            hand.tap_plan(*self._at(28, 20))
            hand.press("draw.tool.lift")
            hand.tap_plan(*self._at(25.5, 15))
            self._floor(page, hand, "Level 1")
            hand.tap_plan(*self._at(25.5, 15))
            page.until(WAITING)
            hand.press("panel.publish")
            hand.press("publish.everyone")
            hand.press("publish.yes.everyone")
            page.until("return /^Published/.test(document.querySelector('.news').textContent)")
            print(f"      {hand.count} presses, drags and fields")
            self._look_at_museum(site)
            assert hand.count <= MOST_STEPS, hand.count

    def _look_at_museum(self, site: str) -> None:
        document = self.staff.ask(f"/v1/sites/{site}")
        rooms = {room["name"]: room for room in document["rooms"]}
        assert len(document["rooms"]) == 16 and len(document["floors"]) == 2, document["rooms"]
        for name, west, south, east, north in GROUND + UPPER:
            assert name in rooms, (name, list(rooms))
        kinds = [one["kind"] for one in document["connections"]]
        assert kinds.count("door") == 16 and kinds.count("stairs") == 1, kinds
        assert kinds.count("lift") == 1 and rooms["Toilets"]["kind"] == "toilet", kinds
        # Walls that meet are one wall: no crack is between two rooms.
        for floor in document["floors"]:
            corners = {tuple(corner) for room in document["rooms"] if room["floor"] == floor["id"]
                       for corner in room["outline"]}
            for one in corners:
                near = [other for other in corners if other != one
                        and max(abs(one[0] - other[0]), abs(one[1] - other[1])) < 0.15]
                assert not near, (one, near)
        foyer = rooms["Foyer"]["outline"]
        sides = [max(one[axis] for one in foyer) - min(one[axis] for one in foyer) for axis in (0, 1)]
        assert all(abs(side - 10) < 0.3 for side in sides), sides
        for profile in ("walking", "step-free-strict"):
            answer, _ = self.staff.send("POST", "/v1/routes", {
                "site": site,
                "from": {"room": rooms["Foyer"]["id"]},
                "to": [{"room": rooms["Clocks"]["id"]}], "profile": profile})
            assert answer.get("routes"), (profile, answer)

    # MARK: A small house, which is there already

    def _house(self) -> str:
        """A site with two rooms, a door between them, an entrance and a location; and an empty floor."""
        site = f"house-{id(self) % 100_000}-{next(numbers)}-{int(time.time())}"
        box = lambda west, south, east, north: [  # noqa: E731
            [west, south], [east, south], [east, north], [west, north]]
        stop = lambda room, x, y: {"floor": "g", "room": room, "x": x, "y": y}  # noqa: E731
        self.staff.send("PUT", f"/v1/sites/{site}", {
            "name": "House", "origin": {"latitude": ORIGIN[0], "longitude": ORIGIN[1]},
            "bearingDegrees": 0,
            "buildings": [{"id": "house", "name": "House", "timeZone": "Europe/London"}],
            "floors": [{"id": "g", "building": "house", "ordinal": 0, "level": "G"},
                       {"id": "u", "building": "house", "ordinal": 1, "level": "1"}],
            "rooms": [
                {"id": "west", "floor": "g", "name": "West", "kind": "room", "outline": box(0, 0, 10, 8)},
                {"id": "east", "floor": "g", "name": "East", "kind": "room", "outline": box(10, 0, 20, 8)}],
            "connections": [
                {"id": "door", "kind": "door", "accessible": "unknown",
                 "stops": [stop("west", 10, 4), stop("east", 10, 4)]},
                {"id": "front", "kind": "door", "accessible": "unknown",
                 "stops": [{"x": 8, "y": 0}, stop("west", 8, 0)]}],
            "locations": [{"id": "desk", "floor": "g", "room": "west", "x": 3, "y": 2, "name": "Desk"}]})
        return site

    def _drawing(self, page: Page, site: str, floor: str = "g", size=None) -> Hand:
        """The panel Draw with the house in sight."""
        anna = self.editor("Anna", site)
        at = f"{ORIGIN[0] + 6 / NORTH},{ORIGIN[1] + 10 / EAST},20.5"
        self.open(page, anna, f"/staff/{site}?panel=draw&floor={floor}&at={at}")
        page.until("return document.querySelector('.draw-tools') !== null")
        page.settled()
        return Hand(page, self.words["en"])

    def _pixel(self, page: Page, x: float, y: float):
        """Where a point in metres is on the window."""
        return page.run("""
            var map = whereabouts.view.leaflet;
            var at = map.latLngToContainerPoint([arguments[0], arguments[1]]);
            var box = map.getContainer().getBoundingClientRect();
            return [at.x + box.left, at.y + box.top];""", ORIGIN[0] + y / NORTH, ORIGIN[1] + x / EAST)

    def _tap(self, hand: Hand, x: float, y: float) -> None:
        hand.tap(*self._pixel(hand.page, x, y))

    def _drag(self, hand: Hand, start, end) -> None:
        hand.drag(self._pixel(hand.page, *start), self._pixel(hand.page, *end))

    def _told(self, page: Page, key: str, **values) -> None:
        """Waits until the line beside the tools says this."""
        text = self.words["en"][key]
        for name, value in values.items():
            text = text.replace("{%s}" % name, value)
        page.until("return document.querySelector('.draw-note').textContent === arguments[0]", 30, text)

    def _kept(self, page: Page) -> None:
        page.until(WAITING)
        page.until(SAVED)

    def _edit(self, page: Page, act, *arguments, **values) -> None:
        """Does something that edits the draft, and waits until the service has it."""
        page.until(WAITING)
        before = page.run("return whereabouts.draft.revision")
        act(*arguments, **values)
        page.until("return whereabouts.draft.revision > arguments[0]", 60, before)
        self._kept(page)
        page.settled()

    def _records(self, site: str, kind: str) -> dict[str, dict]:
        answer = self.staff.ask(f"/v1/sites/{site}/{kind}?version=draft&limit=1000")
        return {one["id"]: one for one in answer[kind if kind != "floor-plans" else "floorPlans"]}

    def rooms_are_drawn_by_the_keyboard_alone(self):
        site = self._house()
        with Page(self.at, SIZES["desk"]) as page:
            self._drawing(page, site, "u")
            page.focus("[data-tool=room]")
            page.keys(ENTER)
            page.focus("#map")
            page.keys(ENTER)
            for key in (ARROW_RIGHT, ARROW_DOWN):
                page.keys(key)
                page.settled()
            page.keys(ENTER)
            page.until("return document.activeElement.id === 'draw-name'")
            page.keys("101", ENTER)
            page.until("return document.activeElement.id === 'map'")
            # The next room has the next number.
            page.keys(ENTER, ARROW_RIGHT)
            page.settled()
            page.keys(ARROW_DOWN)
            page.settled()
            page.keys(ENTER)
            page.until("return document.activeElement.id === 'draw-name'")
            assert page.run("return document.activeElement.value") == "102"
            page.keys(ENTER)
            self._kept(page)
            names = sorted(one["name"] for one in self._records(site, "rooms").values() if one["floor"] == "u")
            assert names == ["101", "102"], names

    def what_is_wrong_is_told_where_it_happens(self):
        site = self._house()
        with Page(self.at, SIZES["desk"]) as page:
            hand = self._drawing(page, site)
            self._drag(hand, (8, 2), (13, 6))
            page.until("return /lies across (West, East|East, West)/.test(document.querySelector('.draw-note').textContent)")
            hand.name("Across")
            hand.press("draw.tool.outline")
            for x, y in ((22, 1), (28, 7), (28, 1)):
                self._tap(hand, x, y)
            self._tap(hand, 22, 7)
            self._told(page, "draw.crossesItself")
            page.keys(ESCAPE)
            hand.press("draw.tool.door")
            self._tap(hand, 5, 11)
            self._told(page, "draw.inTheAir")
            hand.press("draw.tool.split")
            self._tap(hand, 25, 1)
            self._tap(hand, 25, 7)
            self._told(page, "draw.noCut")
            hand.press("draw.tool.room")
            self._drag(hand, (23, 3), (23.2, 5))
            self._told(page, "draw.tooSmall")
            self._kept(page)
            assert len(self._records(site, "rooms")) == 3 and len(self._records(site, "connections")) == 2

    def a_wall_moves_with_both_rooms_and_is_undone_as_one(self):
        site = self._house()
        with Page(self.at, SIZES["desk"]) as page:
            hand = self._drawing(page, site)
            hand.press("draw.tool.change")
            self._tap(hand, 5, 5)
            self._edit(page, self._drag, hand, (10, 8), (12, 8))
            self._told(page, "draw.done.moved")
            rooms = self._records(site, "rooms")
            moved = rooms["west"]["outline"][2]
            assert moved == rooms["east"]["outline"][3] and abs(moved[0] - 12) < 0.1, rooms
            assert moved[1] == 8, moved
            door = self._records(site, "connections")["door"]["stops"][0]
            assert abs(door["x"] - 11) < 0.05 and abs(door["y"] - 4) < 0.01, door
            self._edit(page, hand.press, "undo")
            rooms = self._records(site, "rooms")
            assert rooms["west"]["outline"][2] == [10, 8] == rooms["east"]["outline"][3], rooms
            assert self._records(site, "connections")["door"]["stops"][0]["x"] == 10
            self._edit(page, hand.press, "redo")
            assert self._records(site, "rooms")["east"]["outline"][3] == moved
            # A corner more, and away again.
            self._tap(hand, 15, 4)
            self._edit(page, self._drag, hand, (20, 4), (22, 4))
            assert len(self._records(site, "rooms")["east"]["outline"]) == 5
            self._tap(hand, 22, 4)
            self._edit(page, hand.press, "draw.removeCorner")
            assert len(self._records(site, "rooms")["east"]["outline"]) == 4

    def rooms_are_cut_joined_put_in_a_row_and_copied(self):
        site = self._house()
        with Page(self.at, SIZES["desk"]) as page:
            hand = self._drawing(page, site)
            hand.press("draw.tool.split")
            self._tap(hand, 5, 0)
            self._tap(hand, 5, 8)
            hand.name("Part")
            self._kept(page)
            rooms = self._records(site, "rooms")
            part = next(one for one in rooms.values() if one["name"] == "Part")
            assert len(rooms) == 3 and rooms["west"]["name"] == "West"
            desk = self._records(site, "locations")["desk"]["room"]
            assert desk == (part["id"] if min(x for x, _ in part["outline"]) == 0 else "west"), desk
            hand.press("draw.tool.merge")
            self._tap(hand, 8, 6)
            self._tap(hand, 2, 6)
            self._told(page, "draw.done.merge")
            self._kept(page)
            rooms = self._records(site, "rooms")
            whole = next(one for one in rooms.values() if one["id"] != "east")
            assert len(rooms) == 2 and sorted(map(tuple, whole["outline"])) == [(0, 0), (0, 8), (10, 0), (10, 8)]
            assert self._records(site, "locations")["desk"]["room"] == whole["id"]
            hand.press("draw.tool.room")
            self._drag(hand, (0, 8), (20, 12))
            page.until("return document.activeElement.id === 'draw-name'")
            hand.field("#draw-row", "4")
            hand.field("#draw-name", "201", ENTER)
            page.until("return /in a row/.test(document.querySelector('.draw-note').textContent)")
            self._kept(page)
            row = sorted((one["name"], min(x for x, _ in one["outline"]))
                         for one in self._records(site, "rooms").values() if one["name"].startswith("20"))
            assert row == [("201", 0), ("202", 5), ("203", 10), ("204", 15)], row
            self._edit(page, hand.press, "undo")
            assert not [one for one in self._records(site, "rooms").values() if one["name"] == "203"]
            self._edit(page, hand.press, "redo")
            page.run(CHOOSE, "[aria-label='Copy to…']", "u")
            page.until("return /copied to/.test(document.querySelector('.draw-note').textContent)")
            self._kept(page)
            above = [one for one in self._records(site, "rooms").values() if one["floor"] == "u"]
            assert len(above) == 6, above
            doors = [one for one in self._records(site, "connections").values()
                     if all(stop.get("floor") == "u" for stop in one["stops"])]
            assert len(doors) == 1, doors

    def what_goes_with_a_room_is_told_before(self):
        site = self._house()
        with Page(self.at, SIZES["desk"]) as page:
            hand = self._drawing(page, site)
            hand.press("draw.tool.change")
            self._tap(hand, 5, 5)
            page.focus("#map")
            page.keys(DELETE)
            page.until("return /2 ways and doors, 1 location/.test(document.querySelector('.draw-box').textContent)")
            hand.press("draw.noRemove")
            assert "west" in self._records(site, "rooms")
            page.keys(DELETE)
            self._edit(page, hand.press, "draw.yesRemove")
            assert list(self._records(site, "rooms")) == ["east"] and not self._records(site, "connections")
            self._edit(page, hand.press, "undo")
            assert len(self._records(site, "rooms")) == len(self._records(site, "connections")) == 2

    def a_wrong_pair_of_an_alignment_is_named(self):
        site = self._house()
        with tempfile.TemporaryDirectory() as folder, Page(self.at, SIZES["desk"]) as page:
            hand = self._drawing(page, site)
            size = (20, 8)
            hand.size = plan_files.sheet_size(size)
            picture = plan_files.write(folder, "plan.svg", plan_files.drawing(size))
            hand.file("#draw-file", picture)
            page.until("return document.querySelector('.draw-viewer .draw-plan') !== null")
            page.settled()

            def pair(on_plan, on_map):
                hand.plan = ".draw-viewer .draw-plan"
                hand.tap_plan(*plan_files.share(size, *on_plan))
                page.until("return document.querySelector('.draw-viewer') === null")
                self._tap(hand, *on_map)
                page.settled()

            pair((0, 0), (0, 0))
            pair((10, 0), (10, 0))
            pair((20, 0), (20, 0))
            page.until("return /on one line/.test(document.querySelector('.draw-plans .bad').textContent)")
            hand.press("draw.pairRemove", number="3")
            pair((20, 8), (20, 8))
            page.until("return document.querySelector('.draw-plans .good') !== null")
            hand.press("draw.morePoints")
            pair((0, 8), (10, 8))
            page.until("return /Pair 4 is probably wrong/.test(document.querySelector('.draw-plans .bad').textContent)")
            hand.press("draw.pairRemove", number="4")
            self._edit(page, hand.press, "draw.alignKeep")
            plan = next(iter(self._records(site, "floor-plans").values()))
            assert len(plan["alignment"]["pairs"]) == 3 and plan["residualMetres"] < 0.2, plan
            # It lies where the rooms are.
            seen = page.run("var box = document.querySelector('.leaflet-overlay-pane > .draw-plan')"
                            ".getBoundingClientRect(); return [box.left, box.bottom]")
            corner = self._pixel(page, -1.5, -1.5)
            assert max(abs(one - other) for one, other in zip(seen, corner, strict=True)) < 6, (seen, corner)

    def plans_that_cant_be_shown_say_why(self):
        site = self._house()
        with tempfile.TemporaryDirectory() as folder, Page(self.at, SIZES["desk"]) as page:
            hand = self._drawing(page, site)
            for name, content, says in (
                ("script.svg", plan_files.drawing((20, 8), "<script>alert(1)</script>"), "scripts"),
                ("wide.png", plan_files.picture(30_000, 4), "30000 × 4"),
                ("notes.pdf", b"Not a plan at all.", "no PDF"),
                ("notes.dwg", b"Not a plan at all.", "send a PDF"),
                ("empty.png", b"", "empty"),
            ):
                hand.file("#draw-file", plan_files.write(folder, name, content))
                page.until("var one = document.querySelector('.draw-plans .fault');"
                           "return one !== null && one.textContent.indexOf(arguments[0]) >= 0", 60, says)
            pages = plan_files.sheet((20, 8), [(0, 0, 20, 8)], 200)
            hand.file("#draw-file", plan_files.write(folder, "book.pdf", pages))
            page.until("return /200 pages/.test(document.querySelector('.draw-plans').textContent)")
            hand.field("#draw-page", "117", TAB)
            page.until("return /Page 117/.test(document.querySelector('.draw-plans').textContent)", 120)
            hand.press("draw.usePage")
            page.until("return document.querySelector('.draw-viewer .draw-plan') !== null", 120)

    def a_floor_that_goes_under_ones_hands_is_told(self):
        site = self._house()
        with Page(self.at, SIZES["desk"]) as page:
            hand = self._drawing(page, site, "u")
            self.staff.send("POST", f"/v1/sites/{site}/draft/edits", {"edits": [{
                "id": str(uuid.uuid4()), "do": "patch", "kind": "floors", "record": "u",
                "value": {"level": "2"}}]})
            page.until("return /Its sign is now 2/.test(document.querySelector('.draw-note').textContent)")
            self.staff.send("POST", f"/v1/sites/{site}/draft/edits", {"edits": [{
                "id": str(uuid.uuid4()), "do": "remove", "kind": "floors", "record": "u", "cascade": True}]})
            page.until("return /has removed this floor/.test(document.querySelector('.draw-note').textContent)")
            hand.press("draw.tool.room")
            self._drag(hand, (3, 3), (8, 8))
            hand.name("Lost")
            # It is kept until somebody decides.
            page.until("return document.querySelector('.status button') !== null")

    def floors_are_added_renamed_and_moved(self):
        site = self._house()
        with Page(self.at, SIZES["desk"]) as page:
            hand = self._drawing(page, site)
            self._edit(page, hand.field, "#draw-level-u", "First", TAB)
            hand.field("#draw-add-floor", "2")
            self._edit(page, hand.press, "draw.above")
            page.until("return document.querySelectorAll('.draw-floors li').length === 3")
            levels = sorted((one["ordinal"], one["level"]) for one in self._records(site, "floors").values())
            assert levels[:2] == [(0, "G"), (1, "First")] and len(levels) == 3, levels
            self._edit(page, hand.press, "draw.floorUp", name="Level G")
            levels = sorted((one["ordinal"], one["level"]) for one in self._records(site, "floors").values())
            assert [level for _, level in levels][:2] == ["First", "G"], levels
            self._edit(page, hand.press, "undo")
            levels = sorted((one["ordinal"], one["level"]) for one in self._records(site, "floors").values())
            assert [level for _, level in levels][:2] == ["G", "First"], levels

    def what_is_drawn_offline_arrives_once(self):
        site = self._house()
        with Page(self.at, SIZES["desk"]) as page:
            hand = self._drawing(page, site, "u")
            self.between.leave(f"/v1/sites/{site}")
            self._drag(hand, (0, 0), (6, 5))
            hand.name("Cellar")
            hand.press("draw.tool.change")
            self._tap(hand, 3, 2)
            page.until("return document.querySelector('#draw-name') !== null"
                       " && document.querySelector('#draw-name').value === 'Cellar'")
            assert page.run("return whereabouts.draft.queue.waiting().length") > 0
            self.between.plain()
            page.run("window.dispatchEvent(new Event('online'))")
            page.until(WAITING, 60)
            rooms = [one for one in self._records(site, "rooms").values() if one["floor"] == "u"]
            assert [one["name"] for one in rooms] == ["Cellar"], rooms

    def a_finger_draws_on_a_telephone(self):
        site = self._house()
        with Page(self.at) as page:
            hand = self._drawing(page, site)
            hand.press("draw.tool.room")
            page.settled()
            finger = Hand(page, self.words["en"], "touch")
            self._drag(finger, (0, 8), (10, 11))
            finger.name("Kitchen")
            self._kept(page)
            kitchen = next(one for one in self._records(site, "rooms").values() if one["name"] == "Kitchen")
            # A finger snaps, too.
            assert [0, 8] in kitchen["outline"] and [10, 8] in kitchen["outline"], kitchen
            assert kitchen["kind"] == "kitchen", kitchen
            hand.press("draw.tool.door")
            self._tap(finger, 5, 8)
            page.until("return /A door between/.test(document.querySelector('.draw-note').textContent)")
            self._kept(page)
            doors = [one for one in self._records(site, "connections").values()
                     if {stop.get("room") for stop in one["stops"]} == {"west", kitchen["id"]}]
            assert len(doors) == 1, doors
