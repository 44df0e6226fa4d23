"""Compares docs/asyncapi.json and docs/openapi.json with what the program really encodes.

Usage: check_documents.py DOCS SAMPLES [ASYNCAPI_SCHEMA]

DOCS holds the two documents. SAMPLES holds topics.json, a list of {name, partitions, cleanup}, and
one file for each sample: {"topic", "headers", "value"} for a record, {"schema", "value"} for
anything else. Prints one line for each disagreement and ends with 1 when there is one; with 77 when
the Python package jsonschema is missing.
"""

import json
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    print("the Python package jsonschema is not installed")
    sys.exit(77)

problems = []


def read(file):
    """The document; a member that stands twice in one object is a problem, as parsers drop one."""

    def members(pairs):
        names = [name for name, _ in pairs]
        for name in sorted({name for name in names if names.count(name) > 1}):
            problems.append(f"{file.name}: the member {name} stands twice in one object")
        return dict(pairs)

    return json.loads(file.read_text(), object_pairs_hook=members)


def closed(schema):
    """The same schema, with no properties but those it names: the program must not write others."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(part) for name, part in schema.items()}
    if inner.get("type") == "object" and "properties" in inner:
        inner["additionalProperties"] = False
    return inner


def validate(document, reference, value, place):
    schema = {"$ref": reference, "components": closed(document["components"])}
    for error in jsonschema.Draft7Validator(schema).iter_errors(value):
        path = "/".join(str(part) for part in error.absolute_path)
        problems.append(f"{place}: {path}: {error.message[:200]}")


def resolve(document, reference):
    part = document
    for name in reference.removeprefix("#/").split("/"):
        part = part[name.replace("~1", "/").replace("~0", "~")]
    return part


def check_references(document, place):
    def walk(part):
        if isinstance(part, dict):
            if "$ref" in part:
                try:
                    resolve(document, part["$ref"])
                except KeyError:
                    problems.append(f"{place}: {part['$ref']} leads nowhere")
            for inner in part.values():
                walk(inner)
        elif isinstance(part, list):
            for inner in part:
                walk(inner)

    walk(document)


def check_samples(asyncapi, openapi, samples):
    channels = {channel["address"]: channel for channel in asyncapi["channels"].values()}
    seen = set()
    for file in sorted(samples.glob("sample-*.json")):
        sample = json.loads(file.read_text())
        if "schema" in sample:
            validate(openapi, f"#/components/schemas/{sample['schema']}", sample["value"], file.name)
            continue
        kind = sample["headers"].get("ce_type")
        messages = channels[sample["topic"]]["messages"].values()
        references = [message["$ref"] for message in messages]
        matching = [one for one in references if resolve(asyncapi, one)["name"] == kind]
        if len(matching) != 1:
            problems.append(f"{file.name}: {sample['topic']} has no message {kind}")
            continue
        seen.add(matching[0])
        place = f"{file.name} {kind}"
        validate(asyncapi, f"{matching[0]}/headers", sample["headers"], place)
        validate(asyncapi, f"{matching[0]}/payload", sample["value"], place)
    for name, message in asyncapi["components"]["messages"].items():
        if "ce_type" in str(message) and f"#/components/messages/{name}" not in seen:
            problems.append(f"message {name} is described and has no sample")


def check_topics(asyncapi, samples):
    described = {}
    for channel in asyncapi["channels"].values():
        binding = channel["bindings"]["kafka"]
        settings = binding["topicConfiguration"]
        cleanup = "compact"
        if settings["cleanup.policy"] == ["delete"]:
            cleanup = settings["retention.ms"]
        described[channel["address"]] = (binding["partitions"], cleanup)
    made = {
        topic["name"]: (topic["partitions"], topic["cleanup"])
        for topic in json.loads((samples / "topics.json").read_text())
    }
    for name in sorted(set(described) | set(made)):
        if described.get(name) != made.get(name):
            problems.append(f"{name}: {described.get(name)} described, {made.get(name)} made")


def check_openapi(openapi):
    names = []
    for path, operations in openapi["paths"].items():
        for method, operation in operations.items():
            place = f"{method.upper()} {path}"
            names.append(operation["operationId"])
            parameters = [
                resolve(openapi, part["$ref"]) if "$ref" in part else part
                for part in operation.get("parameters", [])
            ]
            declared = {part["name"] for part in parameters if part["in"] == "path"}
            if declared != set(re.findall(r"{(\w+)}", path)):
                problems.append(f"{place}: path parameters differ")
            # 303 sends a browser on, which is what signing in elsewhere does.
            if not any(status.startswith("2") or status == "303" for status in operation["responses"]):
                problems.append(f"{place}: no success is described")
    for name in {name for name in names if names.count(name) > 1}:
        problems.append(f"operationId {name} is used twice")
    for name, schema in openapi["components"]["schemas"].items():
        try:
            jsonschema.Draft202012Validator.check_schema(schema)
        except jsonschema.SchemaError as error:
            problems.append(f"schema {name}: {error.message[:200]}")


def check_shared(asyncapi, openapi):
    both = asyncapi["components"]["schemas"].keys() & openapi["components"]["schemas"].keys()
    for name in sorted(both):
        if asyncapi["components"]["schemas"][name] != openapi["components"]["schemas"][name]:
            problems.append(f"schema {name} differs between the two documents")


def main():
    docs, samples = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    asyncapi = read(docs / "asyncapi.json")
    openapi = read(docs / "openapi.json")
    check_references(asyncapi, "asyncapi.json")
    check_references(openapi, "openapi.json")
    check_samples(asyncapi, openapi, samples)
    check_topics(asyncapi, samples)
    check_openapi(openapi)
    check_shared(asyncapi, openapi)
    if len(sys.argv) > 3:
        schema = json.loads(pathlib.Path(sys.argv[3]).read_text())
        for error in jsonschema.Draft7Validator(schema).iter_errors(asyncapi):
            path = "/".join(str(part) for part in error.absolute_path)
            problems.append(f"asyncapi.json: {path}: {error.message[:200]}")
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
