"""Draws values that fit a schema, and puts faults into them."""

import copy
import random
import string
import uuid

from schema import Document

DEEPEST = 7

# The ends of what programs hold in a number, and what lies beyond.
NUMBERS = [
    0, -0.0, 1, -1, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2**31 - 1, 2**31, -2**31,
    -2**31 - 1, 2**32 - 1, 2**32, 2**53 - 1, 2**53, 2**53 + 1, 2**63 - 1, 2**63, -2**63, -2**63 - 1,
    2**64 - 1, 2**64, 10**30, 0.1, 1e-300, -1e-300, 5e-324, 1e300, -1e300, 1.7976931348623157e308,
    90, 90.0000001, -90, 180, 180.0000001, 359.999, 360, 1e6, 1e6 + 1,
]

# At least one of each general category of Unicode, and what has undone programs.
CHARACTERS = [
    "A", "a", "ǅ", "ʰ", "א", "漢", "\u0301", "\u0903", "\u20dd", "٣", "Ⅷ", "½", "_", "-", "(",
    ")", "«", "»", "!", "+", "$", "^", "©", " ", "\u2028", "\u2029", "\u0000", "\u0001", "\n",
    "\r", "\t", "\u001f", "\u007f", "\u0085", "\u009f", "\u00ad", "\u200b", "\u200d", "\u202e",
    "\u2066", "\ufeff", "\ue000", "\ufffd", "\ufffe", "\uffff", "\U0001f468\u200d\U0001f469",
    "\U000e0001", "\U0010ffff", "\U0001d11e", "\U00020000", "İ", "ß", "ﬁ", "\u0378", "'", '"',
    "\\", "<", ">", "&", "%", "=", "@", ";", "`", "{", "\ud800", "\udfff",
]


def both(schema: dict, branch: dict) -> dict:
    """A schema that fits what two say of one value."""
    joined = schema | branch
    for word, none in (("properties", {}), ("required", [])):
        if word in schema and word in branch:
            joined[word] = (
                schema[word] | branch[word] if none == {} else schema[word] + branch[word])
    return joined


class Drawing:
    """Values from one seed. `known` holds things of the site by the names of the members that ask."""

    def __init__(self, document: Document, generator: random.Random, known: dict):
        self.document, self.random, self.known = document, generator, known

    # What fits

    def value(self, schema: dict, name: str = "", depth: int = 0):
        schema = self.document.resolve(schema)
        if name in self.known and self.random.random() < 0.85:
            thing = self.random.choice(self.known[name])
            if is_of(thing, schema):
                return copy.deepcopy(thing)
        for word in ("example", "default", "const"):
            if word in schema and self.random.random() < 0.5:
                return copy.deepcopy(schema[word])
        if "examples" in schema and self.random.random() < 0.5:
            return copy.deepcopy(self.random.choice(list(schema["examples"])))
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        for word in ("oneOf", "anyOf"):
            if word in schema:
                branch = self.document.resolve(self.random.choice(schema[word]))
                rest = {key: part for key, part in schema.items() if key != word}
                return self.value(both(rest, branch), name, depth + 1)
        if "allOf" in schema:
            parts = [self.value(part, name, depth) for part in schema["allOf"]]
            if all(isinstance(part, dict) for part in parts):
                return {key: item for part in parts for key, item in part.items()}
            return parts[0]
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = self.random.choice(kind)
        if kind == "object" or "properties" in schema:
            return self.object(schema, depth)
        if kind == "array":
            return self.array(schema, name, depth)
        if kind in ("integer", "number"):
            return self.number(schema, kind)
        if kind == "boolean":
            return self.random.random() < 0.5
        if kind == "null":
            return None
        return self.text(schema)

    def object(self, schema: dict, depth: int) -> dict:
        required = set(schema.get("required", []))
        chance = 0.5 if depth < 2 else 0.25 if depth < DEEPEST else 0
        return {
            name: self.value(part, name, depth + 1)
            for name, part in schema.get("properties", {}).items()
            if name in required or self.random.random() < chance}

    def array(self, schema: dict, name: str, depth: int) -> list:
        least, most = schema.get("minItems", 0), schema.get("maxItems", 1000)
        wanted = 0 if depth > DEEPEST else self.random.choice([0, 1, 1, 2, 3])
        count = max(least, min(most, wanted))
        first = [self.value(part, "", depth + 1) for part in schema.get("prefixItems", [])]
        if first and not schema.get("items"):
            return first
        more = range(count - len(first))
        return first + [self.value(schema.get("items", {}), name, depth + 1) for _ in more]

    def number(self, schema: dict, kind: str):
        low = schema.get("minimum", schema.get("exclusiveMinimum", -100))
        high = schema.get("maximum", schema.get("exclusiveMaximum", max(low, 0) + 100))
        if self.random.random() < 0.1:
            return self.random.choice([low, high])
        if kind == "integer":
            return self.random.randint(int(low), int(high))
        return round(self.random.uniform(low, high), 3)

    def text(self, schema: dict) -> str:
        form, pattern = schema.get("format"), schema.get("pattern", "")
        if form == "uuid" or "8}-" in pattern:
            return str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        if form == "date-time":
            return f"2026-11-{self.random.randint(1, 22):02}T08:00:00.000Z"
        if "fA-F" in pattern and ":" in pattern:
            return ":".join(f"{self.random.randrange(256):02x}" for _ in range(6))
        if "64}" in pattern and "a-f" in pattern and "." not in pattern:
            return "".join(self.random.choice("0123456789abcdef") for _ in range(64))
        least = max(1, schema.get("minLength", 1))
        most = max(least, min(schema.get("maxLength", 12), 12))
        letters = string.ascii_lowercase + string.digits
        return "".join(
            self.random.choice(letters) for _ in range(self.random.randint(least, most)))

    # What does not

    def strange(self, schema: dict):
        """A value that may or may not fit: at an edge, of another kind, of any letters."""
        schema = self.document.resolve(schema)
        draw = self.random.random()
        if draw < 0.3:
            return self.random.choice(NUMBERS)
        if draw < 0.6:
            return self.strange_text(schema)
        if draw < 0.7:
            return self.random.choice([None, True, False, [], {}, [[]], [None], {"": None}])
        if draw < 0.75:
            return Nested(self.random.choice([31, 32, 33, 100, 1000, 3000]))
        if draw < 0.85:
            return self.edge_of_length(schema)
        if draw < 0.95:
            return self.random.choice([
                "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "10000-01-01T00:00:00Z",
                "2026-02-30T00:00:00Z", "2026-11-21T08:00:60Z", "2026-11-21T08:00:00+23:59",
                "00000000-0000-0000-0000-000000000000", "ff:ff:ff:ff:ff:ff", "../../etc/passwd",
                "-9223372036854775808~00000000-0000-7000-8000-000000000000", ".", "..", "-", "free",
                "=1+1", "' OR 1=1 --", "%00", "<svg onload=x>"])
        return Raw(self.random.choice(["1e999", "-1e999", "01", "1.", "NaN", '"\\ud800"', "-", ""]))

    def strange_text(self, schema: dict) -> str:
        count = self.random.choice([0, 1, 1, 2, 5, 64])
        return "".join(self.random.choice(CHARACTERS) for _ in range(count))

    def edge_of_length(self, schema: dict) -> object:
        """Just below, at and above a limit: the schema's own, or one that programs like."""
        step = self.random.choice([-1, 0, 1])
        if schema.get("type") == "array":
            limit = schema.get("maxItems", self.random.choice([32, 100, 1000]))
            item = self.value(schema.get("items", {}))
            return [item] * max(0, min(limit, 20_000) + step)
        limit = schema.get("maxLength", self.random.choice([32, 64, 128, 400, 4096, 65_535]))
        return self.random.choice(["a", "é", "漢", "\U0001d11e"]) * max(0, min(limit, 70_000) + step)

    def damaged(self, value, schema: dict, faults: int):
        """The value with so many faults in it, each at a place of its own choice."""
        value = copy.deepcopy(value)
        for _ in range(faults):
            value = self.with_fault(value, self.document.resolve(schema))
        return value

    def with_fault(self, value, schema: dict):
        properties = schema.get("properties", {}) if isinstance(schema, dict) else {}
        if isinstance(value, dict) and value and self.random.random() < 0.9:
            name = self.random.choice(list(value))
            draw = self.random.random()
            if draw < 0.1:
                del value[name]
            elif draw < 0.17:
                value[self.strange_text({})] = value.pop(name)
            elif draw < 0.24:
                extra = [one for one in properties if one not in value] or ["", "__proto__"]
                extra = self.random.choice(extra)
                value[extra] = self.strange(properties.get(extra, {}))
            else:
                part = self.document.resolve(properties.get(name, {}))
                value[name] = self.with_fault(value[name], part)
            return value
        if isinstance(value, list) and value and self.random.random() < 0.8:
            place = self.random.randrange(len(value))
            draw = self.random.random()
            if draw < 0.1:
                del value[place]
            elif draw < 0.2:
                value.extend([value[place]] * self.random.choice([1, 30, 1000]))
            else:
                part = self.document.resolve(schema.get("items", {}))
                value[place] = self.with_fault(value[place], part)
            return value
        return self.strange(schema)


def is_of(thing, schema: dict) -> bool:
    """Whether a thing may be of the schema's type."""
    kinds = schema.get("type", "object" if "properties" in schema else None)
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if None in kinds:
        return not {"oneOf", "anyOf", "allOf"} & set(schema)
    names = {str: "string", list: "array", dict: "object", int: "integer", float: "number"}
    name = names.get(type(thing))
    return name in kinds or name == "integer" and "number" in kinds


class Raw:
    """Text that stands in the body as it is, JSON or not."""

    def __init__(self, text: str):
        self.text = text


class Nested(Raw):
    def __init__(self, depth: int):
        super().__init__("[" * depth + "]" * depth)
