"""What the app does when files and answers are lost on their way."""

from page import Page
from subject import Subject

ROUTE = "/s/bush-house?from=0.N01&to=2.S05"
STEPS = "return document.querySelectorAll('.steps li').length > 4"
# Notes that the second half of the app did not arrive.
LOST_MODULE = """
    window.addEventListener('error', function (event) {
        if (/later.js/.test(event.target.src)) window.lostModule = true;
    }, true);"""


class Loading(Subject):
    def a_file_that_is_lost_is_asked_for_again(self):
        for name in ("elements.js", "timetable.js", "app.css", "languages/en.json"):
            self.between.lost = {f"/app/{name}": 1}
            with Page(self.between) as page:
                page.open(ROUTE)
                page.until("return history.state === null || !history.state.loads")
                page.until(STEPS)
                page.until("return getComputedStyle(document.querySelector('.panel')).position"
                           " !== 'static'")
            assert self.between.lost == {f"/app/{name}": 0}, name

    def a_module_that_never_comes_is_said(self):
        self.between.lost = {"/app/timetable.js": 1000}
        with Page(self.between) as page:
            page.load(ROUTE)
            page.until("return document.querySelector('.content .fault button') !== null")
            assert "No connection" in page.text(".content .fault")
            # The page was loaded again three times. A browser asks once or twice for a lost module,
            # and start.js once before it loads the page again.
            assert page.run("return history.state.loads") == 3
            assert 4 <= 1000 - self.between.lost["/app/timetable.js"] <= 11
            self.between.lost = {}
            page.click(".content .fault button")
            page.until(STEPS)

    def what_is_typed_is_not_lost_with_a_module(self):
        self.between.lost = {"/app/later.js": 1}
        self.between.held = "/app/later.js"
        with Page(self.between, before=LOST_MODULE) as page:
            # A page is loaded only when the module that is held has arrived.
            page.run("location.href = arguments[0]", self.at + "/s/bush-house")
            page.until("return document.querySelector('.search input') !== null")
            page.focus(".search input")
            page.keys("lab 2.s05")
            page.until("return document.querySelectorAll('.search [role=option]').length > 0")
            self.between.held = None
            page.until("return window.lostModule")
            assert page.run("return document.querySelector('.search input').value") == "lab 2.s05"
            page.click(".search [role=option]")
            page.until("return /2.S05/.test(document.querySelector('.content h1').textContent)")

    def names_that_come_late_take_the_place_of_kinds(self):
        self.need("polytech")
        self.between.held = "/v1/sites/polytech/map/overview"
        options = "Array.from(document.querySelectorAll('.content option')).map(function (one) {" \
            " return one.textContent; })"
        with Page(self.between) as page:
            page.load("/s/polytech?panel=settings")
            page.until(f"return {options}.indexOf('Building') >= 0")
            self.between.held = None
            page.until(f"return {options}.indexOf('Main academic building') >= 0")

    def an_answer_that_is_lost_is_asked_for_again(self):
        self.between.lost = {
            path: 1 for path in ("/v1/session", "/v1/session/anonymous", "/v1/routes",
                                 "/v1/sites/bush-house/floors")}
        with Page(self.between) as page:
            page.open(ROUTE)
            page.until(STEPS)
        assert set(self.between.lost.values()) == {0}, self.between.lost
