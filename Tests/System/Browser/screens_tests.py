"""Each screen of each site: legible at both sizes, light and dark, in three languages."""

from page import Page
from subject import SIZES, LeftOut, Subject

LANGUAGES = ("en", "cy", "de")
# The screens of each site, in the three languages by turns.
SCREENS = {
    "bush-house": [
        "", "?room=0.N03", "?from=0.N01&to=2.S05", "?panel=settings&profile=wheelchair",
        "?panel=mine", "?from=here&to=kind:toilet", "?panel=directory",
        "?from=1.N03&to=2.S05&profile=step-free-strict", "?kiosk=0.N01", "?embed=1&to=2.S05",
    ],
    "moorgate": [
        "", "?room=r11664475", "?panel=directory", "?point=point:51.518,-0.088",
        "?from=r11664475&to=kind:toilet&profile=wheelchair",
    ],
    "polytech": [
        "", "?room=00014004-b208-481a-93b2-dfd2f6ca9f96", "?panel=directory", "?panel=settings",
    ],
    "museum": [
        "", "?room=clocks", "?panel=directory", "?from=foyer&to=theatre&profile=wheelchair",
        "?entry=learning",
    ],
    "columbus": ["", "?entry=n1324473620"],
    "college": [],
    "campus": [
        "", "?floor=hall.0", "?room=b2.0.1", "?from=b0.1.3&to=b59.3.9", "?panel=directory",
    ],
}
AXE = """
    var done = arguments[arguments.length - 1];
    axe.run(document, arguments[0] ? { runOnly: ['color-contrast'] } : {}).then(function (result) {
        done([result.passes.length, result.violations.map(function (one) {
            return one.impact + ' ' + one.id + ' ' + one.nodes[0].html; })]);
    });"""


class Screens(Subject):
    def screens_of_bush_house_are_legible(self):
        self._legible("bush-house")

    def screens_of_moorgate_are_legible(self):
        self._legible("moorgate")

    def screens_of_polytech_are_legible(self):
        self._legible("polytech")

    def screens_of_the_museum_are_legible(self):
        self._legible("museum")

    def screens_of_columbus_are_legible(self):
        self._legible("columbus")

    def screens_of_the_campus_are_legible(self):
        self._legible("campus")

    def _legible(self, site: str) -> None:
        """A screen is opened at one size and made to fit the other, by turns which is first."""
        self.need(site)
        faults = []
        with Page(self.at) as page:
            for turn, path in enumerate(SCREENS[site]):
                language = LANGUAGES[turn % 3]
                address = f"/s/{site}{path}{'&' if path else '?'}lang={language}"
                names = list(SIZES) if turn % 2 else list(reversed(SIZES))
                for name in names:
                    page.resize(SIZES[name])
                    if name == names[0]:
                        page.open(address)
                    page.settled()
                    found = self._faults(page, language, name == names[0])
                    self._keep(page, address, name)
                    faults += [f"{name} {address}: {one}" for one in found]
            faults += [one for one in page.console() if "Content Security Policy" in one]
        assert not faults, "\n".join(faults[:30])

    def _faults(self, page: Page, language: str, first: bool) -> list[str]:
        page.theme("light")
        page.run(self.checks)
        found = page.run("""
            var c = window.pageChecks;
            return [].concat(c.width(), c.size(), c.overlaps(), c.named(), c.cut(), c.brokenWords(), c.ids(),
                c.untranslated(arguments[0], arguments[1]));
        """, self.words["en"], self.words[language])
        for theme in ("light", "dark"):
            if not page.theme(theme):
                continue
            found += page.run("return window.pageChecks.contrast()")
            # Axe looks at all in the light at the size that is first, and at the colours in the dark at
            # the other one. The size that is first changes from screen to screen.
            if self.given.axe and first == (theme == "light"):
                found += self._axe(page, only_colours=theme == "dark")
        page.theme("light")
        return found

    def _axe(self, page: Page, only_colours: bool) -> list[str]:
        page.run("if (!window.axe) { " + self.given.axe + " }")
        passes, violations = page.run_slowly(AXE, only_colours)
        assert passes > 0, "axe looked at nothing"
        return violations

    def _keep(self, page: Page, address: str, kind: str) -> None:
        if self.given.screens:
            name = address.replace("/s/", "").translate(str.maketrans("?&=/:", "-----"))
            for theme in ("light", "dark"):
                if not page.theme(theme):
                    continue
                page.settled()
                page.picture(self.given.screens / f"{name}-{kind}-{theme}.png")
            page.theme("light")

    def colours_of_the_map_are_legible(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            page.run(self.checks)
            for theme in ("light", "dark"):
                if not page.theme(theme):
                    continue
                colours = page.run_slowly(
                    "var done = arguments[0]; import('/app/map-colours.js').then(function (module) {"
                    "done(module.colours()); });")
                assert page.run("return window.pageChecks.palette(arguments[0])", colours) == []

    def twice_as_large_is_legible(self):
        with Page(self.at, (700, 450), ratio=2.0) as page:
            for path in ("/s/bush-house", "/s/bush-house?from=0.N01&to=2.S05"):
                page.open(path)
                page.run(self.checks)
                assert page.run("return window.pageChecks.width()") == []

    def no_control_of_a_way_is_cut_off(self):
        """Also where a notice, other ways and a small screen leave no room for the steps."""
        for size in (SIZES["phone"], (360, 640)):
            with Page(self.at, size) as page:
                for language in LANGUAGES:
                    page.open("/s/bush-house?from=0.N01&to=2.S05&profile=wheelchair&lang=" + language)
                    page.until("return document.querySelectorAll('.others button').length > 1")
                    page.run(self.checks)
                    for notice in (False, True):
                        if notice:
                            page.run("""
                                var news = document.createElement('p');
                                news.className = 'news';
                                news.textContent = 'The lift is out of order until 4 December 18:00.';
                                var way = document.querySelector('.route');
                                way.insertBefore(news, way.firstChild);""")
                        assert page.run("return window.pageChecks.cut()") == [], (size, language)
                        assert page.run("""
                            var content = document.querySelector('.content');
                            var box = document.querySelector('.stepper .primary').getBoundingClientRect();
                            return box.top >= content.getBoundingClientRect().top
                                && box.bottom <= innerHeight;"""), (size, language, notice)
                    page.click(".stepper .primary")
                    page.settled()
                    assert page.run("return window.pageChecks.cut()") == [], (size, language)
                    # The step that is the present one now does not lie under the buttons.
                    assert page.run("""
                        var step = document.querySelector('.steps [aria-current] .told');
                        var box = step.getBoundingClientRect();
                        return box.bottom <= document.querySelector('.stepper').getBoundingClientRect().top + 1;
                        """), (size, language)

    def names_on_the_map_are_larger_or_hidden_as_chosen(self):
        choose = """
            var choice = document.querySelector('#names');
            choice.value = arguments[0];
            choice.dispatchEvent(new Event('change', {bubbles: true}));"""
        names = ("return whereabouts.view.layer.shownLabels().filter(function (one) { return one.text; })"
                 ".map(function (one) { return one.size; })")
        with Page(self.at, SIZES["desk"]) as page:
            page.open("/s/bush-house?panel=settings&lang=en")
            page.run(self.checks)
            page.run("whereabouts.view.leaflet.setZoom(20, {animate: false})")
            page.settled()
            usual = page.run(names)
            assert usual and page.text("label[for=names]") == "Names on the map"
            page.run(choose, "larger")
            page.settled()
            larger = page.run(names)
            assert larger and min(larger) >= 1.35 * min(usual), (usual, larger)
            assert page.run("return window.pageChecks.overlaps()") == []
            page.run(choose, "none")
            page.settled()
            assert page.run(names) == []
            # The room that is looked at has its name all the same.
            page.show("/s/bush-house?room=0.N01&lang=en")
            page.until("return whereabouts.view.layer.shownLabels().some("
                       "function (one) { return one.key === 'area/0.N01' && one.text; })")

    def names_never_lie_over_each_other(self):
        sites = [site for site in SCREENS if self.has(site)]
        with Page(self.at, SIZES["desk"]) as page:
            for site in sites:
                page.open(f"/s/{site}")
                page.run(self.checks)
                counts = []
                for zoom in (15, 17.5, 18.25, 19, 20.5):
                    page.run("whereabouts.view.leaflet.setZoom(arguments[0], {animate: false})", zoom)
                    page.settled()
                    assert page.run("return window.pageChecks.overlaps()") == [], (site, zoom)
                    counts.append(page.run("return whereabouts.view.layer.shownLabels().length"))
                assert max(counts) > 0, (site, counts)
                assert page.run("return !whereabouts.view.floorMap"
                                " || whereabouts.view.floorMap.areas.length >= 3"), site
        if len(sites) < 2:
            raise LeftOut("only bush-house is there")
