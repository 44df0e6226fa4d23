"""Accounts of the staff for tests: each is invited with a role at a site, and signs in by the page."""

import itertools
import json
import threading
import urllib.request

import own_network

PASSWORD = "a long enough password"
numbers = itertools.count()


class Person:
    """Somebody with an account; `sign_in` is by the page, as people do."""

    def __init__(self, name: str, sign_in: str):
        self.name, self.own = name, sign_in

    def sign_in(self, page, path: str) -> None:
        """Opens a path of the staff's app: it leads to the page of signing in, and back."""
        page.load(path)
        self.fill(page)

    def fill(self, page) -> None:
        """Signs in by the page to which the app led."""
        page.until("return location.pathname === '/sign-in' && document.readyState === 'complete'")
        page.run("document.querySelector('[name=signIn]').value = arguments[0];"
                 "document.querySelector('[name=password]').value = arguments[1];", self.own, PASSWORD)
        page.click("#sign-in-form button")
        page.until("return location.pathname.indexOf('/staff/') === 0")


def answer_of(wish: urllib.request.Request):
    """The bytes and header fields of an answer of the service itself, also while a Between is away."""
    found: list = []

    def ask():
        # The browser may be in a network of its own, and the service is in the machine's.
        own_network.enter_machine()
        try:
            with urllib.request.urlopen(wish, timeout=120) as answer:
                found.append((answer.read(), answer.headers))
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


class Staff:
    """Makes accounts and sites by an administrator's token."""

    def __init__(self, at: str, token: str):
        self.at, self.token = at, token

    def send(self, method: str, path: str, body=None, **headers):
        """JSON and header fields of an answer."""
        fields = {"authorization": f"Bearer {self.token}", "content-type": "application/json"}
        wish = urllib.request.Request(
            self.at + path, method=method, headers=fields | headers,
            data=None if body is None else json.dumps(body).encode())
        text, found = answer_of(wish)
        return (json.loads(text) if text else None), found

    def text(self, path: str) -> str:
        """An answer as it is."""
        wish = urllib.request.Request(
            self.at + path, headers={"authorization": f"Bearer {self.token}"})
        return answer_of(wish)[0].decode()

    def lines(self, path: str, body: str, token: str) -> None:
        """Sends records as NDJSON."""
        fields = {"authorization": f"Bearer {token}", "content-type": "application/x-ndjson"}
        answer_of(urllib.request.Request(
            self.at + path, method="POST", headers=fields, data=body.encode()))

    def ask(self, path: str):
        return self.send("GET", path)[0]

    def person(self, name: str, role: str, site: str | None) -> Person:
        """A new account with a role at a site."""
        grant = {"role": role} | ({"site": site} if site else {})
        link = self.send("POST", "/v1/invitations", {"note": name, "grants": [grant]})[0]["link"]
        own = f"{name.lower()}-{id(self)}-{next(numbers)}@example.org"
        # Who joins has no token yet.
        wish = urllib.request.Request(
            self.at + "/v1/accounts", method="POST", headers={"content-type": "application/json"},
            data=json.dumps({"secret": link.split("#")[1], "signIn": own, "name": name,
                             "password": PASSWORD}).encode())
        answer_of(wish)
        return Person(name, own)

    def copy(self, of: str, site: str) -> str:
        """A new site with the map of another one."""
        document = self.ask(f"/v1/sites/{of}") | {"id": site}
        document.pop("linkSecret", None)
        self.send("PUT", f"/v1/sites/{site}", document)
        return site
