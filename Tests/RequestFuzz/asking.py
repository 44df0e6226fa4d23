"""Makes requests of operations: most of them fit, others have one to three faults."""

import json
import math
import random
import urllib.parse

from drawing import NUMBERS, Drawing, Raw
from schema import Document, Operation

# Of requests; faults are put into the others.
WHOLE_SHARE = 0.45
ACCEPTS = ["*/*", "application/json", "text/csv", "application/geo+json", "image/png", "image/svg+xml"]


class Request:
    def __init__(self, method: str, target: str, headers: dict, body: bytes, faults: int):
        self.method, self.target, self.headers = method, target, headers
        self.body, self.faults = body, faults

    def __str__(self):
        body = self.body[:600].decode("utf-8", "backslashreplace")
        headers = {name: value for name, value in self.headers.items() if name != "authorization"}
        return f"{self.method} {self.target[:400]} {headers} {body}"


class Requests:
    """Requests from one seed."""

    def __init__(self, document: Document, generator: random.Random, known: dict):
        self.random = generator
        self.drawing = Drawing(document, generator, known)
        self.known = known

    def make(self, operation: Operation, token: str) -> Request:
        faults = 0 if self.random.random() < WHOLE_SHARE else self.random.choice([1, 1, 2, 3])
        places = ["parameter"] * len(operation.parameters)
        places += ["body"] * (3 if operation.bodies else 0) + ["header"]
        broken = [self.random.choice(places) for _ in range(faults)]
        target, headers = self._target(operation, broken.count("parameter"))
        kind, body = self._body(operation, broken.count("body"))
        if token:
            headers["authorization"] = f"Bearer {token}"
        if kind:
            headers["content-type"] = kind
        for _ in range(broken.count("header")):
            name, value = self._strange_header()
            headers[name] = value
        return Request(operation.method, target, headers, body, faults)

    def _target(self, operation: Operation, faults: int) -> tuple[str, dict]:
        path, query, headers = operation.path, [], {}
        parameters = operation.parameters
        broken = {
            self.random.randrange(len(parameters)) for _ in range(faults)} if parameters else set()
        for number, parameter in enumerate(parameters):
            name, place = parameter["name"], parameter["in"]
            needed = parameter.get("required") or place == "path"
            chance = 0.9 if name == "If-Match" else 0.25
            if not needed and number not in broken and self.random.random() > chance:
                continue
            schema = parameter.get("schema", {})
            if number in broken:
                edges = [2**63 - 1, -2**63, -2**63 + 1, 253_402_300_800_000_000]
                number = self.random.choice(self.random.choice([NUMBERS, edges]))
                value = self.random.choice([
                    self.drawing.strange(schema), self.drawing.strange_text(schema), number,
                    f"{plain(number)}~00000000-0000-7000-8000-000000000000"])
            elif name == "id" and (things := self._things(operation.path)):
                value = self.random.choice(things)
            elif name == "If-Match":
                value = "*"
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
        return self.known.get("of " + parts[-1], []) or self.known.get(
            "of " + parts[-2] if len(parts) > 1 else "", [])

    def _body(self, operation: Operation, faults: int) -> tuple[str | None, bytes]:
        if not operation.bodies:
            return None, b""
        kind = self.random.choice(list(operation.bodies))
        schema = operation.bodies[kind]
        if "json" not in kind:
            return kind, self._bytes(kind, faults)
        if "ndjson" in kind:
            # A line is what the body may be by itself; the document can't say so.
            one = operation.bodies.get("application/json", schema)
            schema = self.drawing.document.resolve(one.get("oneOf", [one])[0])
        value = self.drawing.value(schema)
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

    def _bytes(self, kind: str, faults: int) -> bytes:
        samples = self.known["sample files"]
        body = bytearray(samples.get(kind) or self.random.choice(list(samples.values())))
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
