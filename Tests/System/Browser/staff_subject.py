"""What the tests of the staff's app have: accounts, a site for each test, and fields to fill."""

import itertools
import json
import time

from page import Page
from staff_people import Person, Staff
from subject import APP, SIZES, LeftOut, Subject

STAFF = APP.parent / "staff"
SAVED = "return /^All is saved/.test(document.querySelector('.status').textContent)"
sites = itertools.count()
# Types into a field as a person does: the page hears of it.
TYPE = """
    var field = document.querySelector(arguments[0]);
    field.value = arguments[1];
    ['input', 'change'].forEach(function (name) {
      field.dispatchEvent(new Event(name, { bubbles: true })); });"""
BUTTON = """
    var text = arguments[0];
    var found = [].filter.call(document.querySelectorAll('#page button, #page a'), function (one) {
      return one.offsetParent !== null && one.textContent.trim() === text; })[0];
    if (found) found.click();
    return Boolean(found);"""


class StaffSubject(Subject):
    def __init__(self, between, given):
        super().__init__(between, given)
        for path in (STAFF / "languages").glob("*.json"):
            self.words[path.stem.removeprefix("staff-")] |= json.loads(path.read_text())
        self._staff = None

    @property
    def staff(self) -> Staff:
        if not self.given.token:
            raise LeftOut("--token is missing")
        if self._staff is None:
            self._staff = Staff(self.between.base, self.given.token)
        return self._staff

    def fresh(self, of: str = "museum") -> str:
        """A site of this test's own."""
        return self.staff.copy(of, f"{of}-{id(self) % 100_000}-{next(sites)}-{int(time.time())}")

    def editor(self, name: str, site: str) -> Person:
        return self.staff.person(name, "administrator", site)

    def open(self, page: Page, person: Person, path: str) -> None:
        """Signs somebody in, and waits for the draft's screen."""
        person.sign_in(page, path)
        self.ready(page)

    def ready(self, page: Page) -> None:
        page.until("return document.documentElement.classList.contains('ready')")
        page.settled()

    def type(self, page: Page, field: str, text: str) -> None:
        page.until("return document.querySelector(arguments[0]) !== null", 60, field)
        page.run(TYPE, field, text)

    def press(self, page: Page, key: str, **values) -> None:
        """Presses the button with a text of the words."""
        text = self.words["en"][key]
        for name, value in values.items():
            text = text.replace("{%s}" % name, value)
        page.until(BUTTON, 60, text)

    def field(self, label: str) -> str:
        """The selector of the form's field of a member."""
        return f".content form input[id$='-{label}']"

    def record(self, page: Page, site: str, kind: str, record: str) -> None:
        page.show(f"/staff/{site}?kind={kind}&record={record}")
        page.until("return document.querySelector('.content form') !== null")

    def save(self, page: Page) -> None:
        self.press(page, "form.save")
        page.until(SAVED)

    def draft(self, site: str, kind: str, record: str) -> dict:
        return self.staff.ask(f"/v1/sites/{site}/{kind}/{record}?version=draft")

    def journal(self, site: str) -> list[dict]:
        return self.staff.ask(f"/v1/sites/{site}/draft/edits?after=0&limit=1000")["edits"]
