"""One's own place for others, and a device that one is paired with."""

import urllib.error
import urllib.request

from page import Page
from subject import Subject

BAR = "document.querySelector('.live-bar:not(.looking-at)')"
SEEN = "document.querySelector('.live-bar.looking-at')"
# Whether all of an element is in the window.
IN_SIGHT = """
    var box = document.querySelector('.live-stop').getBoundingClientRect();
    return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;"""
# How often somebody's place was asked for.
POLLS = "return performance.getEntriesByType('resource').filter(function (one) {" \
    " return /shared-positions/.test(one.name); }).length"
# A new place of the page's own.
PUT = """
    import('/app/position-store.js').then(function (store) {
        store.putPosition({ source: 'gnss', state: 'located', latitude: 51.51328,
            longitude: -0.11633, radius: 5, at: Date.now() });
        window.put = true;
    });"""
ERASE = """
    Array.from(document.querySelectorAll('.content button.secondary')).filter(function (one) {
        return one.textContent === 'Erase all'; })[0].click();"""
# The service's part of a pairing; the tests have no scanner.
PAIRED = """
    window.asked = [];
    var fetched = window.fetch.bind(window);
    function answered(status, value) {
        return Promise.resolve(new Response(JSON.stringify(value), { status: status,
            headers: { 'content-type': 'application/json' } }));
    }
    window.fetch = function (path, wish) {
        var method = (wish && wish.method) || 'GET';
        if (!/pairings/.test(path)) return fetched(path, wish);
        asked.push(method + ' ' + path);
        if (method === 'POST') {
            return JSON.parse(wish.body).code === '493027'
                ? answered(201, { id: 'p', scanner: 'pi-1', active: true,
                    until: new Date(Date.now() + 3600000).toISOString() })
                : answered(404, { code: 'pairing-code-unknown', detail: 'none' });
        }
        if (/position$/.test(path)) {
            return window.over ? answered(404, { code: 'pairing-unknown', detail: 'none' })
                : answered(200, { ageSeconds: 3, position: { state: 'located', floor: 'floor-0',
                    latitude: 51.51328816, longitude: -0.11633247, radius95: 5, at: 'now' } });
        }
        return answered(200, { pairings: [] });
    };"""


class Sharing(Subject):
    def _page(self, secret: str) -> tuple[int, str]:
        try:
            address = f"{self.at}/s/bush-house?shared={secret}&lang=en"
            with urllib.request.urlopen(address, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read().decode()

    def a_shared_place_is_seen_until_it_is_stopped(self):
        with Page(self.at) as page, Page(self.at) as other:
            page.open("/s/bush-house?at=0.N03&panel=live&lang=en")
            page.until("return document.querySelector('.where') !== null"
                       " && !document.querySelector('.where').hidden")
            page.until("return document.querySelector('.content .primary.wide') !== null")
            page.click(".content .primary.wide")
            page.until(f"return {BAR} !== null && !{BAR}.hidden")
            page.until("return /You share where you are now/"
                       ".test(document.querySelector('#told').textContent)")
            secret = page.run("return JSON.parse(sessionStorage['whereabouts.share']).secret")
            other.open(f"/s/bush-house?shared={secret}&lang=en")
            other.until("return document.querySelector('.dot.theirs') !== null")
            other.until("return document.querySelector('path.dot-radius.theirs') !== null")
            other.until(f"return /In .*0\\.N03.* m/.test({SEEN}.textContent)")
            status, text = self._page(secret)
            assert status == 200 and "0.N03" in text and "less than a minute" in text, text
            # The focus stays while the age and the places go on.
            other.run(f"window.held = {SEEN}.querySelector('button.round'); held.focus()")
            page.run("window.held = document.querySelector('.live-stop'); held.focus()")
            page.run(PUT)
            page.until("return window.put")
            before = other.run(POLLS)
            other.until(POLLS + f" > {before + 1}")
            for each in (page, other):
                assert each.run("return document.activeElement === held && held.isConnected")
            # The line with the button stays in any panel, and where it is folded.
            for panel in ("directory", "mine", ""):
                page.show(f"/s/bush-house?panel={panel}&lang=en")
                assert page.until(IN_SIGHT), panel
            page.click(".handle")
            assert page.until(IN_SIGHT)
            # Loading the page again loses nothing, neither here nor at who looks.
            page.load("/s/bush-house?panel=mine&lang=en")
            page.until("return document.querySelector('.held .secondary') !== null")
            page.until(f"return {BAR} !== null && !{BAR}.hidden")
            before = other.run(POLLS)
            other.until(POLLS + f" > {before + 1}")
            assert other.run("return document.querySelector('.dot.theirs') !== null")
            assert "tell where" not in other.run(f"return {SEEN}.textContent")
            # Without the service it goes on, and the page says so.
            self.between.away = "/v1/"
            page.show("/s/bush-house?panel=&lang=en")
            page.show("/s/bush-house?panel=mine&lang=en")
            page.until("return /No connection.*You share where/"
                       ".test(document.querySelector('.held').textContent)")
            self.between.plain()
            page.show("/s/bush-house?panel=&lang=en")
            page.show("/s/bush-house?panel=mine&lang=en")
            page.until("return !/No connection/.test(document.querySelector('.held').textContent)"
                       " && document.querySelector('.held .secondary') !== null")
            page.click(".live-stop")
            page.until(f"return {BAR}.hidden")
            page.until("return /no longer/.test(document.querySelector('#told').textContent)")
            # "My data" beside it says the same.
            page.until("return /with nobody/.test(document.querySelector('.held').textContent)")
            other.until(f"return /Nobody shares/.test({SEEN}.textContent)")
            other.until("return document.querySelector('.dot.theirs') === null")
            status, text = self._page(secret)
            assert status == 404 and "Nobody shares" in text and "0.N03" not in text, text

    def erasing_stops_sharing_though_the_service_is_away(self):
        with Page(self.at) as page:
            page.open("/s/bush-house?at=0.N03&panel=live&lang=en")
            page.until("return document.querySelector('.content .primary.wide') !== null")
            page.click(".content .primary.wide")
            page.until(f"return {BAR} !== null && !{BAR}.hidden")
            page.show("/s/bush-house?panel=mine&lang=en")
            page.until("return document.querySelector('.held .secondary') !== null")
            self.between.away = "/v1/"
            page.run(ERASE)
            page.until(f"return {BAR}.hidden")
            page.until("return /The service did not answer/"
                       ".test(document.querySelector('#told').textContent)")
            assert page.run("return sessionStorage['whereabouts.share'] === undefined")
            # What the service still has can be ended once it is back.
            self.between.plain()
            page.load("/s/bush-house?panel=mine&lang=en")
            page.until("return document.querySelector('.held .secondary') !== null")
            page.run(ERASE)
            page.until("return /All is erased/.test(document.querySelector('#told').textContent)")
            page.until("return /with nobody/.test(document.querySelector('.held').textContent)")

    def a_paired_device_is_the_dot(self):
        with Page(self.at, before=PAIRED) as page:
            page.open("/s/bush-house?panel=pair&lang=en#code=111111")
            page.until("return document.querySelector('.pair-code') !== null")
            assert page.run("return document.querySelector('.pair-code').value") == "111111"
            assert page.run("return location.hash") == ""
            page.click(".content form .primary")
            page.until("return /wrong, used/.test(document.querySelector('.fault').textContent)")
            page.run("document.querySelector('.pair-code').value = '493027'")
            page.click(".content form .primary")
            page.until("return /Paired with pi-1/.test(document.querySelector('.content').textContent)")
            page.until("return document.querySelector('.dot') !== null")
            page.until("return /by the paired device/"
                       ".test(document.querySelector('.where').textContent)")
            page.run("window.over = true; document.dispatchEvent(new Event('visibilitychange'))")
            page.until("return document.querySelector('.dot') === null")
            page.until("return document.querySelector('.pair-code') !== null")
            page.until("return /pairing has ended/"
                       ".test(document.querySelector('#told').textContent)")
