"""What only a site of many buildings has: the choice of a building, its floors, and their names."""

from page import Page
from subject import SIZES, LeftOut, Subject

CHOICE = "return Array.from(document.querySelectorAll('.choose-building option'))" \
    ".map(function (one) { return one.textContent; })"


class ManyBuildings(Subject):
    def _site(self) -> str:
        """The campus where there is one, else the college of three buildings."""
        found = [site for site in ("campus", "college") if self.has(site)]
        if not found:
            raise LeftOut("there is neither campus nor college")
        return found[0]

    def buildings_are_chosen_by_name(self):
        site = self._site()
        overview = self.ask(f"/v1/sites/{site}/map/overview?language=en")
        names = sorted(one["name"] for one in overview["buildings"])
        assert len(names) == len(set(names)) and len(names) >= 3, names
        with Page(self.between, SIZES["phone"]) as page:
            page.open(f"/s/{site}?lang=en")
            assert page.run(CHOICE) == names, page.run(CHOICE)
            asked = [path for path in self.between.asked if "/buildings/" in path]
            assert not asked, f"buildings were asked for one by one: {asked[:5]}"
            before = page.run("return whereabouts.view.floorID")
            page.run("""
                var choice = document.querySelector('.choose-building');
                choice.selectedIndex = choice.options.length - 1;
                choice.dispatchEvent(new Event('change'));""")
            page.until("return whereabouts.view.floorID !== arguments[0]", 60, before)
            page.settled()
            chosen = page.run("return document.querySelector('.choose-building')"
                              ".selectedOptions[0].textContent")
            assert chosen == names[-1], chosen

    def the_first_floor_is_in_the_heart_of_the_campus(self):
        site = self._site()
        overview = self.ask(f"/v1/sites/{site}/map/overview")
        west, south, east, north = overview["outdoors"]["heart"]
        with Page(self.between, SIZES["desk"]) as page:
            page.open(f"/s/{site}")
            building = page.run("return whereabouts.site.floorOf(whereabouts.view.floorID).building")
            box = next(one["box"] for one in overview["buildings"] if one["id"] == building)
            assert west < (box[0] + box[2]) / 2 < east and south < (box[1] + box[3]) / 2 < north, box

    def a_zoom_keeps_the_middle_of_what_is_not_covered(self):
        site = self._site()
        with Page(self.between, SIZES["desk"]) as page:
            page.open(f"/s/{site}")
            middle = "var at = whereabouts.view.middle(); return [at.lat, at.lng]"
            before = page.run(middle)
            page.run("document.querySelector('.zoom button').click()")
            page.settled()
            after = page.run(middle)
            assert max(abs(one - other) for one, other in zip(before, after)) < 2e-5, (before, after)

    def a_long_name_of_a_building_covers_no_map(self):
        site = self._site()
        with Page(self.between, SIZES["phone"]) as page:
            page.open(f"/s/{site}")
            under = page.run("""
                var box = document.querySelector('.floors').getBoundingClientRect();
                return document.elementFromPoint(box.left + 4, box.bottom - 4).closest('.map') !== null;
            """)
            assert under, "the map can't be dragged beside the floors"

    def rooms_too_small_for_their_names_have_their_numbers(self):
        site = self._site()
        with Page(self.between, SIZES["desk"]) as page:
            page.open(f"/s/{site}?room=b2.1.3")
            page.run("whereabouts.view.leaflet.setZoom(20, {animate: false})")
            page.settled()
            names = page.run("return whereabouts.view.layer.shownLabels().map("
                             "function (one) { return one.text; })")
            assert sum(one.startswith("1.") for one in names) > 5, names
