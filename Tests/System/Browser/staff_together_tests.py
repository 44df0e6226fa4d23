"""Editors together, and without a connection: no edit is lost, and each arrives once."""

import time

from offline_tests import keep_site
from page import Page
from staff_subject import SAVED, SIZES, StaffSubject

WAITS = "return /wait/.test(document.querySelector('.status').textContent)"
STORED = """
    var done = arguments[arguments.length - 1];
    var opening = indexedDB.open('whereabouts-staff', 1);
    opening.onsuccess = function () {
      var request = opening.result.transaction('edits').objectStore('edits').getAll();
      request.onsuccess = function () { opening.result.close(); done(request.result.length); };
    };"""


class StaffTogether(StaffSubject):
    def two_editors_see_each_others_edits(self):
        site = self.fresh()
        anna, ben = self.editor("Anna", site), self.editor("Ben", site)
        with Page(self.at, SIZES["desk"]) as page, Page(self.at) as other:
            self.open(page, anna, f"/staff/{site}?kind=rooms&record=clocks")
            self.open(other, ben, f"/staff/{site}?panel=changes")
            self.type(page, self.field("name"), "Clocks and watches")
            self.save(page)
            other.until("return /^Anna changed Clocks and watches/.test("
                        "(document.querySelector('.changes strong')||{}).textContent||'')")
            # Also the record that somebody has open, with who it was.
            self.record(other, site, "rooms", "clocks")
            self.type(page, self.field("name"), "Watches")
            self.save(page)
            other.until("return document.querySelector(arguments[0]).value === 'Watches'", 60,
                        self.field("name"))
            assert "Anna" in other.text(".content .news")

    def an_hour_without_a_connection_loses_nothing(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        before = len(self.journal(site))
        with Page(self.at) as page:
            self.open(page, anna, f"/staff/{site}?kind=rooms&record=clocks")
            self.between.leave("/v1/")
            for name in ("Clocks", "Clocks and"):
                self.type(page, self.field("name"), name)
                self.press(page, "form.save")
                page.until(WAITS)
            assert "this browser" in page.text(".content .news")
            # A second record can be edited, too, as it was read before.
            assert page.run_slowly(STORED) >= 1
            # The tab is closed and the telephone sleeps; what has been typed is still there.
            page.load("/sign-in")
            page.until("return location.pathname === '/sign-in'")
            self.between.plain()
            page.load(f"/staff/{site}?kind=rooms&record=clocks")
            self.ready(page)
            page.until(SAVED)
            assert page.run_slowly(STORED) == 0
        assert self.draft(site, "rooms", "clocks")["name"] == "Clocks and"
        edits = self.journal(site)[before:]
        assert len({one["id"] for one in edits}) == len(edits)
        assert 1 <= len(edits) <= 2, edits

    def a_map_that_visitors_keep_answers_nothing_of_the_draft(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        with Page(self.at) as page:
            self.open(page, anna, f"/staff/{site}")
            keep_site(page, self.words["en"], site)
            page.load(f"/staff/{site}?kind=rooms&record=clocks")
            self.ready(page)
            assert page.run("return navigator.serviceWorker.controller !== null")
            self.between.leave("/v1/")
            self.type(page, self.field("name"), "Clocks and watches")
            self.press(page, "form.save")
            page.until(WAITS)
            # Neither signed out, nor shown what visitors see.
            assert "signed out" not in page.text(".status"), page.text(".status")
            page.show(f"/staff/{site}?kind=rooms&record=theatre")
            page.until("return document.querySelector('.content .fault') !== null")
            self.between.plain()
            page.run("window.dispatchEvent(new Event('online'))")
            page.until(SAVED)

    def an_answer_that_is_lost_is_asked_for_again(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        before = len(self.journal(site))
        with Page(self.at) as page:
            self.open(page, anna, f"/staff/{site}?kind=rooms&record=clocks")
            self.type(page, self.field("name"), "Clocks and watches")
            self.between.lost[f"/v1/sites/{site}/draft/edits"] = 1
            self.save(page)
        assert len(self.journal(site)) == before + 1

    def others_edits_of_the_same_are_decided_side_by_side(self):
        site = self.fresh()
        anna, ben = self.editor("Anna", site), self.editor("Ben", site)
        with Page(self.at, SIZES["desk"]) as page, Page(self.at) as other:
            path = f"/staff/{site}?kind=rooms&record=clocks"
            self.open(page, anna, path)
            self.open(other, ben, path)
            # Ben edits in a tunnel.
            other.until("return document.querySelector('.content form') !== null")
            self.between.leave("/v1/")
            self.type(other, self.field("name"), "Ben's clocks")
            self.type(other, ".names input[lang=de]", "Bens Uhren")
            self.press(other, "form.save")
            other.until(WAITS)
            self.staff.send("PATCH", f"/v1/sites/{site}/rooms/clocks",
                            {"name": "Anna's clocks", "names": {"de": "Annas Uhren"}}, **{"if-match": "*"})
            self.between.plain()
            other.run("window.dispatchEvent(new Event('online'))")
            other.until("return document.querySelector('.status button') !== null")
            # It is still there after the tab was closed.
            other.load(path)
            self.ready(other)
            other.click(".status button")
            other.until("return document.querySelectorAll('.sides').length === 2")
            assert "Anna's clocks" in other.text(".conflict") and "Ben's clocks" in other.text(".conflict")
            other.run("document.querySelector('.sides:nth-of-type(1) input[id$=theirs]').click()")
            self.press(other, "conflict.keep")
            other.until("return document.querySelector('.conflict') === null")
            other.until(SAVED)
            found = self.draft(site, "rooms", "clocks")
            assert found["name"] == "Anna's clocks", found
            assert found["names"]["de"] == "Bens Uhren", found

    def who_is_signed_out_loses_nothing(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        with Page(self.at) as page:
            self.open(page, anna, f"/staff/{site}?kind=rooms&record=clocks")
            page.run_slowly("""
                var done = arguments[0];
                fetch('/v1/session').then(function (a) { return a.json(); }).then(function (session) {
                  return fetch('/v1/session', { method: 'DELETE',
                    headers: { 'x-change-token': session.changeToken } }); }).then(done, done);""")
            self.type(page, self.field("name"), "Clocks and watches")
            self.press(page, "form.save")
            page.until("return /signed out/.test(document.querySelector('.status').textContent)")
            assert self.draft(site, "rooms", "clocks")["name"] != "Clocks and watches"
            page.click(".status a")
            anna.fill(page)
            self.ready(page)
            page.until(SAVED)
        end = time.monotonic() + 20
        while self.draft(site, "rooms", "clocks")["name"] != "Clocks and watches":
            assert time.monotonic() < end
            time.sleep(0.1)
