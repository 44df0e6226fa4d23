"""The panel of files: recognised, chosen, previewed, applied and undone; bad files; exports."""

import time
import urllib.request

from page import Page
from staff_people import answer_of
from staff_draft_tests import CHOOSE
from staff_subject import SIZES, StaffSubject

# A file as a person chooses it: the browser gives it to the field.
GIVE = """
    var given = new DataTransfer();
    given.items.add(new File([arguments[1]], arguments[0]));
    var field = document.querySelector('#files-file');
    field.files = given.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));"""
TEXT = "return document.querySelector('.content').textContent"
CHECK = """
    var text = arguments[0];
    var label = [].filter.call(document.querySelectorAll('.files-choices .check label'),
      function (one) { return one.textContent.indexOf(text) === 0; })[0];
    var box = label && document.getElementById(label.getAttribute('for'));
    if (box) box.click();
    return Boolean(box);"""
SELECT = """
    var text = arguments[0];
    var label = [].filter.call(document.querySelectorAll('.files-choices .field label'),
      function (one) { return one.textContent === text; })[0];
    return label ? label.getAttribute('for') : '';"""


def drawing(unit: str = "") -> str:
    """Two rooms side by side with their names, and a layer of furniture."""
    header = f"0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n{unit}\n0\nENDSEC\n" if unit else ""
    rooms = "".join(
        f"0\nLWPOLYLINE\n8\nA-AREA\n70\n1\n10\n{x}\n20\n100\n10\n{x + 5}\n20\n100\n10\n{x + 5}\n20\n104\n"
        f"10\n{x}\n20\n104\n0\nTEXT\n8\nA-AREA\n10\n{x + 1}\n20\n102\n40\n0.3\n1\n{name}\n"
        for x, name in ((0, "1.20 Reading room"), (5, "WC")))
    table = "0\nLINE\n8\nFURNITURE\n10\n0\n20\n0\n11\n1\n21\n1\n"
    return f"{header}0\nSECTION\n2\nENTITIES\n{rooms}{table}0\nENDSEC\n0\nEOF\n"


class StaffFiles(StaffSubject):
    def _panel(self, page: Page, site: str) -> str:
        person = self.editor("Anna", site)
        self.open(page, person, f"/staff/{site}?panel=files")
        page.until("return document.querySelector('#files-file') !== null")
        return site

    def _give(self, page: Page, name: str, text: str) -> None:
        page.run(GIVE, name, text)

    def _choose(self, page: Page, label: str, value: str) -> None:
        page.until(SELECT, 60, self.words["en"][label])
        field = page.run(SELECT, self.words["en"][label])
        page.run(CHOOSE, f"#{field}", value)

    def _has(self, page: Page, text: str) -> None:
        page.until("return document.querySelector('.content').textContent.indexOf(arguments[0]) >= 0",
                   60, text)

    def _rooms(self, site: str) -> list[dict]:
        return self.staff.ask(f"/v1/sites/{site}/rooms?version=draft&limit=1000")["rooms"]

    def a_drawing_becomes_rooms_after_it_was_shown(self):
        site = self.fresh()
        before = self._rooms(site)
        with Page(self.at, SIZES["desk"]) as page:
            self._panel(page, site)
            self._give(page, "plan.dxf", drawing())
            self._has(page, self.words["en"]["files.need.unit"])
            assert page.run("return document.querySelector('.content .form-end') === null")
            self._choose(page, "files.unit", "metres")
            self._has(page, "2 added")
            self._has(page, "1.20 Reading room")
            # On the map, and nowhere else yet.
            page.until("return document.querySelectorAll('.map .mark-added').length === 2")
            assert self._rooms(site) == before
            self.press(page, "files.apply")
            self._has(page, "Undo takes it back")
            added = [room for room in self._rooms(site) if room not in before]
            assert sorted(room["name"] for room in added) == ["1.20 Reading room", "WC"], added
            assert {room["kind"] for room in added} == {"room", "toilet"}
            assert self.journal(site)[-1]["do"] == "import"
            page.until("return document.querySelectorAll('.map .mark-added').length === 0")
            self.press(page, "undo")
            for _ in range(200):
                if self._rooms(site) == before:
                    break
                time.sleep(0.1)
            assert self._rooms(site) == before

    def a_list_of_rooms_removes_nothing_without_a_yes(self):
        site = self.fresh()
        first = "Nr,Name,Etage\nfoyer,Entrance hall,G\nclocks,Watches,1\n"
        with Page(self.at, SIZES["phone"]) as page:
            self._panel(page, site)
            self._give(page, "rooms.csv", first)
            self._has(page, "2 rooms get another name")
            self.press(page, "files.apply")
            self._has(page, "Undo takes it back")
            self._give(page, "rooms.csv", "Nr,Name,Etage\nfoyer,Entrance hall,G\n9.99,New,1\n")
            self._has(page, "1 room has appeared")
            self._has(page, "1 room is not in the list any more")
            names = {room["name"] for room in self._rooms(site)}
            assert "Watches" in names and "Entrance hall" in names
            page.until(CHECK, 60, "Remove 1 room")
            self._has(page, "removed")
            self.press(page, "files.apply")
            self._has(page, "Undo takes it back")
            ids = {room["id"] for room in self._rooms(site)}
            assert "clocks" not in ids and "9.99" in ids, ids

    def an_export_comes_back_from_an_editor(self):
        site = self.fresh()
        wish = urllib.request.Request(
            f"{self.staff.at}/v1/sites/{site}/export?format=osm&version=draft",
            headers={"authorization": f"Bearer {self.staff.token}"})
        text = answer_of(wish)[0].decode()
        assert 'k="name" v="Egypt"' in text
        before = self._rooms(site)
        with Page(self.at, SIZES["desk"]) as page:
            self._panel(page, site)
            self._give(page, "museum.osm", text.replace('v="Egypt"', 'v="Ancient Egypt"'))
            self._has(page, self.words["en"]["files.prefersFile.own"])
            page.until(CHECK, 60, self.words["en"]["files.prefersFile"])
            self._has(page, "1 changed")
            self.press(page, "files.apply")
            self._has(page, "Undo takes it back")
            changed = [room for room in self._rooms(site) if room not in before]
            assert [room["name"] for room in changed] == ["Ancient Egypt"], changed

    def bad_files_get_one_sentence(self):
        site = self.fresh()
        before = self.journal(site)
        with Page(self.at, SIZES["desk"]) as page:
            self._panel(page, site)
            for name, text, sentence in (
                    ("a.pdf", "%PDF-1.7\n", "upload it as a floor's plan"),
                    ("a.dwg", "AC1032", "is a DWG"),
                    ("a.txt", "hello", "nobody can tell what the file is"),
                    ("a.osm", "<osm version='0.6'><node", "the map"),
                    ("a.csv", "id,floor\nx,nowhere\n", "line 2: there is no floor nowhere"),
                    ("a.csv", "id;floor\nx;ground\n", "separated by semicolons"),
                    ("a.geojson", '{"type": "FeatureCollection", "features": [', "")):
                self._give(page, name, text)
                page.until("return document.querySelector('.content .fault') !== null")
                self._has(page, sentence)
                assert page.run("return document.querySelectorAll('.content .fault').length") == 1, name
                page.run("document.querySelector('#files-file').value = '';"
                         "document.querySelector('#files-file').dispatchEvent(new Event('change'));")
            large = "return document.querySelector('.content').textContent.indexOf('At most') >= 0"
            page.run(GIVE.replace("arguments[1]", "new Uint8Array(33 * 1024 * 1024)"), "big.osm")
            page.until(large)
        assert self.journal(site) == before

    def the_preview_is_made_anew_after_somebody_elses_edit(self):
        site = self.fresh()
        with Page(self.at, SIZES["desk"]) as page:
            self._panel(page, site)
            self._give(page, "plan.dxf", drawing("6"))
            self._has(page, "2 added")
            self.staff.send("POST", f"/v1/sites/{site}/draft/edits", {"edits": [{
                "id": "00000000-0000-7000-8000-0000000000aa", "do": "patch", "kind": "rooms",
                "record": "clocks", "value": {"name": "Watches"}}]})
            self.press(page, "files.apply")
            page.until("return document.querySelector('.content .form-end') !== null")
            self._has(page, "2 added")
            self.press(page, "files.apply")
            self._has(page, "Undo takes it back")
            assert self.draft(site, "rooms", "clocks")["name"] == "Watches"

    def every_export_is_one_click(self):
        site = self.fresh()
        with Page(self.at, SIZES["desk"]) as page:
            self._panel(page, site)
            found = page.run("""
                return [].map.call(document.querySelectorAll('.files-exports a'), function (one) {
                  return one.getAttribute('href'); });""")
            assert len(found) == 7, found
            for path in found:
                status = page.run("""
                    var request = new XMLHttpRequest();
                    request.open('GET', arguments[0], false);
                    request.send();
                    return request.status + ' ' + request.getResponseHeader('content-disposition');""", path)
                assert status.startswith("200 attachment"), (path, status)
