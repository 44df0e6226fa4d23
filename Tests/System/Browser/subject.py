"""What the tests of all subjects have: the service behind a Between, its sites, and the words."""

import json
import pathlib
import urllib.error
import urllib.request

from between import Between

HERE = pathlib.Path(__file__).resolve().parent
APP = HERE.parents[2] / "Services" / "site-editor" / "web" / "app"
SIZES = {"phone": (390, 844), "desk": (1400, 900)}


class LeftOut(Exception):
    """A test that can't run here, with the reason."""


class Subject:
    """Tests of one subject: each public method but `begin` of a class below this one is a test."""

    def __init__(self, between: Between, given):
        self.between = between
        self.at = between.address
        self.given = given
        self.words = {path.stem: json.loads(path.read_text())
                      for path in (APP / "languages").glob("*.json")}
        self.checks = (HERE / "page_checks.js").read_text()

    def begin(self) -> None:
        """What starts before the first test of all, and goes on beside them."""

    def has(self, site: str) -> bool:
        try:
            urllib.request.urlopen(f"{self.at}/s/{site}", timeout=60)
            return True
        except urllib.error.HTTPError:
            return False

    def need(self, site: str) -> None:
        if not self.has(site):
            raise LeftOut(f"there is no site {site}")

    def session(self, path: str) -> urllib.request.Request:
        """A request of an anonymous visitor."""
        wish = urllib.request.Request(self.at + "/v1/session/anonymous", data=b"", method="POST")
        with urllib.request.urlopen(wish, timeout=60) as answer:
            cookie = answer.headers["set-cookie"].split(";")[0]
        return urllib.request.Request(self.at + path, headers={"cookie": cookie})

    def ask(self, path: str):
        """The JSON that an anonymous visitor gets."""
        with urllib.request.urlopen(self.session(path), timeout=60) as answer:
            return json.load(answer)
