"""The keyboard alone, and what screen readers hear."""

import difflib
import re

from keys import ENTER, TAB
from page import Page
from subject import HERE, SIZES, LeftOut, Subject

HEARD = HERE / "heard.txt"
# Roles that a screen reader says nothing about, or that only hold others.
SILENT = {"none", "generic", "InlineTextBox", "StaticText", "RootWebArea", "presentation",
          "paragraph", "listitem", "LineBreak", "LabelText", "ListMarker", "Legend", "strong"}
STATES = ("checked", "expanded", "selected", "pressed", "disabled", "required")


class Reading(Subject):
    def the_keyboard_is_enough(self):
        with Page(self.at, SIZES["desk"]) as page:
            page.open("/s/bush-house")

            def tab_to(test: str) -> None:
                for _ in range(40):
                    page.keys(TAB)
                    if page.run(f"var e = document.activeElement; return {test};"):
                        ring = page.run("""
                            var s = getComputedStyle(document.activeElement);
                            function lit(name) {
                                var one = document.activeElement.closest(name);
                                return one && getComputedStyle(one).boxShadow !== 'none';
                            }
                            return s.outlineStyle !== 'none' || lit('.search') || lit('.box');""")
                        assert ring, f"no visible focus: {test}"
                        return
                raise AssertionError(f"the keyboard does not reach {test}")

            tab_to("e.getAttribute('role') === 'combobox'")
            page.keys("lab 2.s05")
            page.until("return /2\\.S05/.test((document.querySelector('.search [role=option]') || {})"
                       ".textContent)")
            page.keys(ENTER)
            page.until("return location.search.indexOf('room=2.S05') > 0")
            page.settled()
            # The focus is at the card's name: what follows is the card.
            page.until("return document.activeElement.tagName === 'H1'")
            tab_to("e.classList.contains('primary') && e.closest('.actions') !== null")
            page.keys(ENTER)
            page.until("return document.querySelector('.ask') !== null")
            page.settled()
            tab_to("e.closest('.ask') !== null && e.getAttribute('role') === 'combobox'")
            page.keys("lab 0.n01")
            page.until("return /0\\.N01/.test((document.querySelector('.ask [role=option]') || {})"
                       ".textContent)")
            page.keys(ENTER)
            page.until("return document.querySelectorAll('.steps li').length > 3")
            page.settled()
            tab_to("e.closest('.steps') !== null")

    def the_map_opens_a_card_by_the_keyboard(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            page.run("whereabouts.view.light('area/0.N03', true)")
            page.until("""
                var at = whereabouts.view.middle();
                var area = whereabouts.view.floorMap.areaAt(at.lat, at.lng);
                return area && area.id === '0.N03';""")
            page.settled()
            page.focus("#map")
            page.keys(ENTER)
            page.until("return location.search.indexOf('room=0.N03') > 0")

    def what_changes_is_told_to_screen_readers(self):
        with Page(self.at, before=TOLD) as page:
            page.open("/s/bush-house?from=0.N01&to=2.S05")
            # Something else may be said after it, so the text of now may be another.
            page.until("return told.some(function (one) { return /\\d/.test(one); })")
            assert page.run("return document.getElementById('told').getAttribute('aria-live')")
            for role in ("main", "[role=search]", "nav", "section[aria-label]", "[role=region]"):
                assert page.run("return document.querySelector(arguments[0]) !== null", role), role
            assert page.run("return document.documentElement.lang") == "en"

    def what_is_heard_from_search_to_arrival(self):
        """heard.txt is what a screen reader has to say, from Chromium's accessibility tree."""
        if Page.browser.name != "chromium":
            raise LeftOut("only Chromium gives its accessibility tree")
        lines = []
        with Page(self.at, before=TOLD) as page:
            def hear(title: str) -> None:
                page.settled()
                lines.extend(["", f"## {title}", ""])
                lines.extend(f"told: {masked(one)}" for one in page.run("return told.splice(0)"))
                lines.extend(read_aloud(page.command("Accessibility.getFullAXTree")["nodes"]))

            page.open("/s/bush-house?floor=floor-0")
            hear("The page opens")
            page.focus(".search input")
            page.keys("lab 2.s05")
            page.until("return /2\\.S05/.test((document.querySelector('.search [role=option]') || {})"
                       ".textContent)")
            # Announcements wait a little, so that they do not cut off each other.
            page.until("return told.length > 0")
            hear("Typed: lab 2.s05")
            page.keys(ENTER)
            page.until("return location.search.indexOf('room=2.S05') > 0")
            page.until("return whereabouts.view.floorID === 'floor-2'")
            hear("Enter: the room's card")
            page.click(".actions .primary")
            page.until("return document.querySelector('.ask') !== null")
            hear("Directions, and the place where one is, is not known")
            page.focus(".ask [role=combobox]")
            page.keys("lab 0.n01")
            page.until("return /0\\.N01/.test((document.querySelector('.ask [role=option]') || {})"
                       ".textContent)")
            page.keys(ENTER)
            page.until("return document.querySelectorAll('.steps li').length > 3")
            page.until("return told.some(function (one) { return / min/.test(one); })")
            hear("The directions")
            while page.run("return !document.querySelector('.stepper .primary').disabled"):
                page.run("told.splice(0)")
                page.click(".stepper .primary")
                page.until("return told.length > 0")
                lines.extend(["", "## The next step", ""])
                lines.extend(f"told: {one}" for one in page.run("return told.splice(0)"))
        heard = "\n".join(lines).strip() + "\n"
        if self.given.write:
            HEARD.write_text(heard)
        other = difflib.unified_diff(
            HEARD.read_text().splitlines(), heard.splitlines(), "heard.txt", "heard now", lineterm="")
        assert not (lines := list(other)), "\n".join(lines[:60])


# What the live region says, in order.
TOLD = """
    window.told = [];
    var last = '';
    document.addEventListener('DOMContentLoaded', function () {
        new MutationObserver(function () {
            var one = document.getElementById('told');
            var text = one ? one.textContent.trim() : '';
            // What is waited for is said only where it takes long.
            if (text && text !== last && !/…$/.test(text)) told.push(text);
            last = text;
        }).observe(document.body, { childList: true, subtree: true, characterData: true });
    });"""


def read_aloud(nodes: list[dict]) -> list[str]:
    """The nodes in their order: role, name and states, as a screen reader says them."""
    by_id = {one["nodeId"]: one for one in nodes}
    lines: list[str] = []

    def text(node: dict, key: str) -> str:
        return str(node.get(key, {}).get("value", "")).strip()

    def labelled(node: dict) -> str:
        """The text of a label, which is the name of what it labels."""
        under = [by_id[one] for one in node.get("childIds", []) if one in by_id]
        own = masked(text(node, "name")) if text(node, "role") == "StaticText" else ""
        return " ".join([own, *map(labelled, under)])

    def read(node: dict, within: str) -> None:
        role, name = text(node, "role"), masked(text(node, "name"))
        inside = within
        if not node.get("ignored"):
            states = [f"{one['name']}: {str(one['value'].get('value')).lower()}"
                      for one in node.get("properties", [])
                      if one["name"] in STATES and one["value"].get("value") not in (None, False)
                      or one["name"] == "expanded"]
            value = masked(text(node, "value"))
            # A title that repeats the name is left out.
            described = masked(text(node, "description")).removeprefix(name)
            if role in SILENT:
                # The name of an element is often its text: then the text is left out.
                if role == "StaticText" and name and name not in within:
                    lines.append(name)
                if role == "LabelText":
                    inside = labelled(node)
            else:
                parts = [role, name and f'"{name}"', value and f"value: {value}", described,
                         *states, focused(node) and "FOCUS"]
                lines.append(", ".join(one for one in parts if one))
                inside = f"{name} {value}" if name or value else within
        # A screen reader tells the text of a status only when it changes.
        for child in node.get("childIds", []) if role != "status" else []:
            if child in by_id:
                read(by_id[child], inside)

    read(nodes[0], "")
    return lines


def focused(node: dict) -> bool:
    return any(one["name"] == "focused" and one["value"].get("value")
               for one in node.get("properties", []))


def masked(text: str) -> str:
    """The text without the time of day."""
    return re.sub(r"\b\d{1,2}:\d\d\b", "HH:MM", " ".join(text.split()))
