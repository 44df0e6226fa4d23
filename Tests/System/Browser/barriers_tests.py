"""A barrier in two taps, the question to who comes by, and the staff's list."""

from page import Page
from subject import Subject

PATH = "/v1/sites/bush-house/barriers"
ROW = {
    "id": "01a22900-0000-7000-8000-00000000000b", "site": "bush-house", "connection": "stairs-S1",
    "kind": "steps-unusable", "state": "waiting", "reportedAt": "2026-01-01T00:00:00.000Z",
    "until": "2126-01-02T00:00:00.000Z", "own": False, "fromOneAddress": False,
}
SAID = "return /{}/.test(document.getElementById('told').textContent)"

# The button of the head, where it lies over another button of the panel.
COVERED = """
    var over = document.querySelector('.head.compact .round').getBoundingClientRect();
    return Array.from(document.querySelectorAll('.route button')).filter(function (one) {
      var box = one.getBoundingClientRect();
      return box.left < over.right && box.right > over.left && box.top < over.bottom
        && box.bottom > over.top;
    }).map(function (one) { return one.textContent; });
"""


class Barriers(Subject):
    def _legible(self, page, language="en"):
        """Nothing is too wide, small, pale, nameless or untranslated, in the light and in the dark."""
        page.settled()
        page.run(self.checks)
        faults = page.run("""
            var c = window.pageChecks;
            return [].concat(c.width(), c.size(), c.named(), c.untranslated(arguments[0], arguments[1]));
        """, self.words["en"], self.words[language])
        for theme in ("dark", "light"):
            if page.theme(theme):
                faults += page.run("return window.pageChecks.contrast()")
        assert not faults, faults

    def a_barrier_is_reported_in_two_taps(self):
        self.between.answers[f"POST {PATH}"] = ROW
        with Page(self.at) as page:
            page.open("/s/bush-house?room=0.N03")
            page.click(".barrier button")
            page.until("return document.activeElement.textContent === 'What is in the way?'")
            # The lab has a door, and neither a lift nor stairs.
            offered = page.run("return Array.from(document.querySelectorAll('.barrier .rows button'))"
                               ".map(function (one) { return one.textContent; })")
            assert len(offered) == 3 and offered[0].startswith("Door locked"), offered
            assert "0.NC" in offered[0] and offered[1].startswith("Way blocked"), offered
            self._legible(page)
            page.click(".barrier .rows li:nth-child(1) button")
            sent = self.between.until_posted(PATH, kind="door-locked")
            assert sent["place"] == {"connection": "0.D18"}, sent
            page.until("return /second person/.test((document.querySelector('.barrier .news')"
                       "||{}).textContent)")
            page.until(SAID.format("second person"))
            # The keyboard stays where it was.
            assert page.run("return document.activeElement.closest('.barrier') !== null")

    def a_card_of_a_lift_says_that_it_is_out_of_order(self):
        self.between.outages = [{
            "id": ROW["id"], "site": "bush-house", "connection": "lift-S", "active": True,
            "from": ROW["reportedAt"], "reason": "lift out of order",
            "reportedAt": ROW["reportedAt"]}]
        with Page(self.at) as page:
            page.open("/s/bush-house?room=0.SL")
            page.until(SAID.format("Lift out of order. Ways avoid it"))
            self._legible(page)
            # Its door may still be locked, but nobody reports the lift again.
            page.click(".barrier button")
            page.until("return document.querySelectorAll('.barrier .rows button').length > 0")
            offered = page.text(".barrier .rows")
            assert "Door locked" in offered and "Lift" not in offered.split("Door")[0], offered
            page.open("/s/bush-house?room=0.NL")
            page.settled()
            assert "Ways avoid it" not in page.text(".content"), "the other lift works"

    def a_step_of_a_route_says_which_connection(self):
        self.between.answers[f"POST {PATH}"] = ROW | {"state": "confirmed"}
        with Page(self.at) as page:
            page.open("/s/bush-house?from=0.N01&to=2.S05&lang=de")
            page.until("return document.querySelectorAll('.steps li').length > 4")
            page.click(".steps li:nth-child(2) button")
            page.click(".barrier button")
            page.until("return document.querySelectorAll('.barrier .rows button').length === 3")
            covered = page.run(COVERED)
            assert not covered, covered
            page.click(".barrier .rows li:nth-child(1) button")
            place = self.between.until_posted(PATH, kind="door-locked")["place"]
            assert place["connection"].startswith("0.D"), place
            page.until(SAID.format("Wege meiden"))
            self._legible(page, "de")

    def who_comes_by_is_asked(self):
        self.between.answers[PATH] = {"barriers": [ROW]}
        self.between.answers[f"POST {PATH}"] = ROW | {"state": "confirmed"}
        with Page(self.at) as page:
            page.open("/s/bush-house?from=0.N01&to=2.S05")
            # The question names the place, and a screen reader hears it after the way.
            told = "Steps wet or closed · Stairs( · [^·]+){2} · Level 0. Do you see it"
            page.until(f"return /{told}/.test("
                       "(document.querySelector('.route .news')||{}).textContent)")
            page.until(SAID.format(told))
            self._legible(page)
            # Who stands at a kiosk has not been there: it asks nobody.
            asked = self.between.asked[PATH]
            page.load("/s/bush-house?from=0.N01&to=2.S05&kiosk=0.N01")
            page.until("return document.querySelectorAll('.steps li').length > 4")
            page.settled()
            assert page.run("return document.querySelector('.route .news') === null")
            assert self.between.asked[PATH] == asked
            page.load("/s/bush-house?from=0.N01&to=2.S05")
            page.until("return document.querySelector('.route .news button') !== null")
            page.click(".route .news button")
            sent = self.between.until_posted(PATH, kind="steps-unusable")
            assert sent["place"] == {"connection": "stairs-S1"}, sent
            page.until(SAID.format("confirmed"))

    def who_finds_no_barrier_says_so(self):
        self.between.answers[PATH] = {"barriers": [ROW]}
        one = f"POST {PATH}/{ROW['id']}/deny"
        self.between.answers[one] = None
        with Page(self.at) as page:
            page.open("/s/bush-house?from=0.N01&to=2.S05")
            gone = ".route .news .row button:nth-child(2)"
            page.until(f"return document.querySelector('{gone}') !== null")
            label = page.run(f"return document.querySelector('{gone}').getAttribute('aria-label')")
            assert label.startswith("It is fine now: Steps wet or closed"), label
            page.click(gone)
            page.until(SAID.format("The report is gone"))
            self.between.answers[one] = ROW | {"state": "confirmed"}
            page.load("/s/bush-house?from=0.N01&to=2.S05")
            page.until(f"return document.querySelector('{gone}') !== null")
            page.click(gone)
            page.until(SAID.format("confirmed meanwhile"))

    def the_staff_confirms_and_dismisses(self):
        self.between.answers[PATH] = {"barriers": [ROW]}
        one = f"{PATH}/{ROW['id']}"
        self.between.answers[f"POST {one}/confirm"] = ROW | {"state": "confirmed"}
        self.between.answers[f"DELETE {one}"] = {}
        with Page(self.at) as page:
            page.open("/s/bush-house?panel=settings")
            page.settled()
            hidden = "return document.querySelector('.content .staff').hidden"
            assert page.run(hidden), "visitors have no list"
            page.open("/s/bush-house?panel=barriers")
            page.until("return /for the staff/.test(document.querySelector('.content').textContent)")
            self.between.answers["/v1/session"] = {
                "grants": [{"role": "surveyor", "site": "bush-house"}], "changeToken": "x",
                "endsAt": "2126-01-01T00:00:00.000Z"}
            page.open("/s/bush-house?panel=settings&lang=en")
            page.until(f"{hidden} === false")
            page.click(".content .staff .secondary")
            page.until("return /panel=barriers/.test(location.search)")
            page.until("return document.querySelectorAll('.barrier-row').length === 1")
            told = page.text(".barrier-row .line")
            assert "Steps wet or closed" in told and "second person" in told, told
            self._legible(page)
            label = page.run("return document.querySelector('.barrier-row .primary')"
                             ".getAttribute('aria-label')")
            assert label.startswith("Confirm: Steps wet or closed"), label
            page.click(".barrier-row .primary")
            self.between.until_asked(f"{one}/confirm")
            page.until(SAID.format("Confirmed"))
            page.click(".barrier-row .row .secondary")
            self.between.until_asked(one)
            page.until(SAID.format("Dismissed"))
