"""Makes requests of operations: most of them fit, others have one to three faults."""

import json
import math
import random
import urllib.parse

from drawing import NUMBERS, Drawing, Raw
from people import People
from schema import Document, Operation

# Of requests; faults are put into the others.
WHOLE_SHARE = 0.45
# Of requests of operations that have examples; the others are drawn from the schema alone.
EXAMPLE_SHARE = 0.7
# Parameters that most requests need, though the document can't say of which roles.
OFTEN = {"If-Match": 0.9, "site": 0.8, "confirm": 0.9, "author": 0.8}
# Ids of one collection that a worker keeps in mind.
POOL = 50
ACCEPTS = ["*/*", "application/json", "text/csv", "application/geo+json", "image/png", "image/svg+xml"]


class Request:
    def __init__(self, method: str, target: str, headers: dict, body: bytes, faults: int):
        self.method, self.target, self.headers = method, target, headers
        self.body, self.faults = body, faults

    def __str__(self):
        body = self.body[:600].decode("utf-8", "backslashreplace")
        secret = ("authorization", "cookie", "x-change-token")
        headers = {name: value for name, value in self.headers.items() if name not in secret}
        return f"{self.method} {self.target[:400]} {headers} {body}"


class Requests:
    """Requests from one seed. What they make, later ones ask for, change and delete."""

    def __init__(
        self, document: Document, generator: random.Random, known: dict, people: People
    ):
        self.random = generator
        self.drawing = Drawing(document, generator, known)
        self.known, self.people = known, people
        # What this worker has seen made; others it leaves in their lists when it deletes them.
        self.learned: set[str] = set()

    def make(self, operation: Operation, caller: dict) -> Request:
        """A request of a caller who shows these header fields."""
        example = self._example(operation)
        faults = 0 if self.random.random() < WHOLE_SHARE else self.random.choice([1, 1, 2, 3])
        places = ["parameter"] * len(operation.parameters)
        places += ["body"] * (3 if operation.bodies else 0) + ["header"]
        broken = [self.random.choice(places) for _ in range(faults)]
        target, headers = self._target(
            operation, example.get("parameters", {}), broken.count("parameter"))
        kind, body = self._body(operation, example, broken.count("body"))
        if operation.is_open:
            # Who guesses passwords is locked out by address. The server remembers addresses, up to a limit;
            # these are few enough to be known before its memory is looked at.
            headers["x-forwarded-for"] = f"10.0.{self.random.randrange(8)}.{self.random.randrange(256)}"
        else:
            headers |= caller
        headers |= example.get("headers", {})
        if kind:
            headers["content-type"] = kind
        for _ in range(broken.count("header")):
            name, value = self._strange_header()
            headers[name] = value
        return Request(operation.method, target, headers, body, faults)

    def _example(self, operation: Operation) -> dict:
        """Parts of a request that is accepted, or none."""
        if self.random.random() > EXAMPLE_SHARE:
            return {}
        if operation.name in self.people.examples:
            return self.people.examples[operation.name]()
        return self.random.choice(self.known["examples"].get(operation.name, [{}]))

    def learn(self, operation: Operation, body: bytes):
        """Remembers the id of what an accepted request has made."""
        things = self._things(operation.path)
        if operation.method != "POST" or "{" in operation.path or not things or b"{" not in body:
            return
        found = json.loads(body)
        found = found.get("media", found)
        if name := found.get("hash") or found.get("id") or found.get("account"):
            if name not in things:
                things.append(name)
                self.learned.add(name)
            if len(things) > POOL:
                self._forget(things, next(one for one in things if one in self.learned))

    def _forget(self, things: list, name: str):
        things.remove(name)
        self.learned.remove(name)

    def _target(self, operation: Operation, given: dict, faults: int) -> tuple[str, dict]:
        path, query, headers = operation.path, [], {}
        parameters = operation.parameters
        # Another site is mostly refused as somebody else's, before anything else is looked at.
        places = [
            number for number, parameter in enumerate(parameters)
            if parameter["name"] != "site" or self.random.random() < 0.2]
        broken = {self.random.choice(places) for _ in range(faults)} if places else set()
        for number, parameter in enumerate(parameters):
            name, place = parameter["name"], parameter["in"]
            needed = parameter.get("required") or place == "path"
            chance = 1 if name in given else OFTEN.get(name, 0.25)
            if not needed and number not in broken and self.random.random() > chance:
                continue
            schema = parameter.get("schema", {})
            if number in broken:
                edges = [2**63 - 1, -2**63, -2**63 + 1, 253_402_300_800_000_000]
                number = self.random.choice(self.random.choice([NUMBERS, edges]))
                value = self.random.choice([
                    self.drawing.strange(schema), self.drawing.strange_text(schema), number,
                    f"{plain(number)}~00000000-0000-7000-8000-000000000000"])
            elif name in given:
                value = given[name]
            elif name in ("id", "hash") and (things := self._things(operation.path)):
                value = self.random.choice(things)
                if operation.method == "DELETE" and value in self.learned:
                    self._forget(things, value)
            elif name == "If-Match":
                value = "*"
            elif name == "site":
                value = self.random.choice(self.known["site"])
            else:
                value = self.drawing.value(schema, name)
            text = plain(value)[:4000]
            if place == "path":
                path = path.replace("{" + name + "}", quoted(text) or "-")
            elif place == "query":
                query.append(f"{name}={quoted(text)}")
            else:
                headers[name] = visible(text)
        if self.random.random() < 0.05:
            headers["accept"] = self.random.choice(ACCEPTS)
        return path + ("?" + "&".join(query) if query else ""), headers

    def _things(self, path: str) -> list:
        """Ids of what a path's last list holds, such as of rooms."""
        parts = [part for part in path.split("/") if part and not part.startswith("{")]
        pools = [self.known.get("of " + part, []) for part in parts[-1:-3:-1]]
        return next((pool for pool in pools if pool), [])

    def _body(
        self, operation: Operation, example: dict, faults: int
    ) -> tuple[str | None, bytes]:
        if not operation.bodies:
            return None, b""
        kind = example.get("kind") or self.random.choice(list(operation.bodies))
        schema = operation.bodies[kind]
        given = example.get("body")
        if isinstance(given, bytes) or "json" not in kind:
            return kind, self._bytes(kind, given, faults)
        if "ndjson" in kind:
            # A line is what the body may be by itself; the document can't say so.
            one = operation.bodies.get("application/json", schema)
            schema = self.drawing.document.resolve(one.get("oneOf", [one])[0])
        value = self.drawing.value(schema) if given is None else given
        if faults:
            value = self.drawing.damaged(value, schema, faults)
        if faults and operation.method in ("PUT", "PATCH") and self.random.random() < 0.15:
            return kind, self._growing()
        if "ndjson" in kind:
            lines = [value] + [self.drawing.value(schema) for _ in range(self.random.randrange(3))]
            return kind, b"\n".join(encoded(line) for line in lines)
        body = encoded(value)
        if faults and self.random.random() < 0.1:
            cut = self.random.randrange(len(body) + 1)
            body = body[:cut] + self.random.choice([b"", b"\xff", b"\x00", b"\xc0\x80", body])
        return kind, body

    def _growing(self) -> bytes:
        """Text that is longer when it is written anew: short numbers, and names full of escapes."""
        number = self.random.choice(["1e3", "1e4", "1e5", "1e5", "1e6"])
        name = self.random.choice(["", "", "\\u0001", '\\"', "x"])
        filling = ",".join(["[]"] * self.random.randrange(200))
        return f'{{"b":{number},"c":[{filling}],"{name}":1}}'.encode()

    def _bytes(self, kind: str, given: bytes | None, faults: int) -> bytes:
        samples = self.known["sample files"]
        body = bytearray(
            given or samples.get(kind) or self.random.choice(list(samples.values())))
        for _ in range(faults):
            draw = self.random.random()
            place = self.random.randrange(len(body) + 1)
            if draw < 0.4 and body:
                body[min(place, len(body) - 1)] ^= 1 << self.random.randrange(8)
            elif draw < 0.7:
                del body[place:]
            else:
                body[place:place] = self.random.choice(
                    [b"\x00" * 20, b"<" * 3000, b"=1+1,", b"../", self.random.randbytes(30)])
        return bytes(body)

    def _strange_header(self) -> tuple[str, str]:
        name = self.random.choice([
            "if-match", "if-none-match", "range", "if-range", "traceparent", "accept",
            "content-type", "content-encoding", "expect", "last-event-id", "x-forwarded-for"])
        number = plain(self.random.choice(NUMBERS))
        value = self.random.choice([
            number, f'"{number}"', f"bytes={number}-{number}", f"bytes=-{number}",
            f'"draft-{number}"', f"{number}.{number}", self.drawing.strange_text({}), "a" * 4000,
            "00-" + "0" * 32 + "-" + "0" * 16 + "-00"])
        return name, visible(value)


def encoded(value) -> bytes:
    """JSON, in which text that is no JSON may stand, and lone surrogates are written as escapes."""
    marks = []

    def marked(part):
        if isinstance(part, Raw):
            marks.append(part.text)
            return f"\x02raw {len(marks) - 1}\x03"
        if isinstance(part, dict):
            return {str(name): marked(item) for name, item in part.items()}
        if isinstance(part, list):
            return [marked(item) for item in part]
        if isinstance(part, float) and not math.isfinite(part):
            return None
        return part

    text = json.dumps(marked(value))
    for number, mark in enumerate(marks):
        text = text.replace(f'"\\u0002raw {number}\\u0003"', mark)
    return text.encode()


def plain(value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, (dict, list)) or value is None:
        return encoded(value).decode()
    return str(value)


def quoted(text: str) -> str:
    return urllib.parse.quote(text.encode("utf-8", "surrogatepass"), safe="")


def visible(text: str) -> str:
    """What a header may hold: anything else would be the client's own fault."""
    return "".join(one for one in text if " " <= one <= "~" or "\xa0" <= one <= "\xff").strip()
