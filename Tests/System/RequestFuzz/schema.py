"""The OpenAPI document as what requests are drawn from."""

import json
import pathlib


class Operation:
    """One method on one path: its parameters, its bodies by media type, and who may call it."""

    def __init__(self, document: "Document", method: str, path: str, item: dict, shared: list):
        self.method, self.path = method.upper(), path
        self.roles = item.get("x-roles", [])
        # Anybody may ask it, without a token or a session.
        self.is_open = item.get("x-scope") == "none"
        self.parameters = [document.resolve(one) for one in shared + item.get("parameters", [])]
        self.bodies = {
            kind: document.resolve(content.get("schema", {}))
            for kind, content in item.get("requestBody", {}).get("content", {}).items()}
        self.name = f"{self.method} {path}"

    @property
    def streams(self) -> bool:
        return self.path.endswith("/stream")


class Document:
    def __init__(self, path: pathlib.Path):
        self.root = json.loads(path.read_text())
        self.operations = [
            Operation(self, method, path, item, items.get("parameters", []))
            for path, items in self.root["paths"].items()
            for method, item in items.items() if method != "parameters"]

    def resolve(self, node: dict) -> dict:
        """The node that a chain of references ends at."""
        while isinstance(node, dict) and "$ref" in node:
            target = self.root
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part.replace("~1", "/").replace("~0", "~")]
            node = target
        return node
