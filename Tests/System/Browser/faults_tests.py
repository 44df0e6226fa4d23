"""A service that is down, a map that does not arrive, and a map that is kept on the phone."""

from keys import ENTER
from page import Page
from subject import Subject


class Faults(Subject):
    def a_service_that_is_down_is_said(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            self.between.away = "/v1/routes"
            page.load("/s/bush-house?from=0.N01&to=2.S05")
            page.until("return document.querySelector('.route .fault') !== null")
            # Other answers come, so only of the whole service the page says that it is away.
            self.between.away = "/v1/"
            page.click(".route .fault button")
            page.until("return !document.querySelector('.notice').hidden")
            self.between.away = None
            page.click(".route .fault button")
            page.until("return document.querySelectorAll('.steps li').length > 3")
            page.until("return document.querySelector('.notice').hidden")
            self.between.away = "/v1/"
            page.load("/s/bush-house")
            page.until("return document.querySelector('.content .fault button') !== null")

    def a_map_that_did_not_arrive_is_said(self):
        self.between.away = "/app/preparing-worker.js"
        with Page(self.at) as page:
            page.load("/s/bush-house")
            page.until("return document.querySelector('.map .fault button') !== null")

    def nothing_is_kept_unasked(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            assert page.run("return localStorage.length") == 0
            page.click(".first .primary")
            assert page.run("return localStorage.length") == 0
            page.open("/s/bush-house?panel=mine")
            page.click("#keep")
            page.until("return localStorage.getItem('whereabouts.keep') === 'yes'")
            page.run("document.querySelectorAll('.content .row button')[1].click()")
            page.until("return localStorage.length === 0")
            outside = page.run("return performance.getEntriesByType('resource').filter(function (e) {"
                               "return e.name.indexOf(location.origin) !== 0; }).length")
            assert outside == 0

    def a_kept_map_works_without_the_service(self):
        press = """
            var text = arguments[0];
            var one = [].filter.call(document.querySelectorAll('.content button'), function (one) {
                return one.textContent === text; })[0];"""
        words = self.words["en"]
        with Page(self.at) as page:
            page.open("/s/bush-house?panel=settings")
            for name in ("offline.size", "offline.keep"):
                page.until(press + "if (one) one.click(); return Boolean(one);", 60, words[name])
            page.until(press + "return Boolean(one);", 60, words["offline.drop"])
            page.until("return navigator.serviceWorker.controller !== null")
            self.between.away = "/"
            page.open("/s/bush-house")
            page.until("return whereabouts.view.floorMap.areas.length >= 3")
            page.focus(".search input")
            page.keys("lab 2.s05")
            page.until("return /2\\.S05/.test((document.querySelector('.search [role=option]') || {})"
                       ".textContent)")
            page.keys(ENTER)
            page.until("return /2.S05/.test((document.querySelector('.content h1') || {}).textContent)")
            page.until("return whereabouts.view.floorID === 'floor-2'")
            page.open("/s/bush-house?from=0.N01&to=2.S05")
            # The directions themselves: offline_tests.py.
            page.until("return /Without a connection/.test((document.querySelector('.route .news') || {})"
                       ".textContent)")
