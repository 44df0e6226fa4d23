"""The page without JavaScript, in a text browser: all that the app links to has an equal there."""

import html
import re
import shutil
import subprocess
import urllib.parse
import urllib.request

from keys import ARROW_DOWN, ENTER
from page import Page
from subject import LeftOut, Subject

SITE = "/s/bush-house"


class Plain(Subject):
    def _dump(self, path: str) -> str:
        """The page as w3m shows it."""
        if shutil.which("w3m") is None:
            raise LeftOut("there is no w3m")
        done = subprocess.run(
            ["w3m", "-dump", "-cols", "100", "-T", "text/html", "-o", "accept_language=en",
             self.at + path],
            capture_output=True, text=True, timeout=120, check=True)
        return done.stdout

    def _links(self, path: str) -> list[str]:
        with self._open(path) as answer:
            page = answer.read().decode()
        return [urllib.parse.unquote(one.replace("&amp;", "&"))
                for one in re.findall(r'<a href="(/s/[^"]*)"', page)]

    def _open(self, path: str):
        return urllib.request.urlopen(
            urllib.request.Request(self.at + urllib.parse.quote(path, safe="/?&=:,%"),
                                   headers={"accept-language": "en"}), timeout=60)

    def a_visitor_finds_a_way_in_a_text_browser(self):
        text = self._dump(f"{SITE}?from=0.N01&to=2.S05")
        assert "2.S05" in text and re.search(r"^ *1\. ", text, re.M), text
        heading = re.search(r"(\d+) m, (?:\d+|under 1) min", text)
        assert heading, text
        steps = sum(int(one) for one in re.findall(r"(\d+) metres?", text))
        assert steps <= int(heading[1]) * 1.1 + 5, (steps, heading[0])

    def _form(self, path: str, **typed: str) -> str:
        """The address to which the form of a page leads, with what somebody types into it."""
        with self._open(path) as answer:
            form = re.search(r"<form.*?</form>", answer.read().decode(), re.S)[0]
        members = {"profile": re.search(r'<option[^>]*value="([^"]*)"[^>]* selected', form)[1]}
        for one in re.findall(r"<input[^>]*>", form):
            value = re.search(r' value="([^"]*)"', one)
            members[re.search(r' name="([^"]*)"', one)[1]] = html.unescape(value[1]) if value else ""
        assert {"from", "to", "lang"} <= set(members), form
        return SITE + "?" + urllib.parse.urlencode(members | typed)

    def the_app_reads_what_the_form_sends(self):
        fields = "return [].map.call(document.querySelectorAll('.fields input'), " \
            "function (one) { return one.value; })"
        own = "from=0.N01&to=2.S05"
        asked = [
            # The names that the page shows, with the ids behind them.
            (self._form(f"{SITE}?{own}"), own, ["Lab 0.N01", "Lab 2.S05"]),
            # A name was typed over the one before, whose id the form sends all the same.
            (self._form(f"{SITE}?{own}", to="Lab 2.S06"), "from=0.N01&to=2.S06", ["Lab 0.N01", "Lab 2.S06"]),
            # Names alone, as the first form sends them.
            (self._form(SITE, **{"from": "lab 0.n01", "to": "Lab 2.S05"}), own, ["Lab 0.N01", "Lab 2.S05"]),
            (self._form(f"{SITE}?at=0.N01", to="Lab 2.S05"), "from=here&to=2.S05", ["Where I am", "Lab 2.S05"]),
            (self._form(f"{SITE}?from=0.N01&to=kind:lift"), "from=0.N01&to=kind:lift", None),
        ]
        with Page(self.at) as page:
            for address, expected, names in asked:
                page.open(address)
                page.settled()
                shown = urllib.parse.unquote(page.run("return location.search"))
                assert expected in shown and "Id=" not in shown, (address, shown)
                if names:
                    assert page.run(fields) == names, (address, page.run(fields))
                page.until("return document.querySelector('.steps') !== null")

    def names_of_the_form_that_several_have_are_a_question(self):
        with Page(self.at) as page:
            page.open(self._form(SITE, **{"from": "lab", "to": "nixda"}))
            page.until("return document.querySelectorAll('.fields [role=option]').length > 1")
            assert page.run("return document.activeElement.value") == "lab"
            page.keys(ARROW_DOWN, ENTER)
            page.until("return location.search.indexOf('from=') > 0")
            page.until("return /nixda/.test((document.querySelector('.fields .note') || {}).textContent)")

    def each_floor_is_a_link_with_its_rooms_as_text(self):
        floors = [one for one in self._links(SITE) if "floor=floor-" in one]
        assert len(floors) == 3, floors
        for floor in floors:
            number = floor.split("floor-")[1][0]
            text = self._dump(floor)
            assert f"Map: Level {number}" in text and f"{number}.N01" in text, text

    def links_of_the_app_open_without_javascript(self):
        for query in ("room=0.N03", "from=here&to=2.S05&at=0.N01", "from=0.N01&to=kind:lift",
                      "from=kind:lift&to=0.N01", "building=house&floor=floor-1", "panel=free",
                      "from=0.N01&to=2.S05&panel=ear", "point=51.5130,-0.1162,floor-0",
                      "panel=directory", "panel=mine", "kiosk=0.N01", "panel=live",
                      "panel=pair", "panel=barriers", "panel=settings"):
            text = self._dump(f"{SITE}?{query}")
            for complaint in ("not on the map", "Nothing here", "can’t know", "no such way"):
                assert complaint not in text, (query, text)

    def no_link_of_the_page_leads_nowhere(self):
        seen, waiting = {SITE}, [SITE]
        while waiting and len(seen) < 60:
            for link in self._links(waiting.pop(0)):
                if link in seen or "as=json" in link:
                    continue
                seen.add(link)
                waiting.append(link)
                with self._open(link) as answer:
                    page = answer.read().decode()
                assert answer.status == 200 and 'role="alert"' not in page, link

    def an_old_link_says_what_is_lost(self):
        text = self._dump(f"{SITE}?at=gone&to=2.S05")
        assert "not on the map any more" in text and "2.S05" in text, text

    def the_app_says_that_an_old_sign_is_lost(self):
        with Page(self.at) as page:
            page.open(f"{SITE}?at=gone&lang=en")
            page.until("return /not on the map any more/.test("
                       "document.getElementById('told').textContent)")

    def nothing_is_offered_that_the_site_lacks(self):
        rooms = self.ask("/v1/sites/bush-house/rooms?limit=1000")["rooms"]
        has = any(room["kind"] == "toilet" for room in rooms)
        assert ("Nearest toilet" in self._dump(SITE)) == has

    def pages_fit_a_phone_and_paper_without_javascript(self):
        """With Chromium's scripts off; the script of the check runs once the page is there."""
        if self.given.browser != "chromium":
            raise LeftOut("only Chromium's driver can turn scripts off")
        with Page(self.at) as page:
            for path in (SITE, f"{SITE}?from=0.N01&to=2.S05", f"{SITE}?room=0.N03&at=0.N01",
                         f"{SITE}?panel=mine", f"{SITE}?to=lab"):
                for media in ("", "print"):
                    page.command("Emulation.setScriptExecutionDisabled", value=True)
                    page.command("Emulation.setEmulatedMedia", media=media)
                    page.load(path)
                    page.command("Emulation.setScriptExecutionDisabled", value=False)
                    found = page.run("""
                        var all = Array.from(document.querySelectorAll('.served *'));
                        var shown = all.filter((one) => one.getClientRects().length
                            && one.childNodes.length && one.textContent.trim());
                        var small = shown.filter((one) => (
                            parseFloat(getComputedStyle(one).fontSize) < 11));
                        var list = document.querySelector('.served .steps');
                        var pictures = Array.from(document.images);
                        return {
                            wide: document.documentElement.scrollWidth - innerWidth,
                            small: small.length, forms: document.forms.length,
                            numbers: list ? getComputedStyle(list).listStyleType : 'decimal',
                            pictures: pictures.length,
                            lost: pictures.filter((one) => one.complete && !one.naturalWidth).length,
                        };""")
                    assert found["wide"] <= 0 and found["small"] == 0, (path, media, found)
                    assert found["numbers"] == "decimal" and found["lost"] == 0, (path, found)
                    assert found["forms"] == 1, (path, found)
                    if "panel" not in path and "=lab" not in path:
                        assert found["pictures"] > 0, path

    def my_data_is_a_list_in_words(self):
        with Page(self.at) as page:
            page.open(f"{SITE}?panel=mine")
            page.click("#keep")
            page.until("return document.querySelectorAll('.kept-item').length > 4")
            page.run("localStorage.setItem('whereabouts.profile', JSON.stringify("
                     "{profile: 'wheelchair', neededWidthMetres: 0.9}));"
                     "localStorage.setItem('whereabouts.language', '\"de\"');")
            page.open(f"{SITE}?panel=mine&lang=en")
            page.until("return document.querySelectorAll('.kept-item').length > 5")
            text = page.run("return document.querySelector('.content').innerText")
            for part in ("Deutsch", "Wheelchair", "90", "Since", "Why", "Until you erase it here"):
                assert part in text, (part, text)
            assert "{" not in text and '"' not in text, text
