"""Search, cards, the directory, and the buttons for back and forward."""

import html
import re
import urllib.parse
import urllib.request

from between import MARKUP
from keys import ARROW_DOWN, ENTER
from page import Page
from subject import Subject


class Search(Subject):
    def a_search_finds_a_room(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            page.focus(".search input")
            page.keys("lab 2.s05")
            page.until("return /2\\.S05/.test((document.querySelector('.search [role=option]') || {})"
                       ".textContent)")
            page.keys(ARROW_DOWN)
            page.until("""
                var id = document.querySelector('.search input').getAttribute('aria-activedescendant');
                return id && document.getElementById(id).getAttribute('aria-selected') === 'true';""")
            page.keys(ENTER)
            page.until("return location.search.indexOf('room=2.S05') >= 0")
            page.until("return /2.S05/.test((document.querySelector('.content h1') || {}).textContent)")
            page.until("return whereabouts.view.floorID === 'floor-2'")
            page.until("return whereabouts.view.layer.litKey === 'area/2.S05'")

    def nothing_found_is_said(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            page.focus(".search input")
            page.keys("qqqqxyzzy")
            page.until("return document.querySelector('.search .note') !== null")
            page.until("return /qqqqxyzzy/.test(document.getElementById('told').textContent)")

    def _near_without_javascript(self, site: str, name: str) -> list[str]:
        """What the page of the server says each place of this name is near."""
        address = f"{self.at}/s/{site}?lang=en&from={urllib.parse.quote(name)}"
        with urllib.request.urlopen(address, timeout=60) as answer:
            page = html.unescape(re.sub(r"<[^>]*>", "", answer.read().decode().replace("<li", "\n<li")))
        lines = [one for one in page.splitlines() if one.startswith(name + " · ")]
        return sorted(one.partition(" · near ")[2].strip() for one in lines)

    def twins_say_what_is_near_as_without_javascript(self):
        for site, name in (("moorgate", "Pret A Manger"), ("polytech", "Restroom female")):
            if not self.has(site):
                continue
            expected = self._near_without_javascript(site, name)
            assert len(expected) > 5 and len(set(expected)) > 3, expected
            with Page(self.at) as page:
                page.open(f"/s/{site}")
                page.focus(".search input")
                page.keys(name)
                rows = """
                    var name = arguments[0];
                    return [].filter.call(document.querySelectorAll('.search [role=option]'), function (one) {
                        return one.querySelector('strong').textContent === name;
                    }).map(function (one) { return one.querySelector('small').textContent; });"""
                page.until("return document.querySelectorAll('.search [role=option]').length > 5")
                page.settled()
                found = sorted(one.partition(" · near ")[2] for one in page.run(rows, name))
                assert found == expected, (site, found, expected)

    def twins_of_the_directory_are_told_apart(self):
        self.need("polytech")
        with Page(self.at) as page:
            page.open("/s/polytech?panel=directory")
            page.run("document.querySelectorAll('.group').forEach(function (one) { one.open = true; })")
            page.settled()
            groups = page.run("""
                return [].map.call(document.querySelectorAll('.group'), function (one) {
                    return [].map.call(one.querySelectorAll('.line'), function (line) {
                        return line.textContent; }); });""")
            assert sum(map(len, groups)) > 300, groups
            # Each list shows each text once: one name is followed by where it is.
            alike = [one for rows in groups for one in rows if rows.count(one) > 1]
            assert alike == [], sorted(alike)[:20]
            assert sum(" · near " in one for rows in groups for one in rows) > 20, groups

    def the_directory_has_each_named_room_of_the_floor(self):
        self.need("museum")
        lines = "return [].map.call(document.querySelectorAll('.content section:first-of-type " \
            ".group .line'), function (one) { return one.textContent; })"
        head = "return [].map.call(document.querySelectorAll('.content h2'), " \
            "function (one) { return one.textContent; })"
        unfold = "document.querySelectorAll('.group').forEach(function (one) { one.open = true; })"
        named = {floor: sorted(one["name"] for one in self.ask(
            f"/v1/sites/museum/rooms?floor={floor}&limit=1000")["rooms"] if one.get("name"))
            for floor in ("museum.0", "museum.1")}
        assert {"Foyer", "Long Gallery", "Upper Gallery"} <= {*named["museum.0"], *named["museum.1"]}
        # The directory comes before the floor, and says that more is on its way.
        self.between.held = "/v1/sites/museum/floors/museum.0/map"
        with Page(self.at) as page:
            page.load("/s/museum?panel=directory&floor=museum.0&lang=en")
            page.until("return document.querySelector('.group') !== null")
            assert "Reading the floor…" in page.text(".content"), page.text(".content")
            assert page.run(head) == ["Departments and services"], page.run(head)
            self.between.held = None
            page.until(head + ".length === 2")
            assert page.run(head) == ["Rooms · Ground floor", "Departments and services"]
            page.run(unfold)
            page.settled()
            assert sorted(page.run(lines)) == named["museum.0"], page.run(lines)
            # It goes along with the floor.
            page.show("/s/museum?panel=directory&floor=museum.1&lang=en")
            page.until("return /First floor/.test(document.querySelector('.content h2').textContent)")
            page.run(unfold)
            page.settled()
            assert sorted(page.run(lines)) == named["museum.1"], page.run(lines)

    def a_place_that_is_not_there_is_not_asked_for_again(self):
        self.need("museum")
        with Page(self.at) as page:
            page.open("/s/museum?room=gone&lang=en")
            page.until("return document.querySelector('.content .fault') !== null")
            assert page.text(".content") == "This place is not on the map.", page.text(".content")

    def an_entry_says_and_shows_where_it_is(self):
        lit = "return [whereabouts.view.floorID, whereabouts.view.layer.litKey]"
        if self.has("museum"):
            with Page(self.at) as page:
                page.open("/s/museum?entry=learning&lang=en")
                page.until("return whereabouts.view.layer.litKey === 'area/theatre'")
                assert page.run(lit) == ["museum.1", "area/theatre"]
                assert page.text(".content .rows") == "Lecture TheatreFirst floor"
        if not self.has("polytech"):
            return
        # An entry at a location: the plan has a pin there.
        entries = self.ask("/v1/sites/polytech/directory?limit=1000")["directory"]
        entry = next(one for one in entries if one["places"] and "location" in one["places"][0])
        location = self.ask(f"/v1/sites/polytech/locations/{entry['places'][0]['location']}")
        with Page(self.at) as page:
            page.open(f"/s/polytech?entry={entry['id']}&lang=en")
            page.until("return Boolean(whereabouts.view.pinned)")
            page.settled()
            assert page.run(lit)[0] == location["floor"], (location, page.run(lit))
            assert "Level" in page.text(".content .rows"), page.text(".content")
            # It goes with the card.
            page.show("/s/polytech?lang=en")
            assert page.run("return whereabouts.view.pinned === null")

    def back_and_forward_show_again(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            page.run("document.querySelectorAll('.quick button')[1].click()")
            page.until("return location.search.indexOf('panel=directory') > 0")
            page.click(".group summary")
            page.click(".group .line")
            page.until("return location.search.indexOf('room=') > 0")
            page.settled()
            title = page.text(".content h1")
            page.back()
            page.until("return document.querySelector('.group') !== null")
            page.back()
            page.until("return document.querySelector('.quick') !== null")
            page.forward()
            page.until("return document.querySelector('.group') !== null")
            page.forward()
            page.until("return (document.querySelector('.content h1') || {}).textContent"
                       " === arguments[0]", 60, title)

    def names_of_strangers_stay_text(self):
        self.between.marked = True
        with Page(self.at) as page:
            page.open("/s/bush-house")
            for path in ("", "?room=0.N03", "?panel=directory", "?from=0.N01&to=2.S05"):
                page.show("/s/bush-house" + path)
                page.run("document.querySelectorAll('.group').forEach(function (one) {"
                         "one.open = true; })")
                page.settled()
                assert page.run("return window.hit === undefined"), path
                found = "return document.querySelectorAll('#page img, #page script').length"
                assert page.run(found) == 0
            page.show("/s/bush-house?room=0.N03")
            page.until("return (document.querySelector('.content h1') || {}).textContent"
                       ".indexOf(arguments[0]) >= 0", 60, MARKUP)
            page.focus(".search input")
            page.keys("kitchen")
            page.until("return ((document.querySelector('.search [role=option] strong') || {})"
                       ".textContent || '').indexOf(arguments[0]) >= 0", 60, MARKUP)
            assert page.run("return window.hit === undefined")
