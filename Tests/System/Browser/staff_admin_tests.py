"""The administration's screen: people, tokens, scanners, ways, health, the doctor and the site itself."""

import json
import time
import urllib.error
import urllib.request

from page import Page
from screens_tests import LANGUAGES, Screens
from staff_draft_tests import CHOOSE
from staff_people import PASSWORD, answer_of
from staff_subject import SIZES, StaffSubject

PANELS = ("people", "tokens", "scanners", "ways", "positioner", "health", "site")
READY = "return document.querySelector('.told .news.good') !== null"
NO_WAIT = "return !/^(Reading|One moment)/m.test(document.querySelector('.content').textContent)"


class StaffAdmin(StaffSubject):
    def _screen(self, page: Page, site: str, panel: str) -> None:
        page.show(f"/staff/{site}?screen=admin&panel={panel}")
        page.until(f"return /panel={panel}/.test(location.search)")
        page.until(NO_WAIT)

    def _field(self, page: Page, label: str) -> str:
        """The selector of a field with this label."""
        found = page.run(
            "var wanted = arguments[0];"
            "var found = [].filter.call(document.querySelectorAll('label'), function (one) {"
            "  return one.textContent === wanted && one.offsetParent !== null; });"
            "return found.length ? '#' + found[0].htmlFor : ''", label)
        assert found, f"no field {label}"
        return found

    def _fill(self, page: Page, label: str, text: str) -> None:
        self.type(page, self._field(page, label), text)

    def _words(self, key: str, **values) -> str:
        text = self.words["en"][key]
        for name, value in values.items():
            text = text.replace("{%s}" % name, value)
        return text

    def _row(self, page: Page, name: str, button: str) -> None:
        """Presses a button of the row whose label names `name`."""
        page.until("return document.querySelector('[aria-label=\"' + arguments[0] + '\"]') !== null", 60,
                   f"{button}: {name}")
        page.run("document.querySelector('[aria-label=\"' + arguments[0] + '\"]').click()", f"{button}: {name}")

    def _sure(self, page: Page) -> None:
        """Answers the question that stands on the page with yes."""
        page.until("return document.querySelector('.sure .primary') !== null")
        assert page.run("return document.activeElement.closest('.sure') !== null"), "the question has no focus"
        page.run("document.querySelector('.sure .primary').click()")
        page.until(READY)

    def somebody_is_invited_gets_a_role_and_loses_it(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        with Page(self.at, SIZES["desk"]) as page:
            self.open(page, anna, f"/staff/{site}?screen=admin")
            page.until(NO_WAIT)
            self.press(page, "admin.invite")
            page.until("return document.querySelector('.admin-form') !== null")
            self._fill(page, self._words("admin.invite.for"), "Bella <b>bold</b>")
            page.run(CHOOSE, self._field(page, self._words("admin.role")), "analyst")
            self.press(page, "admin.invite.make")
            page.until("return document.querySelector('.secret-text') !== null")
            link = page.text(".secret-text")
            assert "/join#" in link, link
            assert page.run("return document.querySelector('.secret svg.qr') !== null")
            self.press(page, "admin.secret.done")
            page.until("return document.querySelector('.secret') === null")
            # The note is text, and the link is not shown again.
            page.until("return document.querySelector('.content').textContent.indexOf('Bella <b>bold</b>') >= 0")
            assert link.split("#")[1] not in page.run("return document.body.innerHTML")
            self._join(link, "Bella")
            page.show(f"/staff/{site}?screen=admin&panel=tokens")
            self._screen(page, site, "people")
            page.until("return /Bella/.test(document.querySelector('.content').textContent)")
            account = next(one for one in self._accounts() if one["name"] == "Bella" and any(
                grant.get("site") == site for grant in one["grants"]))
            page.show(f"/staff/{site}?screen=admin&panel=people&kind=account&record={account['id']}")
            page.until("return document.querySelectorAll('.admin-row').length === 1")
            self.press(page, "admin.people.give")
            page.until("return document.querySelector('.admin-form') !== null")
            page.run(CHOOSE, self._field(page, self._words("admin.role")), "surveyor")
            self.press(page, "admin.people.give")
            page.until("return document.querySelectorAll('.admin-row').length === 2")
            role = self._words("admin.role.analyst")
            self._row(page, role, self._words("admin.people.take"))
            self._sure(page)
            grants = next(one for one in self._accounts() if one["id"] == account["id"])["grants"]
            assert [grant["role"] for grant in grants] == ["surveyor"], grants

    def an_invitation_is_withdrawn_after_a_question(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        made = self.staff.send("POST", "/v1/invitations", {
            "note": "For Dora", "grants": [{"role": "tester", "site": site}]})[0]
        with Page(self.at) as page:
            self.open(page, anna, f"/staff/{site}?screen=admin")
            self._row(page, "For Dora", self._words("admin.withdraw"))
            page.until("return document.querySelector('.sure') !== null")
            self.press(page, "cancel")
            page.until("return document.querySelector('.sure') === null")
            assert any(one["id"] == made["id"] for one in self.staff.ask("/v1/invitations")["invitations"])
            self._row(page, "For Dora", self._words("admin.withdraw"))
            self._sure(page)
            assert not any(one["id"] == made["id"] for one in self.staff.ask("/v1/invitations")["invitations"])

    def a_token_is_shown_once_and_withdrawn(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        with Page(self.at) as page:
            self.open(page, anna, f"/staff/{site}?screen=admin&panel=tokens")
            page.until(NO_WAIT)
            self.press(page, "admin.tokens.make")
            page.until("return document.querySelector('.admin-form') !== null")
            self.press(page, "admin.tokens.make")
            page.until("return document.querySelector('.told .news.bad') !== null")
            self._fill(page, self._words("admin.tokens.device"), "tag-7")
            self.press(page, "admin.tokens.make")
            page.until("return document.querySelector('.secret-text') !== null")
            token = page.text(".secret-text")
            assert token.startswith("wab_"), token
            assert self._status("GET", "/v1/limits", token) == 200
            self.press(page, "admin.secret.done")
            self._row(page, "tag-7", self._words("admin.withdraw"))
            self._sure(page)
            deadline = time.monotonic() + 10
            while self._status("GET", "/v1/limits", token) == 200 and time.monotonic() < deadline:
                time.sleep(0.2)
            assert self._status("GET", "/v1/limits", token) == 401

    def a_scanner_is_enrolled_by_a_code_and_its_health_is_seen(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        with Page(self.at) as page:
            self.open(page, anna, f"/staff/{site}?screen=admin&panel=scanners")
            page.until(NO_WAIT)
            self.press(page, "admin.enrol")
            page.until("return document.querySelector('.admin-form') !== null")
            self._fill(page, self._words("admin.enrol.name"), "pi-9")
            self.press(page, "admin.enrol.make")
            page.until("return document.querySelector('.secret-text') !== null")
            code = page.text(".secret-text")
            assert code in page.text("code.command")
            enrolled = self._send("POST", "/v1/enrolments", None, {"code": code})
            self._send("PUT", "/v1/scanners/pi-9/health", enrolled["token"], {
                "scans": 900, "dropped": 41, "source": "iw", "faults": ["no scan: <i>iw</i>"]})
            self._screen(page, site, "tokens")
            self._screen(page, site, "scanners")
            page.until("return /pi-9/.test(document.querySelector('.content').textContent)")
            told = page.text(".content")
            assert "dropped: 41" in told and "no scan: <i>iw</i>" in told, told
            self._row(page, "pi-9", self._words("admin.withdraw"))
            self._sure(page)
            assert not [one for one in self.staff.ask(f"/v1/tokens?site={site}")["tokens"]
                        if one.get("device") == "pi-9"]

    def a_way_is_set_out_of_service_and_works_again(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        with Page(self.at) as page:
            self.open(page, anna, f"/staff/{site}?screen=admin&panel=ways")
            page.until(NO_WAIT)
            self.press(page, "admin.ways.set")
            kind = self._field(page, self._words("admin.ways.kind"))
            which = self._field(page, self._words("admin.ways.which"))
            page.run(CHOOSE, kind, "door")
            page.until("return document.querySelector(arguments[0]).options.length > 1", 60, which)
            self.press(page, "admin.ways.close")
            page.until("return document.querySelector('.told .news.bad') !== null")
            self._fill(page, self._words("admin.ways.reason"), "The lock is <b>broken</b>")
            self.press(page, "admin.ways.close")
            page.until(READY)
            found = self.staff.ask(f"/v1/outages?site={site}&active=true")["outages"]
            assert [one["reason"] for one in found] == ["The lock is <b>broken</b>"], found
            page.until("return /<b>broken/.test(document.querySelector('.content').textContent)")
            assert page.run("return document.querySelectorAll('path.mark-removed').length") == 1
            page.run("var text = arguments[0]; [].filter.call(document.querySelectorAll('.admin-row button'),"
                     "function (one) { return one.textContent === text; })[0].click()", self._words("admin.ways.end"))
            self._sure(page)
            assert not self.staff.ask(f"/v1/outages?site={site}&active=true")["outages"]

    def a_positioner_is_promoted_and_taken_back(self):
        site = self.fresh()
        anna = self.editor("Anna", site)
        before = self.staff.ask(f"/v1/sites/{site}/positioner")
        other = next(name for name in before["allowed"] if name != before["served"])
        with Page(self.at) as page:
            self.open(page, anna, f"/staff/{site}?screen=admin&panel=positioner")
            page.until(NO_WAIT)
            self.press(page, "admin.positioner.choose")
            page.run(CHOOSE, self._field(page, self._words("admin.positioner.besideField", number="1")), other)
            self.press(page, "admin.positioner.save")
            page.until(READY)
            self._row(page, other, self._words("admin.positioner.promote"))
            self._sure(page)
            now = self.staff.ask(f"/v1/sites/{site}/positioner")
            assert now["served"] == other and now["beside"] == [before["served"]], now
            page.run("var text = arguments[0]; [].filter.call(document.querySelectorAll('.admin-row button'),"
                     "function (one) { return one.textContent === text; })[0].click()",
                     self._words("admin.positioner.back"))
            self._sure(page)
            now = self.staff.ask(f"/v1/sites/{site}/positioner")
            assert now["served"] == before["served"] and now["beside"] == [other], now

    def the_services_and_the_doctor_are_seen(self):
        site = self.fresh()
        anna, owner = self.editor("Anna", site), self.staff.person("Otto", "administrator", None)
        with Page(self.at) as page:
            self.open(page, anna, f"/staff/{site}?screen=admin&panel=health")
            page.until(NO_WAIT)
            assert self._words("admin.letters.none") in page.text(".content")
            assert page.run("return document.querySelectorAll('.admin-row').length") >= 1
            assert page.run("return document.querySelector('a[href*=\"panel=doctor\"]') === null")
        with Page(self.at) as page:
            self.open(page, owner, f"/staff/{site}?screen=admin&panel=doctor")
            page.until("return document.querySelectorAll('.admin-row').length > 5", 120)
            found = self.staff.ask("/v1/doctor")
            assert found["checks"], found
            # The banner says how many are wrong, on the draft's screen as well.
            page.show(f"/staff/{site}")
            page.until("return document.documentElement.classList.contains('ready')")
            page.until("return document.querySelector('.staff-alarm').hidden === arguments[0]", 60,
                       found["wrong"] == 0)

    def the_site_is_renamed_opened_by_a_link_and_deleted(self):
        site = self.fresh()
        owner = self.staff.person("Otto", "administrator", None)
        with Page(self.at) as page:
            self.open(page, owner, f"/staff/{site}?screen=admin&panel=site")
            page.until("return document.querySelector('#admin-site-names-cy') !== null")
            self.type(page, "#admin-site-names-cy", "Amgueddfa")
            page.run("document.querySelector('#admin-site-names-cy').closest('form')"
                     ".querySelector('[type=submit]').click()")
            self._draft_has(site, lambda draft: draft.get("names", {}).get("cy") == "Amgueddfa")
            page.run(CHOOSE, self._field(page, self._words("admin.site.audience")), "link")
            page.run("document.querySelector(arguments[0]).closest('form').querySelector('[type=submit]').click()",
                     self._field(page, self._words("admin.site.audience")))
            page.until("return document.querySelector('.secret-text') !== null")
            link = page.text(".secret-text")
            self._draft_has(site, lambda draft: draft.get("linkSecret") and draft["linkSecret"] in link)
            self.press(page, "admin.site.newLink")
            page.until("return document.querySelector('.sure .primary') !== null")
            page.run("document.querySelector('.sure .primary').click()")
            self._draft_has(site, lambda draft: draft["linkSecret"] not in link)
            self.press(page, "admin.site.end")
            self._fill(page, self._words("admin.site.endType", site=site), "something else")
            page.run("document.querySelector('.sure form [type=submit]').click()")
            page.until("return document.querySelector('.told .news.bad') !== null")
            assert self._status("GET", f"/v1/sites/{site}", self.staff.token) == 200
            self._fill(page, self._words("admin.site.endType", site=site), site)
            page.run("document.querySelector('.sure form [type=submit]').click()")
            page.until("return location.pathname === '/staff'")
            assert self._status("GET", f"/v1/sites/{site}", self.staff.token) == 404

    def a_first_administrator_makes_a_site_without_a_shell(self):
        made = self.staff.send("POST", "/v1/invitations", {
            "note": "First", "grants": [{"role": "administrator"}]})[0]
        site = f"new-house-{int(time.time())}"
        with Page(self.at) as page:
            page.load("/join#" + made["link"].split("#")[1])
            page.until("return document.readyState === 'complete'")
            page.run("var form = document.querySelector('#join-form');"
                     "form.name.value = 'First'; form.signIn.value = arguments[0];"
                     "form.querySelector('[name=name]').value = 'First';"
                     "form.password.value = form.again.value = arguments[1];"
                     "form.querySelector('button').click()", f"first-{time.time()}@example.org", PASSWORD)
            page.until("return location.pathname === '/staff'")
            page.until("return document.documentElement.classList.contains('ready')")
            self.press(page, "admin.sites.new")
            self._fill(page, self._words("field.name"), "New House")
            assert page.run("return document.querySelector(arguments[0]).value",
                            self._field(page, self._words("admin.sites.id"))) == "new-house"
            self._fill(page, self._words("admin.sites.id"), site)
            self.press(page, "admin.sites.make")
            page.until("return document.querySelector('.news.bad') !== null")
            self._fill(page, self._words("admin.site.latitude"), "51,5123")
            self._fill(page, self._words("admin.site.longitude"), "\u22120.1166")
            self.press(page, "admin.sites.make")
            page.until(f"return location.pathname === '/staff/{site}'")
            page.until("return document.querySelector('.panels') !== null")
            draft = self.staff.ask(f"/v1/sites/{site}?version=draft")
            assert draft["name"] == "New House" and draft["origin"]["latitude"] == 51.5123, draft
            # The same id again makes nothing new.
            page.show("/staff")
            page.until("return document.documentElement.classList.contains('staff-sites')")
            self.press(page, "admin.sites.new")
            for label, text in (("field.name", "Other"), ("admin.sites.id", site),
                                ("admin.site.latitude", "1"), ("admin.site.longitude", "1")):
                self._fill(page, self._words(label), text)
            self.press(page, "admin.sites.make")
            page.until("return document.querySelector('.news.bad') !== null")
            assert self.staff.ask(f"/v1/sites/{site}")["name"] == "New House"
            self.staff.send("DELETE", f"/v1/sites/{site}?confirm={site}")

    def screens_of_the_administration_are_legible(self):
        site = self.fresh()
        owner = self.staff.person("Otto", "administrator", None)
        screens = Screens(self.between, self.given)
        screens.words = self.words
        faults = []
        with Page(self.at, SIZES["desk"]) as page:
            self.open(page, owner, f"/staff/{site}?screen=admin")
            for turn, panel in enumerate((*PANELS, "doctor")):
                language = LANGUAGES[turn % 3]
                path = f"/staff/{site}?screen=admin&panel={panel}&lang={language}"
                for name in SIZES if turn % 2 else reversed(list(SIZES)):
                    page.resize(SIZES[name])
                    page.load(path)
                    self.ready(page)
                    page.until("return document.querySelector('.content h1') !== null")
                    page.settled()
                    found = screens._faults(page, language, name == "desk")
                    screens._keep(page, "/s/staff-admin-" + panel, name)
                    faults += [f"{name} {path}: {one}" for one in found]
            faults += [one for one in page.console() if "Content Security Policy" in one]
        assert not faults, "\n".join(faults[:30])

    def _accounts(self) -> list[dict]:
        return self.staff.ask("/v1/accounts?limit=1000")["accounts"]

    def _draft_has(self, site: str, holds) -> None:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if holds(self.staff.ask(f"/v1/sites/{site}?version=draft")):
                return
            time.sleep(0.2)
        raise AssertionError("the draft has not got it")

    def _join(self, link: str, name: str) -> None:
        self._send("POST", "/v1/accounts", None, {
            "secret": link.split("#")[1], "signIn": f"{name.lower()}-{time.time()}@example.org",
            "name": name, "password": PASSWORD})

    def _send(self, method: str, path: str, token: str | None, body=None):
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        wish = urllib.request.Request(
            self.staff.at + path, method=method, headers=headers,
            data=None if body is None else json.dumps(body).encode())
        text = answer_of(wish)[0]
        return json.loads(text) if text else None

    def _status(self, method: str, path: str, token: str) -> int:
        try:
            self._send(method, path, token)
            return 200
        except urllib.error.HTTPError as error:
            return error.code
