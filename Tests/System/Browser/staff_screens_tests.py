"""Each screen of the staff's app: legible at both sizes, light and dark, in three languages."""

from page import Page
from screens_tests import LANGUAGES, Screens
from staff_subject import SIZES, StaffSubject

VIEWS = (
    "", "?kind=rooms&record=clocks", "?panel=draw", "?panel=changes", "?panel=compare",
    "?panel=review", "?panel=publish", "?panel=me", "?panel=files",
)
# The screens that have little of their own: only with --long.
FURTHER = (
    "?kind=directory", "?kind=floors", "?kind=rooms&record=none", "?panel=conflicts",
)


class StaffScreens(StaffSubject):
    def screens_of_the_staff_are_legible(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        screens = Screens(self.between, self.given)
        screens.words = self.words
        faults = []
        with Page(self.at, SIZES["desk"]) as page:
            self.open(page, anna, f"/staff/{site}?kind=rooms&record=clocks")
            self.type(page, self.field("name"), "Clocks and watches")
            self.save(page)
            for turn, view in enumerate(VIEWS + (FURTHER if self.given.long else ())):
                language = LANGUAGES[turn % 3]
                path = f"/staff/{site}{view}{'&' if view else '?'}lang={language}"
                names = list(SIZES) if turn % 2 else list(reversed(SIZES))
                for name in names:
                    page.resize(SIZES[name])
                    if name == names[0]:
                        page.load(path)
                        self.ready(page)
                        if "record=clocks" in view:
                            page.run("var one = document.querySelector('.hours select'); one.value = 'days';"
                                     "one.dispatchEvent(new Event('change'))")
                    page.settled()
                    found = screens._faults(page, language, name == names[0])
                    screens._keep(page, "/s/staff" + view, name)
                    faults += [f"{name} {path}: {one}" for one in found]
            faults += [one for one in page.console() if "Content Security Policy" in one]
        assert not faults, "\n".join(faults[:30])

    def the_staffs_screens_are_legible_twice_as_large(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        with Page(self.at, (700, 450), ratio=2.0) as page:
            self.open(page, anna, f"/staff/{site}")
            for view in VIEWS:
                page.show(f"/staff/{site}{view}")
                page.run(self.checks)
                assert page.run("return window.pageChecks.width()") == [], view
                # What the panel has can be scrolled to.
                assert page.run("return document.querySelector('.content').clientHeight") > 60, view
