"""What the app does when files and answers are lost on their way."""

import threading


class LoadingTests:
    """`self.at` is the address of `self.between`; `self.page()` opens a browser."""

    def a_module_that_is_lost_is_asked_for_again(self):
        route = "/s/bush-house?from=0.N01&to=2.S05"
        for name in ("elements.js", "timetable.js", "app.css", "languages/en.json"):
            self.between.lost = {f"/app/{name}": 1}
            with self.page() as page:
                page.open(route)
                page.until("return history.state === null || !history.state.loads")
                page.until("return document.querySelectorAll('.steps li').length > 4")
                page.until("return getComputedStyle(document.querySelector('.panel')).position"
                           " !== 'static'")
            assert self.between.lost == {f"/app/{name}": 0}, name

    def a_module_that_never_comes_is_said(self):
        self.between.lost = {"/app/timetable.js": 1000}
        with self.page() as page:
            page.driver.get(self.at + "/s/bush-house?from=0.N01&to=2.S05")
            page.until("return document.querySelector('.content .fault button') !== null", 60)
            assert "No connection" in page.text(".content .fault")
            loads = 1000 - self.between.lost["/app/timetable.js"]
            assert loads == 4, loads
            self.between.lost = {}
            page.click(".content .fault button")
            page.until("return document.querySelectorAll('.steps li').length > 4")

    def what_is_typed_is_not_lost_with_a_module(self):
        self.between.lost = {"/app/later.js": 1}
        typed = threading.Event()
        self.between.held = {"/app/later.js": typed}
        with self.page() as page:
            # A page is loaded only when the module that is held has arrived.
            page.command("Page.navigate", url=self.at + "/s/bush-house")
            page.until("return document.querySelector('.search input') !== null")
            page.run("document.querySelector('.search input').focus()")
            page.keys("lab 2.s05")
            page.until("return document.querySelectorAll('.search [role=option]').length > 0")
            typed.set()
            page.until("return performance.getEntriesByType('resource').some(function (one) {"
                       "return /later.js/.test(one.name) && one.responseEnd > 0; })")
            assert page.run("return document.querySelector('.search input').value") == "lab 2.s05"
            page.run("document.querySelector('.search [role=option]').click()")
            page.until("return /2.S05/.test(document.querySelector('.content h1').textContent)")

    def an_answer_that_is_lost_is_asked_for_again(self):
        self.between.lost = {
            path: 1 for path in ("/v1/session", "/v1/session/anonymous", "/v1/routes",
                                 "/v1/sites/bush-house/floors")}
        with self.page() as page:
            page.open("/s/bush-house?from=0.N01&to=2.S05")
            page.until("return document.querySelectorAll('.steps li').length > 4")
        assert set(self.between.lost.values()) == {0}, self.between.lost
