"""Drawing in the staff's app: a museum from its plan, what is wrong told where it happens, and undo."""

import tempfile
import time

import plan_files
from hand import Hand
from keys import ENTER
from page import Page
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
