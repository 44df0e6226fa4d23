"""Directions: over floors, with other profiles, when something is slow or out of service."""

from page import Page
from subject import Subject

CURRENT = "return [].indexOf.call(document.querySelectorAll('.steps li'), " \
    "document.querySelector('.steps [aria-current]'))"
STEPS = "return document.querySelectorAll('.steps li').length"


class Routes(Subject):
    def a_route_leads_over_floors(self):
        with Page(self.at) as page:
            page.open("/s/bush-house?from=0.N01&to=2.S05")
            steps = page.until(STEPS)
            assert steps > 4
            assert page.text(".big strong") and "m" in page.text(".big")
            page.until("return document.querySelectorAll('path.route-line').length >= 1")
            assert page.run("return document.querySelector('.side-view') !== null")
            page.until("return whereabouts.view.floorID === 'floor-0'")
            page.click(".stepper .primary")
            assert page.run(CURRENT) == 1
            page.click(".steps li:last-child button")
            assert page.run(CURRENT) == steps - 1
            page.until("return whereabouts.view.floorID === 'floor-2'")
            # Other ways, and those without a step.
            page.click(".profiles input[value=step-free-strict]")
            page.until("return location.search.indexOf('step-free-strict') > 0")
            self.between.until_posted("/v1/routes", profile="step-free-strict")

    def a_kinds_word_leads_to_the_nearest(self):
        with Page(self.at) as page:
            page.open("/s/bush-house?from=0.N01&to=lift&lang=en")
            page.until(STEPS)
            self.between.until_posted("/v1/routes", to=[{"kind": "lift"}])
            assert "Nearest lift" in page.run(
                "return document.querySelectorAll('.ends input')[1].value")
            page.open("/s/bush-house?lang=en")
            page.focus(".search input")
            page.keys("elevator")
            page.until("return /Nearest lift/.test(document.querySelector('.search').textContent)")

    def a_mistyped_profile_is_named(self):
        with Page(self.at) as page:
            page.open("/s/bush-house?from=0.N01&to=2.S05&profile=wheelchiar&lang=en")
            page.until(STEPS)
            told = page.text(".fault")
            assert "“wheelchiar”" in told and "Shown here: Walk (walking)." in told, told
            page.click(".profiles input[value=step-free-strict]")
            page.until("return document.querySelector('.fault').hidden")

    def who_is_there_already_is_told_so(self):
        with Page(self.at) as page:
            page.open("/s/bush-house?from=0.N01&to=0.N01&lang=en")
            page.until("return /You are there already/.test("
                       "(document.querySelector('.summary') || {}).textContent)")
            page.settled()
            assert "arriv" not in page.text(".content").lower(), page.text(".content")
            assert page.run("return document.querySelectorAll('.steps, .stepper').length") == 0
            page.show("/s/bush-house?from=0.N01&to=0.N01&panel=ear&lang=en")
            page.until("return /You are there already/.test(document.querySelector('.ear').textContent)")
            assert "arriv" not in page.text(".ear").lower(), page.text(".ear")

    def a_name_by_hand_is_a_question(self):
        self.need("museum")
        shown = "return [].map.call(document.querySelectorAll('.ends input'), " \
            "function (one) { return one.value; }).join('|')"
        lists = "return [].map.call(document.querySelectorAll('.ends .results'), " \
            "function (one) { return one.textContent; }).join('')"
        for ends, fields in (("from=foyer&to=corridor", "Foyer|corridor"),
                             ("from=nowhere&to=shop", "nowhere|Museum Shop"),
                             # The store is the staff's: for a visitor there is none.
                             ("from=nowhere&to=store", "nowhere|store"),
                             ("from=lift&to=lift", "lift|Nearest lift"),
                             ("from=lift&to=lift&profile=walking&lang=en", "lift|Nearest lift")):
            with Page(self.at) as page:
                page.open(f"/s/museum?{ends}")
                page.until(shown + " === arguments[0]", 60, fields)
                # The field that asks shows what is found, or that nothing is.
                page.until(lists)
                assert "not on the map" not in page.text(".content"), page.text(".content")
        with Page(self.at) as page:
            page.open("/s/museum?from=foyer&to=desk&lang=en")
            page.until(STEPS)
            assert "from=foyer&to=desk" in page.run("return location.search")
            # The link of something that went says which it is.
            page.show("/s/museum?from=foyer&to=directory:gone&lang=en")
            page.until("return /“directory:gone” is not on the map/.test("
                       "document.querySelector('.route').textContent)")

    def what_is_slow_can_be_cancelled(self):
        with Page(self.at) as page:
            page.open("/s/bush-house?from=0.N01&to=2.S05")
            page.until(STEPS)
            self.between.held = "/v1/routes"
            page.click(".profiles input[value=wheelchair]")
            page.click(".wait button")
            page.until("return document.querySelector('.wait') === null")
            assert page.text(".route").strip()
            self.between.held = None

    def an_outage_on_the_way_routes_anew(self):
        self.between.outages = []
        with Page(self.at) as page:
            page.open("/s/bush-house?from=0.N01&to=2.S05")
            page.until(STEPS)
            # The outages before are those that the way already avoids.
            self.between.until_asked("/v1/outages")
            self.between.posted.pop("/v1/routes", None)
            self.between.outages = [{
                "site": "bush-house", "id": "01a22900-0000-7000-8000-000000000001",
                "connection": "stairs-S1", "from": "2026-01-01T00:00:00.000Z", "reason": "Wet paint",
                "reportedBy": "x", "reportedAt": "2026-01-01T00:00:00.000Z", "active": True,
            }]
            page.until("return /Wet paint/.test((document.querySelector('.news')||{}).textContent)")
            assert "/v1/routes" in self.between.posted
            page.until("return /Wet paint/.test(document.getElementById('told').textContent)")

    def a_place_link_says_where_one_is(self):
        with Page(self.at) as page:
            page.open("/s/bush-house?at=1.N03")
            page.until("return document.querySelector('.dot') !== null")
            page.until("return whereabouts.view.floorID === 'floor-1'")
            page.open("/s/bush-house?at=1.N03&from=here&to=2.S05")
            page.until(STEPS + " > 3")
            self.between.until_posted("/v1/routes", **{"from": {"room": "1.N03"}})
            assert "/v1/taps" not in self.between.posted
