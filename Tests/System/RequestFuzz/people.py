"""Accounts and sessions that single requests need: each is made for one of them."""

import http.client
import itertools
import json

from things import WILD

PASSWORD = "a long enough password"
SHARED = "/v1/sites/{site}/shared-position"


def exchange(port: int, method: str, path: str, headers: dict, body=None):
    """Status, JSON and header fields of an answer, over a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(
            method, path, None if body is None else json.dumps(body),
            {"content-type": "application/json"} | headers)
        answer = connection.getresponse()
        text = answer.read()
        is_json = "json" in (answer.getheader("content-type") or "")
        return answer.status, json.loads(text) if is_json else {}, answer.headers
    finally:
        connection.close()


def session_headers(found: dict, fields) -> dict:
    """What a request shows of the session that an answer has begun."""
    return {"cookie": fields["set-cookie"].split(";")[0], "x-change-token": found["changeToken"]}


class People:
    """Invites people and lets them join, by an administrator whom no request is about."""

    def __init__(self, port: int, administrator: dict, name: str):
        self.port, self.administrator, self.name = port, administrator, name
        self.numbers, self.own = itertools.count(), None
        self.examples = {
            "POST /v1/accounts": lambda: {"body": self.joining()},
            "POST /v1/session": lambda: {"body": self.signing_in()},
            "DELETE /v1/session/everywhere": lambda: {"headers": self.join()[1]},
            "POST /v1/session/password": lambda: {
                "headers": self.join()[1],
                "body": {"old": PASSWORD, "new": PASSWORD + "!"}},
            "POST " + SHARED: lambda: {"headers": self.visitor(), "parameters": {"site": WILD}},
            "GET " + SHARED: lambda: self.sharing(),
            "DELETE " + SHARED: lambda: self.sharing(),
            "PUT " + SHARED: lambda: self.sharing(is_put=True),
            "GET /v1/sites/{site}/shared-positions/{secret}": lambda: self.sharing(is_looked=True),
        }

    def visitor(self) -> dict:
        """What a visitor without an account shows of a session of their own."""
        _, found, fields = exchange(self.port, "POST", "/v1/session/anonymous", {})
        return session_headers(found, fields)

    def sharing(self, is_put: bool = False, is_looked: bool = False) -> dict:
        """A request about a position that somebody has just begun to share."""
        headers = self.visitor()
        _, found, _ = exchange(self.port, "POST", f"/v1/sites/{WILD}/shared-position", headers)
        secret, request = found.get("secret", "none"), {"headers": headers}
        request["parameters"] = {"site": WILD} | ({"secret": secret} if is_looked else {})
        if is_put:
            request["body"] = {"secret": secret, "state": "located", "floor": "ground",
                               "latitude": 51.5, "longitude": -0.1, "radiusMetres": 4}
        return request

    def joining(self) -> dict:
        """The body by which somebody joins who has just been invited."""
        _, found, _ = exchange(
            self.port, "POST", "/v1/invitations", self.administrator,
            {"grants": [{"role": "visitor", "site": WILD}]})
        name = f"{self.name}-{next(self.numbers)}"
        return {"secret": found.get("link", "#").split("#")[1], "signIn": name, "name": "Anna",
                "password": PASSWORD}

    def join(self) -> tuple[dict, dict]:
        """What somebody joined with, and shows of the session."""
        body = self.joining()
        status, found, fields = exchange(self.port, "POST", "/v1/accounts", {}, body)
        if status != 201:
            raise RuntimeError(f"joining was answered with {status}: {found}")
        return body | {"id": found["account"]}, session_headers(found, fields)

    def signing_in(self) -> dict:
        """An account for all sign-ins of this worker: a password costs much."""
        self.own = self.own or self.join()[0]
        return {name: self.own[name] for name in ("signIn", "password")}
