"""Tests the files of the visitor's app without a browser. Exits with 0 when all checks pass.

Every module is JavaScript of 2018, and uses only what `interfaces.json` names. That table has for
each interface the first Chrome, Safari and Firefox that has it. The app is for Chrome 70, Safari 13
and Firefox 68. What is younger is marked `asked`: the code looks whether it is there.
"""

import ctypes
import ctypes.util
import functools
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
APP = ROOT / "Services" / "site-editor" / "web" / "app"
HERE = pathlib.Path(__file__).resolve().parent
OLDEST = (70, 13, 68)
# Methods of arrays, texts and elements that are younger than those browsers.
YOUNG = {
    "flatMap", "flat", "replaceAll", "matchAll", "allSettled", "fromEntries", "trimStart",
    "trimEnd", "replaceChildren", "toSorted", "toReversed", "findLast", "structuredClone",
    "randomUUID", "innerHTML", "outerHTML", "insertAdjacentHTML", "write",
}
# Words of code that look like words for people.
CODE = {
    "AbortError", "ArrowDown", "ArrowUp", "Enter", "Escape", "Point", "LineString", "Polygon",
    "MultiPolygon", "Mo", "Tu", "We", "Th", "Fr", "Sa", "Su",
}
PHRASES = {
    "use strict", "noopener noreferrer",
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
}
# The functions whose first argument is a key.
ASKING = re.compile(r"\b(?:t|tn|waitFor)\(\s*'([^']*)'(\s*\+)?")


def modules() -> list[pathlib.Path]:
    files = sorted(APP.glob("*.js"))
    assert len(files) > 20, files
    return files


@functools.cache
def surveyed() -> dict:
    places = "/usr/share/nodejs:/usr/lib/nodejs"
    done = subprocess.run(
        ["node", str(HERE / "read_modules.js"), *map(str, modules())], capture_output=True,
        text=True, timeout=120, env=os.environ | {"NODE_PATH": places})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def every_file_is_of_2018_and_of_known_browsers() -> None:
    table = json.loads((HERE / "interfaces.json").read_text())
    for name, row in table.items():
        versions, asked = row[:3], row[3:] == ["asked"]
        young = any(version > oldest for version, oldest in zip(versions, OLDEST, strict=True))
        assert asked or not young, f"{name} is younger than the browsers that the app is for"
    used = set()
    for path, file in surveyed().items():
        names = set(file["globals"])
        for name in names:
            own = {member for member in file["members"] if member.split(".")[0] == name}
            known = name in table or (own and all(one in table for one in own))
            assert known, f"{path} uses {name} or a member of it, which interfaces.json lacks"
            used |= {name} | own
        young = YOUNG & set(file["methods"])
        assert not young, f"{path} uses {young}"
    left = {name for name in table if name not in used and name.split(".")[0] not in used}
    assert not left, f"interfaces.json has {left}, which nothing uses"


def classes_have_the_methods_that_they_call() -> None:
    for path, file in surveyed().items():
        assert not file["lacking"], f"{path}: nothing gives its class {file['lacking']}"


def files_are_short() -> None:
    for path in modules():
        lines = path.read_text().splitlines()
        # The server takes out lines of comments: a text over several lines could look like one.
        open_ended = [number for number, line in enumerate(lines, 1) if line.count("`") % 2]
        assert not open_ended, f"{path}: a text ends on another line {open_ended}"
        assert len(lines) <= 400, path
        long = [number for number, line in enumerate(lines, 1) if len(line) > 100]
        assert not long, f"{path}: long lines {long}"
        assert lines[0].startswith("// "), f"{path} does not say what it is for"


def styles() -> str:
    return "".join((APP / name).read_text() for name in ("app.css", "live.css", "senses.css"))


def styles_are_of_known_browsers() -> None:
    text = re.sub(r"/\*.*?\*/", "", styles(), flags=re.S)
    for block in re.findall(r"\{([^{}]*)\}", text):
        if re.search(r"display:\s*(inline-)?flex", block):
            assert not re.search(r"(?<![-\w])gap:", block), f"a gap in a flex box: {block}"
    for young in (":has(", ":is(", ":where(", "aspect-ratio", "inset:", "clamp(", "@container"):
        assert young not in text, young
    assert not re.search(r"(?<!repeat\(4, min)(?<![-\w])(min|max)\([^-]*,", text.replace("minmax(", ""))


def languages() -> dict[str, dict[str, str]]:
    files = sorted((APP / "languages").glob("*.json"))
    assert {path.stem for path in files} >= {"en", "cy", "de"}
    return {path.stem: json.loads(path.read_text()) for path in files}


def languages_have_equal_keys_and_placeholders() -> None:
    all_words = languages()
    english = all_words["en"]
    for language, words in all_words.items():
        path = APP / "languages" / f"{language}.json"
        assert words.keys() == english.keys(), (language, words.keys() ^ english.keys())
        assert list(words) == sorted(words), f"{language}.json is not sorted"
        assert len(path.read_text().splitlines()) == len(words) + 2, f"{language}: a key a line"
        for key, text in words.items():
            assert text.strip() == text and text, (language, key)
            holes = [set(re.findall(r"\{(\w+)\}", one)) for one in (text, english[key])]
            assert holes[0] == holes[1], (language, key)


def keys_are_known_and_used() -> None:
    english = languages()["en"]
    literal, prefixes = set(), set()
    for path in modules():
        text = path.read_text()
        for key, more in ASKING.findall(text):
            (prefixes if more else literal).add(key)
        # Keys that stand in tables and choices of the code.
        literal |= {key for key in re.findall(r"'([a-zA-Z]+(?:\.[\w-]+)+)'", text) if key in english}
        prefixes |= set(re.findall(r"'([a-zA-Z.]+\.)' \+", text))
        literal |= {key for key in re.findall(r"t\(\w+ \? '([\w.]+)'", text)}
    of_pages = [key for key in literal | prefixes if key.startswith("page.")]
    assert not of_pages, f"the app does not get {of_pages}"
    for key in literal:
        plural = f"{key}.other" in english
        assert key in english or plural or "." not in key or key.startswith("wait."), key
    for prefix in prefixes:
        assert any(key.startswith(prefix) for key in english), prefix
    unused = [
        key for key in english if key not in literal and not key.startswith("page.")
        and re.sub(r"\.(zero|one|two|few|many|other)$", "", key) not in literal
        and not any(key.startswith(prefix) for prefix in prefixes)]
    assert not unused, f"nothing says {unused}"


# Texts that stand in sentences of others: a full stop of their own would meet the sentence's.
PARTS = ("unit.", "kind.", "barrier.kind.", "age.", "direction.", "source.", "floor.", "language.",
         "spoken.point.", "spoken.thing.", "spoken.floors.", "spoken.metres.")
# The kinds of connection, the rooms of OpenStreetMap and IMDF that buildings have most, and shops.
KINDS = """auditorium bathroom class conference entrance kitchen lobby locker office restaurant shop
stairs storage technical toilet toilets waiting reception corridor area platform lift classroom
conferenceroom elevator escalator firstaid fitnessroom foodservice huddleroom laboratory library
lounge mailroom mothersroom movietheater movingwalkway nonpublic parking phoneroom ramp recreation
restroom restroom.female restroom.male restroom.unisex restroom.family restroom.wheelchair room
serverroom shower steps terrace theater waitingroom walkway atm bank bar cafe cinema clinic
community_centre dentist doctors drinking_water fast_food food_court hospital ice_cream kiosk
kindergarten marketplace parcel_locker pharmacy place_of_worship police post_office pub school
theatre university college vending_machine luggage_locker bureau_de_change arts_centre gallery
museum information hotel bakery beauty bicycle books butcher chemist clothes confectionery
convenience cosmetics department_store dry_cleaning electronics florist gift greengrocer
hairdresser jewelry laundry mall massage mobile_phone newsagent optician shoes sports stationery
supermarket ticket toys travel_agency accountant association company estate_agent financial
government insurance it lawyer ngo fitness_centre sports_centre playground""".split()


def texts_read_well() -> None:
    """No two full stops in a row, no date or kind of machines."""
    source = (ROOT / "Shared/Domain/Site/Records/ConnectionRecord.swift").read_text()
    body = source[source.index("enum Kind"):]
    rows = re.findall(r"case (\w+)(?: = \"([\w-]+)\")?\n", body[:body.index("}")])
    connections = [raw or name for name, raw in rows]
    assert {"door", "platform-lift"} <= set(connections), connections
    for language, words in languages().items():
        for key, text in words.items():
            assert ".." not in text, (language, key)
            assert not re.search(r"\d{4}-\d\d", text), (language, key)
            assert not (key.startswith(PARTS) and text.endswith(".")), f"{language}: {key} ends in a full stop"
        lacking = [one for one in KINDS + connections if f"kind.{one}" not in words]
        assert not lacking, f"{language} has no words for {lacking}"
        if language != "en":
            raw = [one for one in KINDS if "_" in one and words[f"kind.{one}"].lower()
                   == one.replace("_", " ")]
            assert not raw, f"{language} says {raw} in English"
    for path in modules():
        # A day or a time is written by the language alone.
        machine = re.findall(r"text: [^,}]*toISOString", path.read_text())
        assert not machine, f"{path}: {machine}"


def run_on_modules(test: str, names: tuple[str, ...]) -> None:
    """Runs a test of the folder on these modules of the app, with its languages."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "package.json").write_text('{"type": "module"}')
        for name in names:
            shutil.copy(APP / name, folder)
        shutil.copytree(APP / "languages", f"{folder}/languages")
        done = subprocess.run(["node", str(HERE / test), folder], capture_output=True, text=True,
                              timeout=120)
    assert done.returncode == 0, done.stderr


def barriers_are_those_on_the_way() -> None:
    run_on_modules("barriers_test.mjs", ("barrier-ways.js",))


def kept_ways_lead_to_lifts_in_use() -> None:
    run_on_modules("stops_test.mjs", ("offline-network.js", "offline-hours.js"))


def twins_are_told_apart() -> None:
    run_on_modules("twins_test.mjs",
                   ("twins.js", "places.js", "floors.js", "nearest-kinds.js", "service.js",
                    "fetching.js", "words.js"))


def a_kinds_word_finds_the_nearest() -> None:
    run_on_modules("nearest_test.mjs",
                   ("places.js", "floors.js", "nearest-kinds.js", "service.js", "fetching.js",
                    "words.js", "profiles.js", "address.js", "elements.js", "icons.js", "phone.js"))


def addresses_and_lists_lose_nothing() -> None:
    run_on_modules("addresses_test.mjs", tuple(sorted(imported(
        ["form-address.js", "route-refusal.js", "directory-panel.js", "profiles.js"]))))


def a_profile_has_one_name() -> None:
    """Buttons and messages of the app call it the same; the page has its own list."""
    for language, words in languages().items():
        for profile in ("walking", "step-free-preferred", "step-free-strict", "wheelchair"):
            keys = {key for key in words if re.search(rf"\bprofile\b.*\.{profile}$", key)}
            names = keys - {f"page.profile.{profile}", f"profile.about.{profile}"}
            assert names == {f"profile.{profile}"}, (language, names)


def no_sentence_stands_in_the_code() -> None:
    classes = set(re.findall(r"\.(-?[a-z][\w-]*)", styles()))
    classes |= {"map-canvas", "leaflet-zoom-animated", "more", "here"}
    for path, file in surveyed().items():
        for text, line in file["texts"]:
            if text in PHRASES or text in CODE:
                continue
            words = text.split()
            if words and all(word in classes for word in words):
                continue
            sentence = re.search(r"[A-Za-z]{2,} +[A-Za-z]{2,}", text)
            assert not sentence, f"{path}:{line}: {text!r} is for people: it belongs to a language"
            word = re.fullmatch(r"[A-Z][a-z]+", text)
            assert not word, f"{path}:{line}: {text!r} is for people: it belongs to a language"


class Code(ctypes.Structure):
    """A code of libqrencode."""

    _fields_ = [("version", ctypes.c_int), ("width", ctypes.c_int),
                ("data", ctypes.POINTER(ctypes.c_ubyte))]


def qr_codes_are_those_of_another_library() -> None:
    """Each text's code equals libqrencode's with the mask that this one chose."""
    name = ctypes.util.find_library("qrencode")
    if name is None:
        print("left out: there is no libqrencode to compare QR codes with")
        return
    library = ctypes.CDLL(name)
    library.QRcode_encodeData.restype = ctypes.POINTER(Code)
    texts = ["https://example.org/s/" + "x" * size for size in range(0, 245, 7)]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(APP / "qr-code.js", f"{folder}/code.mjs")
        program = pathlib.Path(folder) / "all.mjs"
        program.write_text("""
            import { qrCode } from './code.mjs';
            const all = JSON.parse(process.argv[2]).map((text) => (
                [0, 1, 2, 3, 4, 5, 6, 7].map((mask) => qrCode(text, mask))));
            console.log(JSON.stringify([all, qrCode('x'.repeat(400))]));""")
        done = subprocess.run(["node", str(program), json.dumps(texts)], capture_output=True,
                              text=True, timeout=120, check=True)
    codes, too_long = json.loads(done.stdout)
    assert too_long is None
    versions = set()
    for text, masks in zip(texts, codes, strict=True):
        other = library.QRcode_encodeData(len(text), text.encode(), 0, 0).contents
        versions.add(other.version)
        rows = [[other.data[y * other.width + x] & 1 for x in range(other.width)]
                for y in range(other.width)]
        assert rows in masks, text
    assert versions >= set(range(2, 11)), versions


def imported(names: list[str]) -> set[str]:
    """The modules that these import, and those that they import."""
    found = list(names)
    for name in found:
        text = (APP / name).read_text() if (APP / name).is_file() else ""
        found += [one for one in re.findall(r"from '\./([\w.-]+)'", text) if one not in found]
    return set(found)


def named_files(name: str) -> set[str]:
    """The files that a module asks for by name while it runs; `offline.js` only lists them."""
    path = APP / name
    text = path.read_text() if path.is_file() else ""
    if name == "offline.js":
        text = text[text.index("export"):]
    return {one for one in re.findall(r"'(?:/app/)?([\w-]+\.(?:js|css))'", text)
            if (APP / one).is_file()}


# What a page without the service can't do, and so need not keep.
ONLINE = {"camera-view.js", "staff-barriers.js"}


def a_kept_page_has_all_that_it_needs() -> None:
    """The modules that come only without the service, or only when a panel is opened."""
    text = (APP / "offline.js").read_text()
    kept = re.findall(r"'/app/([\w.-]+\.js)'", text[:text.index("export")])
    assert {"offline-routes.js", "by-ear.js"} <= set(kept), kept
    loaded = imported(["main.js", "later.js", "starting-map.js"]) | {"senses.css"}
    # What the loaded modules ask for by name, such as the line about what is shared, what that
    # imports, and so on.
    needed = set(loaded)
    while True:
        named = {one for name in needed for one in named_files(name)}
        more = imported(sorted((needed | named) - ONLINE))
        if more <= needed:
            break
        needed |= more
    assert {"live-sharing.js", "pairing.js", "twins.js", "preparing-worker.js", "live.css",
            "offline-routes.js"} <= needed, needed
    needed -= {"leaflet.js", "offline-worker.js"}
    listed = set(re.findall(r"'/app/([\w.-]+)'", text[:text.index("export")]))
    missing = needed - loaded - listed
    assert not missing, f"offline.js does not keep {missing}"
    spare = listed - needed - {path.name for path in APP.glob("icon*")}
    assert not spare, f"offline.js keeps {spare}, which nothing asks for"
    assert not listed & loaded, f"offline.js names {listed & loaded}, which are loaded"


def lengths_are_measured_in_one_place() -> None:
    for path in modules():
        if re.search(r"\b111_?[123]\d\d\b", path.read_text()):
            assert path.name == "measuring.js", path


def senses_are_right() -> None:
    """Directions of an arrow, places along a route, and when a step is said."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "package.json").write_text('{"type": "module"}')
        for name in ("measuring.js", "route-track.js", "heading.js", "ear-walk.js",
                     "ear-follow.js", "position-store.js"):
            shutil.copy(APP / name, folder)
        done = subprocess.run(["node", str(HERE / "senses_test.mjs"), folder],
                              capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def distances_are_those_of_the_sentences() -> None:
    """A heading that rounds otherwise than the steps below it contradicts them."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "package.json").write_text('{"type": "module"}')
        for name in ("words.js", "fetching.js"):
            shutil.copy(APP / name, folder)
        shutil.copytree(APP / "languages", f"{folder}/languages")
        table = ROOT / "Tests" / "Domain" / "Golden" / "distances.txt"
        done = subprocess.run(
            ["node", str(HERE / "words_test.mjs"), folder, str(table)],
            capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def first_view_is_small() -> None:
    """What comes before a search can be typed: at most 60 kB, for Leaflet's 42 kB come beside."""
    names = ["main.js"]
    for name in names:
        text = (APP / name).read_text()
        names += [one for one in re.findall(r"from '\./([\w.-]+)'", text)
                  if one not in names and one != "leaflet.js"]
    files = [APP / name for name in [*names, "app.css", "languages/en.json"]]
    size = sum(len(gzip.compress(path.read_bytes(), 9)) for path in files)
    assert size <= 60_000, size


def main() -> int:
    for check in (
        every_file_is_of_2018_and_of_known_browsers, classes_have_the_methods_that_they_call,
        files_are_short, styles_are_of_known_browsers,
        languages_have_equal_keys_and_placeholders, keys_are_known_and_used,
        no_sentence_stands_in_the_code, senses_are_right, a_kept_page_has_all_that_it_needs,
        lengths_are_measured_in_one_place, distances_are_those_of_the_sentences,
        qr_codes_are_those_of_another_library, first_view_is_small, texts_read_well,
        barriers_are_those_on_the_way, twins_are_told_apart,
        a_kinds_word_finds_the_nearest, addresses_and_lists_lose_nothing, a_profile_has_one_name,
        kept_ways_lead_to_lifts_in_use,
    ):
        check()
    return 0


if __name__ == "__main__":
    sys.exit(main())
