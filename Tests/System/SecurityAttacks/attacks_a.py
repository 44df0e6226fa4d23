"""Attacks on the findings A1 to A5 and A7."""

import concurrent.futures
import datetime
import json
import os
import re
import stat
import subprocess
import threading
import time
import uuid

from house_of_attacks import ROOT, attack, control, document, patience, refuse, scan

ZERO = "00000000-0000-7000-8000-000000000000"
LEAST, MOST = -(1 << 63), (1 << 63) - 1


# A1: a token of one site must not become more.


def check_bound(house, answer, what: str):
    """Whatever was issued to site a's administrator must be of site a."""
    if answer.is_good:
        made = answer.json
        refuse(made.get("site") == "a", f"{what}: {answer}")
        other = house.get("/v1/sites/b", made["token"])
        refuse(not other.is_good, f"{what} reads b: {other}")


@attack("A1", "an administrator of one site makes a token of all sites, or of another")
def token_of_more(house):
    mine = house.tokens["administrator-a"]
    orders = [
        {"role": "administrator"}, {"role": "administrator", "site": None},
        {"role": "administrator", "site": ""}, {"role": "analyst", "site": "b"},
        {"role": "gateway", "site": "b"}, {"role": "service"}, {"role": "analyst", "site": "*"},
        {"role": "administrator-of-site", "site": "b"}, {"role": "analyst", "site": "new-one"},
        {"role": "analyst", "site": "b", "buildings": ["house"]},
        {"role": "device", "site": "b", "device": "phone-b"},
        b'{"role":"analyst","site":"a","site":"b"}', b'{"role":"analyst","site":"b","site":"a"}',
        b'{"role":"analyst","\\u0073ite":"b"}', {"role": "analyst", "site": "b\u0000a"},
        {"role": "analyst", "site": " b"}, {"role": "analyst", "site": "B"},
    ]
    for order in orders:
        check_bound(house, house.send("POST", "/v1/tokens", mine, order), str(order))
    for query in ("?site=b", "?issuedBy=x&site=b"):
        answer = house.send("POST", "/v1/tokens" + query, mine, {"role": "analyst"})
        check_bound(house, answer, query)
    beyond = house.query(
        "SELECT count(*) FROM site_editor.tokens child JOIN site_editor.tokens parent"
        " ON child.issued_by = parent.id::text"
        " WHERE parent.site = 'a' AND child.site IS DISTINCT FROM 'a'")
    refuse(beyond == [["0"]], f"{beyond} tokens beyond their issuer")
    made = house.issue("analyst", "a", by=mine)
    control(house.get("/v1/positions", made["token"]).is_good, "its own analyst looks at a")


@attack("A1", "an administrator of one site invites a person as one of all sites, and grants to a stranger")
def person_of_more(house):
    mine = house.tokens["administrator-a"]
    for grants in ([{"role": "administrator"}], [{"role": "administrator", "site": None}],
                   [{"role": "analyst", "site": "b"}],
                   [{"role": "analyst", "site": "a"}, {"role": "analyst", "site": "b"}],
                   [{"role": "administrator-of-site", "site": "b"}]):
        answer = house.send("POST", "/v1/invitations", mine, {"grants": grants})
        refuse(not answer.is_good, f"{grants}: {answer}")

    def joined(grants, name):
        link = house.send("POST", "/v1/invitations", house.owner, {"grants": grants})
        control(link.status == 201, f"the owner invites: {link}")
        account = house.send("POST", "/v1/accounts", "", {
            "secret": link.json["link"].partition("#")[2].rpartition("=")[2],
            "signIn": name, "name": name, "password": "a long and odd one 4711 " + name})
        control(account.is_good, f"{name} joins by {link.json['link']}: {account}")
        return json.loads(house.get("/v1/accounts?limit=1000", house.owner).body)["accounts"]
    # A person of both sites is no affair of one site's administrator alone.
    people = joined([{"role": "analyst", "site": "a"}, {"role": "analyst", "site": "b"}], "both")
    both = next(person["id"] for person in people if person.get("name") == "both")
    before = house.get("/v1/accounts?limit=1000", house.owner).json
    for change in ({"grants": [{"role": "administrator"}]}, {"grants": []},
                   {"grants": [{"role": "administrator-of-site", "site": "b"}]}):
        answer = house.send("PATCH", f"/v1/accounts/{both}", mine, change)
        refuse(not answer.is_good, f"{change}: {answer}")
    house.send("DELETE", f"/v1/accounts/{both}", mine)
    after = house.get("/v1/accounts?limit=1000", house.owner).json
    refuse(before == after, f"accounts were changed: {after}")
    answer = house.send("POST", "/v1/invitations", mine, {"grants": [{"role": "visitor", "site": "a"}]})
    control(answer.status == 201, f"it invites to its own site: {answer}")


@attack("A1", "an administrator of one site lists and revokes the tokens of another")
def tokens_of_others(house):
    mine = house.tokens["administrator-a"]
    victim = house.issue("visitor", "b", note="note-of-b")
    for query in ("", "?site=b", "?site=a&site=b", "?limit=1000", f"?after={ZERO}&limit=1000",
                  "?site=", "?site=%62"):
        answer = house.get("/v1/tokens" + query, mine)
        found = [token["site"] for token in (answer.json or {}).get("tokens", [])]
        refuse(set(found) <= {"a"}, f"{query}: {answer}")
        refuse(b"note-of-b" not in answer.body, f"{query}: {answer}")
    for path in (victim["id"], victim["id"].upper(), f"{victim['id']}?children=true"):
        answer = house.send("DELETE", f"/v1/tokens/{path}", mine)
        refuse(answer.status in (403, 404), f"revokes {path}: {answer}")
    # The issuer of all of them is a token of all sites; its children in b must survive, too.
    root = house.query("SELECT id FROM site_editor.tokens WHERE site IS NULL LIMIT 1")[0][0]
    house.send("DELETE", f"/v1/tokens/{root}?children=true", mine)
    refuse(house.get("/v1/sites/b", victim["token"]).is_good, "the token of b is gone")
    own = house.issue("visitor", "a", by=mine)
    control(house.send("DELETE", f"/v1/tokens/{own['id']}", mine).status == 204, "it revokes its own")


@attack("A1", "a token that ends soon makes one that lasts longer")
def outlives(house):
    soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=5)
    parent = house.issue("administrator", "a", expiresAt=soon.strftime("%Y-%m-%dT%H:%M:%SZ"))
    later = soon + datetime.timedelta(seconds=1)
    for end in (None, later.strftime("%Y-%m-%dT%H:%M:%SZ"), "9999-12-31T23:59:59Z",
                later.strftime("%Y-%m-%dT%H:%M:%S+00:00"), soon.strftime("%Y-%m-%dT%H:%M:%S-23:59"),
                soon.strftime("%Y-%m-%dT%H:%M:%S.999999999Z"), "", 99999999999):
        answer = house.send("POST", "/v1/tokens", parent["token"], {"role": "visitor", "expiresAt": end})
        if answer.is_good:
            refuse(answer.json["expiresAt"][:19] <= parent["expiresAt"][:19], f"{end}: {answer}")
    outliving = house.query(
        "SELECT count(*) FROM site_editor.tokens child JOIN site_editor.tokens parent"
        " ON child.issued_by = parent.id::text WHERE child.expires_at IS NULL"
        " OR child.expires_at > parent.expires_at")
    refuse(outliving == [["0"]], f"{outliving} tokens outlive their issuer")


@attack("A1", "a token issues others in the moment in which it is revoked with its children")
def race_of_revocation(house):
    for _ in range(4):
        parent, made, ending = house.issue("administrator", "a"), [], threading.Event()

        def issue():
            while not ending.is_set():
                answer = house.send("POST", "/v1/tokens", parent["token"], {"role": "visitor"})
                if not answer.is_good:
                    return
                made.append(answer.json["token"])
        threads = [threading.Thread(target=issue) for _ in range(8)]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        gone = house.send("DELETE", f"/v1/tokens/{parent['id']}?children=true", house.owner)
        control(gone.status == 204, f"the owner revokes: {gone}")
        time.sleep(1)
        ending.set()
        for thread in threads:
            thread.join()
        living = house.query(
            f"SELECT count(*) FROM site_editor.tokens WHERE issued_by = '{parent['id']}'"
            " AND revoked_at IS NULL")[0][0]
        use = [token for token in made if house.get("/v1/sites/a", token).is_good]
        refuse(not use, f"{len(use)} of {len(made)} tokens live on, {living} in the table")


# A2: no number may end the process.


@attack("A2", "cursors at and beyond the edges of Int64 and of PostgreSQL's time")
def cursors(house):
    times = [LEAST, LEAST + 1, MOST, MOST - 1, MOST + 1, -62167219200000001, 253402300800000000,
             946684800000000 + LEAST, -(1 << 64), "+1", "٣", "1e9", "0x1", "", " 1", "-0"]
    for token in (house.tokens["device-a"], house.tokens["analyst-a"]):
        for path in ("/v1/positions", "/v1/visits"):
            for at in times:
                cursor = str(at).replace(" ", "%20").replace("٣", "%D9%A3").replace("+", "%2B")
                answer = house.get(f"{path}?after={cursor}~{ZERO}", token)
                refuse(answer.status in (200, 400), f"{path} {at}: {answer}")
            for cursor in ("~", "~~", f"1~{ZERO}~1", "%00~%00", f"1~{'f' * 4000}", "1"):
                answer = house.get(f"{path}?after={cursor}", token)
                refuse(answer.status == 400, f"{path} {cursor}: {answer}")
    control(house.get(f"/v1/positions?after=1780000000000000~{ZERO}",
                      house.tokens["analyst-a"]).is_good, "a good cursor is read")


@attack("A2", "times at the edges in queries, scans, outages, tokens and routes")
def times(house):
    edges = ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00%2B23:59", "9999-12-31T23:59:59.999999Z",
             "9999-12-31T23:59:59.999999-23:59", "9999-12-31T23:59:60Z", "-0001-01-01T00:00:00Z",
             "292277-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "1582-10-10T00:00:00Z"]
    analyst = house.tokens["analyst-a"]
    for edge in edges:
        for query in (f"from={edge}", f"until={edge}", f"from={edge}&until={edges[2]}",
                      f"from={edges[0]}&until={edge}"):
            for path in ("/v1/positions", "/v1/visits"):
                answer = house.get(f"{path}?{query}", analyst)
                refuse(answer.status in (200, 400, 422), f"{path}?{query}: {answer}")
        for path in ("replay?seconds=600&", "room-hours?", "visit-summary?"):
            for query in (f"from={edge}", f"from={edge}&until={edges[2]}", f"from={edges[0]}&until={edge}"):
                answer = house.get(f"/v1/sites/a/{path}{query}", analyst)
                refuse(answer.status in (200, 400, 422), f"{path}{query}: {answer}")
        edge = edge.replace("%2B", "+")
        for method, path, token, body in (
                ("POST", "/v1/scans", "device-a", scan(5, 4) | {"at": edge}),
                ("POST", "/v1/scans", "device-a", scan(5, 4) | {"sentAt": edge}),
                # The time of the scan by our clock is its own, moved by what the sender's clock is off.
                ("POST", "/v1/scans", "device-a", scan(5, 4) | {"at": edge, "sentAt": edges[0]}),
                ("POST", "/v1/scans", "device-a", scan(5, 4) | {"at": edges[0], "sentAt": edge}),
                ("POST", "/v1/outages", "surveyor-a", {
                    "site": "a", "connection": "door-ab", "startsAt": edge, "endsAt": edge,
                    "from": edge, "until": edge}),
                ("POST", "/v1/tokens", "administrator-a", {"role": "visitor", "expiresAt": edge}),
                ("POST", "/v1/routes", "visitor-a", {
                    "site": "a", "from": {"room": "a"}, "to": {"room": "b"}, "at": edge,
                    "departAt": edge})):
            answer = house.send(method, path, house.tokens[token], body)
            refuse(answer.status < 500 and answer.status, f"{method} {path} {body}: {answer}")
    refuse(house.locates(), "no scan is located any more")


@attack("A2", "whole numbers at the edges of Int64, in every place that takes one")
def numbers(house):
    numbers = [str(number) for number in (LEAST, MOST, LEAST - 1, MOST + 1, 1 << 64, 1 << 200)] + [
        "1e400", "-1e400", "1e308", "-0", "5e-324", "9.3e18", "-9223372036854775808.5"]
    device, surveyor = house.tokens["device-a"], house.tokens["surveyor-a"]
    for number in numbers:
        bodies = [
            f'{{"steps": {number}}}', f'{{"headingDegrees": {number}, "steps": 1}}',
            f'{{"steps": 1, "speedMetresPerSecond": {number}}}',
            f'{{"steps": 1, "pressureHectopascals": {number}}}',
            f'{{"magnetic": [{number}, {number}, {number}]}}',
            f'{{"magneticSamples": [[{number}, 1, 2, 3], [{number}, 1, 2, 3]], "stepsAt": [{number}]}}',
            f'{{"magneticSamples": [[0, 1, 2, 3], [{number}, 1, 2, 3]], "stepsAt": [0, {number}]}}',
            f'{{"wifi": [{{"bssid": "02:00:00:00:00:01", "rssi": {number}, "frequency": {number}}}]}}',
            f'{{"ble": [{{"uuid": "{ZERO}", "major": {number}, "minor": {number}, "rssi": {number}}}]}}',
            f'{{"gnss": {{"latitude": {number}, "longitude": {number}, "accuracy": {number}}}}}']
        for body in bodies:
            answer = house.send("POST", "/v1/scans", device, body.encode())
            refuse(answer.status in (202, 400, 422, 429), f"{body}: {answer}")
            answer = house.send("POST", "/v1/locate", house.tokens["visitor-a"], body.encode())
            refuse(answer.status < 500 and answer.status, f"locate {body}: {answer}")
        body = f'{{"device": "surveying-a", "place": {{"floor": "ground", "x": {number}, "y": {number}}},' \
               '"wifi": [{"bssid": "02:00:00:00:00:01", "rssi": -50}]}'
        answer = house.send("POST", "/v1/surveys", surveyor, body.encode())
        refuse(answer.status < 500 and answer.status, f"{body}: {answer}")
        for path in (f"/v1/positions?limit={number}", f"/v1/sites/a/map?width={number}",
                     f"/v1/sites/a/survey-coach?count={number}", f"/v1/tokens?limit={number}",
                     f"/v1/sites/a/radio-map?version={number}", f"/v1/sites/a/versions/{number}",
                     f"/v1/sites/a/measurements?accessPoint=02:00:00:00:00:01&after={number}",
                     f"/v1/sites/a/search?q=a&limit={number}", f"/v1/sites/a/search?q=a&x={number}",
                     f"/v1/sites/a/current-building?latitude={number}&longitude={number}",
                     f"/v1/sites/a/current-building?latitude=51.5&longitude=0&state={number}~a~{number}~b",
                     f"/v1/sites/a/floors/ground/map?width={number}"):
            answer = house.get(path, house.owner)
            refuse(answer.status < 500 and answer.status, f"{path}: {answer}")
    refuse(house.locates(), "no scan is located any more")


@attack("A2", "places in the stream that no log has")
def stream_places(house):
    for place in (f"{MOST}", f"{LEAST}", ",".join([str(MOST)] * 12), ",".join(["-1"] * 12),
                  ".".join([str(MOST)] * 12), f"0-{MOST}", ",".join(["0"] * 5000)):
        for head, query in ((f"Last-Event-ID: {place}\r\n", ""), ("", f"?since={place}"),
                            ("", f"?lastEventId={place}")):
            answer = house.raw(
                f"GET /v1/positions/stream{query} HTTP/1.1\r\nHost: x\r\n{head}Authorization: Bearer "
                f"{house.tokens['analyst-a']}\r\n\r\n".encode(), 0.15)
            refuse(not answer.startswith(b"HTTP/1.1 5") or b" 503 " in answer[:20],
                   f"{place[:60]}: {answer[:300]}")
    house.check_alive()


# A3: no text may stop the view of surveys.


def builds(house, what: str):
    """A good survey must come into the map of the site, whatever was sent before."""
    path, token = "/v1/sites/b/radio-map", house.tokens["surveyor-b"]
    id_ = str(uuid.uuid4())
    good = house.survey(len(what), "b", id=id_)
    control(good.status == 202, f"a good survey is taken: {good}")
    try:
        house.wait("it is in the view", 20, lambda: house.query(
            f"SELECT 1 FROM fingerprint_builder.surveys WHERE id = '{id_}'"))
        count = house.get(path, token).json["surveys"]
        control(count > 0, "surveys are counted")
        house.wait("there is a map", 20, lambda: (house.get(path, token).json or {}).get("radioMap"))
    except AssertionError as error:
        refuse(False, f"after {what}: {error}: {house.get(path, token)}")


@attack("A3", "U+0000 and its like in SSIDs, escaped, raw and as broken UTF-8")
def zero_in_ssid(house):
    place = b'"device": "surveying-b", "place": {"floor": "ground", "x": 1, "y": 1}'
    for ssid in (b"\\u0000", b"\\u0000" * 32, b"a\\u0000b", b"\\ud800", b"\\udc00\\ud800", b"\\uffff",
                 b"\x00", b"\xc0\x80", b"\xed\xa0\x80", b"\xff\xfe", b"\xf4\x90\x80\x80", b"\\u001b[2J",
                 b"\\u202e", "\U0001f600".encode() * 32, b"'; DROP TABLE x; --", b"{NULL}"):
        body = b'{%s, "wifi": [{"bssid": "02:00:00:00:00:01", "rssi": -50, "ssid": "%s"}]}' % (place, ssid)
        answer = house.send("POST", "/v1/surveys", house.tokens["surveyor-b"], body)
        refuse(answer.status in (202, 400, 422), f"{ssid}: {answer}")
    builds(house, "odd SSIDs")


@attack("A3", "U+0000 in all other text of surveys and scans")
def zero_elsewhere(house):
    zero, wifi = "x\u0000y", [{"bssid": "02:00:00:00:00:01", "rssi": -50}]
    place = {"floor": "ground", "x": 1, "y": 1}
    good = {"device": "surveying-b", "wifi": wifi, "place": place}
    for change in ({"device": zero}, {"scanner": zero}, {"site": zero}, {"id": zero},
                   {"place": {"location": zero}}, {"place": place | {"floor": zero}},
                   {"place": place | {"building": zero}}, {"place": place | {"room": zero}},
                   {"heardBy": [{"scanner": zero, "rssi": -50}]}, {"note": zero},
                   {"ble": [{"uuid": zero, "major": 1, "minor": 1, "rssi": -5}]},
                   {"ble": [{"address": "02:00:00:00:00:01", "name": zero, "rssi": -5}]},
                   {"wifi": [{"bssid": zero, "rssi": -50}]}, {zero: zero}, {"truth": zero},
                   {"wifi": [{"bssid": "02:00:00:00:00:01", "rssi": -50, zero: zero}]}):
        for path, token in (("/v1/surveys", "administrator-b"), ("/v1/scans", "administrator-b")):
            answer = house.send("POST", path, house.tokens[token], good | change)
            refuse(answer.status in (202, 400, 404, 422), f"{path} {change}: {answer}")
    builds(house, "zeros elsewhere")
    refuse(house.locates("b"), "no scan of b is located any more")


@attack("A3", "U+0000 in whatever else is kept or looked up")
def zero_in_records(house):
    zero, mine = "x\u0000y", house.tokens["administrator-b"]
    wrong = []
    for method, path, body in (
            ("POST", "/v1/invitations", {"note": zero, "grants": [{"role": "visitor", "site": "b"}]}),
            ("POST", "/v1/accounts", {"secret": zero, "signIn": zero, "name": zero, "password": zero * 9}),
            ("POST", "/v1/session", {"signIn": zero, "password": zero}),
            ("POST", "/v1/outages", {"site": "b", "connection": "door-ab", "reason": zero, "note": zero}),
            ("PATCH", "/v1/sites/b", {"name": zero}),
            ("PUT", "/v1/sites/b/rooms/zero", {"floor": "ground", "name": zero, "kind": zero, "outline": [
                [0, 0], [1, 0], [1, 1]], zero: zero}),
            ("POST", "/v1/magnetic-routes", {"site": "b", "name": zero}),
            ("GET", "/v1/sites/b/search?q=%00", None), ("GET", "/v1/positions?device=%00", None),
            ("GET", "/v1/sites/b/surveys?author=%00", None), ("GET", "/v1/tokens?issuedBy=%00", None),
            ("GET", "/v1/sites/b/measurements?accessPoint=%00", None),
            ("GET", "/v1/sites/b/rooms/%00", None), ("DELETE", "/v1/sites/b/surveys?author=%00", None),
            ("GET", "/v1/media/%00", None), ("GET", "/v1/outages?site=%00", None),
            ("GET", "/v1/visits?zone=%00&site=b", None), ("GET", "/v1/visits?%00=%00&site=b", None),
            ("GET", "/v1/sites/b/current-building?latitude=51&longitude=0&state=1~%00", None)):
        answer = house.send(method, path, mine, body, {"if-match": "*"} if method in (
            "PUT", "PATCH") else None)
        if answer.status >= 500 or answer.status == 0:
            wrong.append(f"{method} {path} {body}: {answer}")
    refuse(not wrong, "; ".join(wrong))
    builds(house, "zeros in records")


@attack("A3", "a token's note with U+0000 keeps tokens from being listed and used")
def zero_in_note(house):
    since = house.log_size()
    made = house.send("POST", "/v1/tokens", house.tokens["administrator-b"], {
        "role": "visitor", "note": "x\u0000y"})
    refuse(made.status in (201, 400, 422), f"{made}")
    try:
        good = house.token("visitor", "b")
        control(house.get("/v1/sites/b", good).is_good, "a token that is made next holds")
        for token in (house.owner, house.tokens["administrator-b"]):
            answer = house.get("/v1/tokens?limit=1000", token)
            refuse(answer.is_good, f"tokens are not listed any more: {answer}")
        if made.is_good:
            used = house.get("/v1/sites/b", made.json["token"])
            said = [line for line in house.log_lines(since) if "is no token" in line]
            refuse(used.is_good, f"it was issued with 201 and is refused: {used}; {said}")
    finally:
        # Nobody else's lists shall suffer.
        if made.is_good:
            house.send("DELETE", f"/v1/tokens/{made.json['id']}", house.owner)


# A4: a device does not write the radio map.


def kept_surveys(house, site: str) -> int:
    return int(house.query(
        f"SELECT count(*) FROM fingerprint_builder.surveys WHERE site = '{site}'")[0][0])


@attack("A4", "a device sends surveys: as one, in lines, as another method, as a scan with a place")
def device_surveys(house):
    records = 'SELECT count(*) FROM log."whereabouts.survey-records"'
    before = house.query(records)
    body = scan(5, 4) | {"place": {"floor": "ground", "x": 15, "y": 4}}
    lines = (json.dumps(body) + "\n").encode() * 2
    token = house.tokens["device-a"]
    for what, answer in (
            ("one", house.send("POST", "/v1/surveys", token, body)),
            ("lines", house.send("POST", "/v1/surveys", token, lines)),
            ("site", house.send("POST", "/v1/surveys", token, body | {"site": "a", "device": "phone-a"})),
            ("slash", house.send("POST", "/v1/surveys/", token, body)),
            ("twice", house.send("POST", "//v1/surveys", token, body)),
            ("dots", house.send("POST", "/v1/scans/../surveys", token, body)),
            ("encoded", house.send("POST", "/v1/%73urveys", token, body)),
            ("scanner", house.send("POST", "/v1/surveys", house.token(
                "scanner", "a", device="pi"), body)),
            ("gateway", house.send("POST", "/v1/surveys", house.token("gateway", "a"), body | {
                "device": "phone-a"}))):
        refuse(answer.status in (400, 401, 403, 404, 405), f"{what}: {answer}")
    for headers in ({"x-http-method-override": "POST"}, {"x-original-url": "/v1/surveys"}):
        house.send("POST", "/v1/scans", token, body, headers)
    house.send("POST", "/v1/scans", token, body | {"survey": True, "type": "survey-recorded"})
    time.sleep(1)
    refuse(house.query(records) == before, "surveys in the log")
    # Waited for: the attacks that follow count what the view holds.
    kept = kept_surveys(house, "a")
    control(house.survey(3).status == 202, "a surveyor's is taken")
    house.wait("a surveyor's is kept", 25, lambda: kept_surveys(house, "a") > kept)


@attack("A4", "a surveyor of one site surveys another, and withdraws and accepts what is not his")
def foreign_surveyor(house):
    mine = house.tokens["surveyor-b"]
    before = kept_surveys(house, "a")
    body = scan(5, 4) | {"place": {"floor": "ground", "x": 15, "y": 4}}
    for change in ({"site": "a", "device": "surveying-a"}, {"site": "a", "device": "surveying-b"},
                   {"site": "a"}, {"device": "surveying-a"}):
        answer = house.send("POST", "/v1/surveys", mine, body | change)
        refuse(not answer.is_good, f"{change}: {answer}")
    raw = json.dumps(body | {"device": "surveying-b"})[:-1] + ', "site": "b", "site": "a"}'
    answer = house.send("POST", "/v1/surveys", mine, raw.encode())
    refuse(not answer.is_good, f"two sites: {answer}")
    listed = house.get("/v1/sites/a/surveys?limit=1", house.tokens["analyst-a"])
    survey = (listed.json or {}).get("surveys", [{}])[0].get("id")
    control(bool(survey), f"surveys are listed: {listed}")
    other = house.token("surveyor", "a")
    for method, path, token, order in (
            ("DELETE", f"/v1/sites/a/surveys/{survey}", other, None),
            ("DELETE", f"/v1/sites/b/surveys/{survey}", mine, None),
            ("DELETE", f"/v1/sites/b/surveys/{survey}", house.tokens["administrator-b"], None),
            ("DELETE", "/v1/sites/a/surveys?author=" + house.query(
                "SELECT id FROM site_editor.tokens WHERE site = 'a' AND role = 'surveyor' LIMIT 1"
            )[0][0], house.tokens["administrator-b"], None),
            ("POST", "/v1/sites/a/survey-reviews", house.tokens["surveyor-a"], {
                "decision": "accept", "surveys": [survey]}),
            ("POST", "/v1/sites/b/survey-reviews", house.tokens["administrator-b"], {
                "decision": "reject", "surveys": [survey]})):
        answer = house.send(method, path, token, order)
        if answer.status == 202 and "/sites/b/" in path:
            # What it says of its own site must not count in another.
            continue
        refuse(answer.status in (403, 404), f"{method} {path}: {answer}")
    time.sleep(2)
    refuse(kept_surveys(house, "a") == before, "surveys of a became more")
    gone = house.query("SELECT count(*) FROM fingerprint_builder.withdrawn_surveys")
    count = house.get("/v1/sites/a/radio-map", house.tokens["surveyor-a"]).json["surveys"]
    refuse(gone == [["0"]] and count >= 24, f"withdrawn: {gone}, in the map: {count}")


@attack("A4", "surveys 100 km away and of another floor's signals move those who are there")
def far_away(house):
    def located():
        answer = house.send("POST", "/v1/locate", house.tokens["device-a"], scan(5, 4))
        return answer.json
    before = located()
    for x, y in ((99_000, 99_000), (456, 4), (-99_999, 0), (60, 60)):
        for _ in range(10):
            house.send("POST", "/v1/surveys", house.tokens["surveyor-a"], scan(5, 4) | {
                "device": "surveying-a", "place": {"floor": "ground", "x": x, "y": y}})
    # The map is built after a second of quiet; a good survey shows that it was.
    count = house.get("/v1/sites/a/radio-map", house.tokens["surveyor-a"]).json["surveys"]
    house.survey(9)
    house.wait("the map is built", 25, lambda: house.get(
        "/v1/sites/a/radio-map", house.tokens["surveyor-a"]).json["surveys"] > count)
    time.sleep(2)
    after = located()

    def place(answer):
        found = (answer or {}).get("place") or (answer or {}).get("position") or answer or {}
        return found.get("x"), found.get("y")
    control(place(before)[0] is not None, f"a place is told: {before}")
    moved = max(abs(a - b) for a, b in zip(place(before), place(after))) \
        if place(after)[0] is not None else 1e9
    refuse(moved < 3, f"from {before} to {after}")


@attack("A4", "surveys make the radio map too large to be loaded")
def large_map(house):
    since = house.log_size()
    answer = house.send("PUT", "/v1/sites/large", house.owner, document("large"))
    control(answer.is_good, f"publishes a site: {answer}")
    mine = house.token("surveyor", "large")
    house.token("device", "large", device="surveying-large")
    house.survey(0, "large", mine)
    # 272 surveys with 1,000 names of 64 letters each, none of them twice, make some 18 MB of map.
    taken = 0
    for part in range(8):
        batch = [{"device": "surveying-large",
                  "heardBy": [{"scanner": f"{part * 34 + number:03d}-{name:03d}-{'n' * 56}", "rssi": -50}
                              for name in range(1000)],
                  "place": {"floor": "ground", "x": 1 + (part * 34 + number) % 19,
                            "y": 1 + number % 7}} for number in range(34)]
        answer = house.send("POST", "/v1/surveys", mine, batch)
        taken += (answer.json or {}).get("accepted", 0) if answer.is_good else 0
    control(taken >= 250, f"{taken} large surveys are taken")
    path = "/v1/sites/large/radio-map"
    house.wait("they are in the view", 30, lambda: kept_surveys(house, "large") >= taken)

    def largest() -> int:
        return int(house.query(
            "SELECT coalesce(max(length(bytes)), 0) FROM radio_maps.artifacts")[0][0])
    house.wait("the map is refused, or built", 90, lambda: largest() > 15 << 20 or any(
        "radio map of large would have" in line for line in house.log_lines(since)))
    answer = house.get(path, house.owner)
    refuse(largest() <= 15 << 20, f"{taken} surveys make a map of {largest()} bytes: {answer}")
    refuse(house.locates(), "no scan of another site is located any more")
    house.send("DELETE", "/v1/sites/large", house.owner, headers={"if-match": "*"})


# A5: one device must not take what all share.


def fresh_device(house, site: str = "a") -> tuple[str, str]:
    name = f"hungry-{uuid.uuid4().hex[:8]}"
    return name, house.token("device", site, device=name)


def records_of(house, device: str) -> int:
    return int(house.query(
        f"""SELECT count(*) FROM log."whereabouts.scans" WHERE value LIKE '%"{device}"%'""")[0][0])


@attack("A5", "a thousand scans that heard nothing, as an array and as lines")
def empty_scans(house):
    name, token = fresh_device(house)
    for body in (b"[" + b",".join([b"{}"] * 1000) + b"]", b"{}\n" * 1000,
                 b"[" + b",".join([b'{"wifi":[],"ble":[],"heardBy":[]}'] * 1000) + b"]",
                 b"[" + b",".join([b'{"stepsAt":[],"magneticSamples":[],"gnss":null}'] * 1000) + b"]"):
        answer = house.send("POST", "/v1/scans", token, body)
        refuse(not answer.is_good or answer.json["accepted"] == 0, f"{body[:60]}: {answer}")
    time.sleep(1)
    refuse(records_of(house, name) == 0, "records")
    control(house.send("POST", "/v1/scans", fresh_device(house)[1], scan(5, 4)).status == 202,
            "a scan with readings is taken")


@attack("A5", "the quota of records, by one large batch and by many connections at once")
def quota(house):
    name, token = fresh_device(house)
    began = time.monotonic()

    def send(number: int):
        body = [scan(5, 4) for _ in range(1000 if number == 0 else 40)]
        answer = house.send("POST", "/v1/scans", token, body)
        return (answer.json or {}).get("accepted", 0) if answer.is_good else 0
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        accepted = sum(pool.map(send, range(48)))
    allowed = 50 + 5 * (time.monotonic() - began) + 5
    refuse(accepted <= allowed, f"{accepted} scans were taken, not {allowed:.0f}")
    time.sleep(1)
    refuse(records_of(house, name) <= allowed, f"{records_of(house, name)} records")
    refuse(house.locates(), "another device is not located")


@attack("A5", "long and strange traceparents are copied into each record")
def traceparent(house):
    name, token = fresh_device(house)
    good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    marks = []
    for number, value in enumerate((
            "MARK" * 3000, good + "MARK", good + "-" + "MARK" * 2000, good[:-4] + "MARK",
            "MARK-" + good, f"{good}, MARK", good.upper(), "ff" + good[2:], good[:3] + "0" * 32 + good[35:])):
        marks.append(value)
        house.send("POST", "/v1/scans", token, [scan(5, 4)] * 2, {"traceparent": value})
    house.raw(f"POST /v1/scans HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\ntraceparent: {good}"
              f"\r\ntraceparent: MARK\r\nContent-Length: 12\r\nConnection: close\r\n\r\n"
              '{"steps": 1}'.encode(), 3)
    fine, fine_token = fresh_device(house)
    house.send("POST", "/v1/scans", fine_token, scan(5, 4), {"traceparent": good})
    house.wait("scans are in the log", 10, lambda: records_of(house, fine) > 0)
    time.sleep(1)
    found = {row[0] for row in house.query(
        "SELECT DISTINCT coalesce(headers->>'traceparent', '') FROM log.\"whereabouts.scans\"") if row}
    control(good in found, f"a good one is kept: {found}")
    bad = [value[:80] for value in found if value not in ("", good)]
    refuse(not bad, f"{bad}")
    longest = int(house.query('SELECT coalesce(max(length(headers::text)), 0) FROM log."whereabouts.positions"')[0][0])
    refuse(longest < 1000, f"headers of {longest} letters with a position")


@attack("A5", "a hundred bodies of four megabytes that do not end")
def unfinished_bodies(house):
    _, token = fresh_device(house)
    house.get("/healthz")
    before, streams = house.memory(), []
    head = (f"POST /v1/scans HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
            "Content-Type: application/json\r\nContent-Length: 4000000\r\n\r\n[").encode()
    part, most = b" " * 500_000, before
    try:
        for _ in range(100):
            stream = house.connect(2)
            streams.append(stream)
            try:
                stream.sendall(head)
                for _ in range(7):
                    stream.sendall(part)
            except OSError:
                pass
            most = max(most, house.memory())
        time.sleep(1)
        most = max(most, house.memory())
        refuse(house.get("/healthz", seconds=5).status == 200, "no health while bodies come")
        refuse(house.locates(), "another device is not located while bodies come")
    finally:
        for stream in streams:
            stream.close()
    refuse(most - before < 160 << 20, f"{(most - before) >> 20} MiB of {len(streams)} bodies by one token")


@attack("A5", "malformed bodies of four megabytes hold up the only HTTP thread")
def malformed_bodies(house):
    _, token = fresh_device(house)
    bodies = [b"[" * 4_000_000, b'{"a":' * 800_000, b'"' + b"\\u0000" * 690_000, b"1" * 4_000_000,
              b'{"x":"' + b"\xff" * 4_000_000, b"{}\n" * 1_300_000, b"{}{" * 1_300_000,
              b"[" + b"{}," * 1_300_000]
    ending, slowest = threading.Event(), [0.0]

    def watch():
        while not ending.is_set():
            began = time.monotonic()
            answer = house.get("/healthz", seconds=20)
            slowest[0] = max(slowest[0], time.monotonic() - began if answer.status == 200 else 99)
            time.sleep(0.05)
    watcher = threading.Thread(target=watch)
    watcher.start()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda body: house.send("POST", "/v1/scans", token, body), bodies))
    ending.set()
    watcher.join()
    refuse(all(answer.status < 500 for answer in answers), f"{answers}")
    refuse(slowest[0] < patience(5), f"health took {slowest[0]:.1f} s")


# A7: the log and the database are not the root of trust.


def psql(house, role: str, sql: str) -> tuple[bool, str]:
    done = subprocess.run(
        ["psql", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d",
         f"postgresql://{role}@/postgres?host={house.postgres.folder}", "-c", sql],
        # A role that only reads by its settings can set them otherwise.
        env=os.environ | {"PGOPTIONS": "-c default_transaction_read_only=off"},
        capture_output=True, text=True, check=False)
    return done.returncode == 0, (done.stdout + done.stderr).strip()


def make_roles(house):
    """Whereabouts' own step, once; the roles of each service and of an analyst."""
    folder = house.folder / "roles"
    if folder.exists():
        return folder
    folder.mkdir()
    done = subprocess.run(
        house.command("database-roles", "--directory", str(folder), "scan-ingest", "site-editor",
         "fingerprint-builder", "locator", "router", "serve"),
        env=house.environment | {"WHEREABOUTS_ANALYST_PASSWORD": "an analyst's password 1"},
        capture_output=True, text=True, check=False)
    control(done.returncode == 0, f"database-roles: {done.stderr}")
    # The log's server lets everybody in by any name; here the roles must let in what they can.
    for role in ("scan_ingest", "router"):
        control(psql(house, f"whereabouts_{role}", "SELECT 1")[0], f"{role} logs in")
    return folder


def undone(sql: str) -> str:
    """Nothing that gets through shall stay."""
    return sql if "SYSTEM" in sql or "PROGRAM" in sql else f"BEGIN; {sql}; ROLLBACK"


INTRUSIONS = {
    "runs a program": "COPY (SELECT 1) TO PROGRAM 'true'",
    "reads a file": "SELECT pg_read_file('/etc/passwd')",
    "writes a file": "COPY (SELECT 1) TO '/tmp/whereabouts-attack'",
    "makes a role": "CREATE ROLE intruder SUPERUSER",
    "makes itself superuser": "ALTER ROLE CURRENT_USER SUPERUSER",
    "becomes the owner": "SET ROLE whereabouts",
    "reads passwords": "SELECT rolpassword FROM pg_authid",
    "makes a function in public": "CREATE FUNCTION public.evil() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "makes an extension": "CREATE EXTENSION IF NOT EXISTS dblink",
    "changes the server": "ALTER SYSTEM SET log_statement = 'all'",
    "forgets migrations": "DO $$ BEGIN DELETE FROM public.migrations WHERE true;"
                          " IF NOT FOUND THEN RAISE 'nothing'; END IF; END $$",
}


@attack("A7", "an analyst's role reads secrets, writes, or gets out of the database")
def analyst_role(house):
    make_roles(house)
    role = "whereabouts_analyst"
    for sql in ("SELECT count(*) FROM locator.positions", "SELECT count(*) FROM visits.visits",
                'SELECT count(*) FROM log."whereabouts.positions"'):
        good, said = psql(house, role, sql)
        control(good, f"the analyst reads: {said}")
    secrets = {
        "tokens": "SELECT hash FROM site_editor.tokens",
        "accounts": "SELECT * FROM site_editor.accounts",
        "scans": 'SELECT value FROM log."whereabouts.scans"',
        "tokens of the log": 'SELECT value FROM log."whereabouts.tokens"',
        "records below the views": "SELECT * FROM log.records_1 LIMIT 1",
        "surveys": "SELECT * FROM fingerprint_builder.surveys",
        "sessions": "SELECT * FROM site_editor.session_keys",
        "makes itself administrator": "INSERT INTO site_editor.tokens (id, hash, role, note, issued_at)"
                                      " VALUES (gen_random_uuid(), 'x', 'administrator', '', now())",
        "deletes": "DELETE FROM locator.positions", "truncates": "TRUNCATE visits.visits",
        "becomes a service": "SET ROLE whereabouts_site_editor",
        "becomes the log": "SET ROLE whereabouts_log",
        "makes a schema": "CREATE SCHEMA intruder",
        "makes a topic": "SELECT log.create_topic('x', 1, 'delete', 1, 1, 1)",
    }
    through = [what for what, sql in (secrets | INTRUSIONS).items()
               if psql(house, role, undone(sql))[0]]
    for topic in [row[0] for row in house.query("SELECT id FROM log.topics")]:
        if psql(house, role, undone(f"SELECT * FROM log.append_{topic}('{{0}}', '{{1}}', '{{0}}', '{{0}}',"
                                    " '{x}', '{x}', '{\"\"}')"))[0]:
            through.append(f"appends to topic {topic}")
    refuse(not through, f"the analyst {through}")


@attack("A7", "the role of one service writes tokens, reads another's tables, or gets out of the database")
def service_roles(house):
    folder, through = make_roles(house), []
    tables = {
        "site_editor": "site_editor.tokens", "fingerprint_builder": "fingerprint_builder.surveys",
        "locator": "locator.positions"}
    for role in ("scan_ingest", "router", "locator", "fingerprint_builder", "site_editor", "serve"):
        attempts = INTRUSIONS | {"forgets migrations": (
            # Of what it owns, or what the log's role owns where the log is here, it may.
            "DO $$ BEGIN DELETE FROM public.migrations WHERE schema NOT IN (SELECT nspname::text"
            " FROM pg_namespace WHERE pg_has_role(current_user, nspowner, 'MEMBER'));"
            " IF NOT FOUND THEN RAISE 'nothing'; END IF; END $$")}
        for owner, table in tables.items():
            if role not in (owner, "serve"):
                attempts[f"reads {table}"] = f"SELECT * FROM {table} LIMIT 1"
                attempts[f"empties {table}"] = f"DELETE FROM {table} WHERE false"
                attempts[f"becomes {owner}"] = f"SET ROLE whereabouts_{owner}"
        if role not in ("site_editor", "serve"):
            attempts["makes itself administrator"] = (
                "INSERT INTO site_editor.tokens (id, hash, role, note, issued_at)"
                " VALUES (gen_random_uuid(), 'x', 'administrator', '', now())")
            attempts["fills the outbox"] = "INSERT INTO site_editor.outbox DEFAULT VALUES"
        for what, sql in attempts.items():
            if psql(house, f"whereabouts_{role}", undone(sql))[0]:
                through.append(f"{role} {what}")
    refuse(not through, f"{through}")
    for role, table in tables.items():
        good, said = psql(house, f"whereabouts_{role}", f"SELECT count(*) FROM {table}")
        control(good, f"{role} reads its own: {said}")


@attack("A7", "passwords of roles are guessed, shared, readable or stored as they are")
def role_passwords(house):
    folder = make_roles(house)
    found = []
    for path in sorted(folder.rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        refuse(mode & 0o077 == 0, f"{path.relative_to(folder)} has the mode {mode:o}")
        if path.name == "url":
            password = re.search(r"://[^:]+:([^@]+)@|password=([^&\s]+)", path.read_text())
            control(password is not None, f"{path} has a password: {path.read_text()}")
            found.append(password.group(1) or password.group(2))
    refuse(len(set(found)) == len(found) == 6, f"{len(set(found))} passwords of {len(found)} roles")
    refuse(all(len(password) >= 22 for password in found), "a short password")
    rows = house.query(
        "SELECT rolname, rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls,"
        " coalesce(left(rolpassword, 14), 'none'), rolcanlogin FROM pg_authid"
        " WHERE rolname LIKE 'whereabouts\\_%'")
    for name, is_mighty, secret, may_enter in rows:
        refuse(is_mighty == "f", f"{name} may more than it needs")
        refuse(secret == "SCRAM-SHA-256$" or may_enter == "f", f"{name}: {secret}")
    log = (house.folder / "postgres.log").read_text(errors="replace")
    refuse(not any(password in log for password in found), "a password in PostgreSQL's log")
    refuse(not any(password in line for password in found for line in house.log_lines()),
           "a password in our log")


def produce(house, key: str, value: bytes, headers: dict[str, bytes]):
    """Appends to scans-inbound as a producer of one's own would."""
    topic = house.query("SELECT id FROM log.topics WHERE name LIKE '%scans-inbound'")[0][0]
    packed = b""
    for name, text in headers.items():
        packed += len(name).to_bytes(2, "little") + name.encode()
        packed += len(text).to_bytes(4, "little") + text

    def quoted(data: bytes) -> str:
        return f"ARRAY['\\x{data.hex()}'::bytea]"
    sql = (f"SELECT * FROM log.append_{topic}(ARRAY[0], ARRAY[1::bigint], ARRAY[0], ARRAY[0::bigint],"
           f" {quoted(key.encode())}, {quoted(value)}, {quoted(packed)})")
    script = house.folder / "produce.sql"
    script.write_text(sql)
    subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", house.postgres.socket, "-f",
                    str(script)], check=True, capture_output=True)


def signed(house, made: dict, key_file, value: bytes, record_key: str) -> dict[str, bytes]:
    file = house.folder / "record.json"
    file.write_bytes(value)
    done = subprocess.run(
        house.command("sign", str(file), "--key", str(key_file), "--token-id", made["id"],
         "--record-key", record_key), env=house.environment, capture_output=True, text=True, check=True)
    pairs = [word for word in done.stdout.split() if "=" in word]
    return {name: text.encode() for name, _, text in (pair.partition("=") for pair in pairs)}


def signing_token(house, device: str):
    """A device with a key of its own, made as the documentation says."""
    key = house.folder / f"{device}.pem"
    done = subprocess.run(
        house.command("token", "create", "--role", "device", "--site", "a", "--device", device,
         "--signing-key", str(key)), env=house.environment, capture_output=True, text=True, check=True)
    made = json.loads(done.stdout.splitlines()[-1])
    house.wait("it is known", 20, lambda: house.get("/v1/sites", made["token"]).status == 200)
    return made, key


@attack("A7", "a producer of scans-inbound speaks for a device without its key, or with an old signature")
def unsigned_records(house):
    device, victim = f"signs-{uuid.uuid4().hex[:6]}", f"victim-{uuid.uuid4().hex[:6]}"
    made, key = signing_token(house, device)
    other, other_key = signing_token(house, victim)

    def value(name: str) -> bytes:
        return json.dumps(scan(5, 4) | {"site": "a", "device": name}).encode()
    good = signed(house, made, key, value(device), device)
    forged = signed(house, made, key, value(victim), victim)
    attempts = [
        (victim, value(victim), {}), (victim, value(victim), {"signed-by": other["id"].encode()}),
        (victim, value(victim), forged),
        (victim, value(victim), forged | {"signed-by": other["id"].encode()}),
        (victim, value(victim) + b" ", signed(house, other, other_key, value(victim), victim)),
        (victim + "x", value(victim), signed(house, other, other_key, value(victim), victim)),
        (victim, value(victim), signed(house, other, other_key, value(victim), victim)
         | {"signed-at": b"2020-01-01T00:00:00.000Z"}),
        (victim, value(victim), forged | {"signature": b"0" * 128, "signed-by": other["id"].encode()}),
        (victim, value(victim), {"authorization": b"Bearer " + other["id"].encode()}),
        (victim, value(victim), {"authorization": b"Bearer "}),
    ]
    for record_key, body, headers in attempts:
        produce(house, record_key, body, headers)
    produce(house, device, value(device), good)
    try:
        house.wait("the signed one is located", 40, lambda: house.positions(device) > 0)
    except AssertionError as error:
        control(False, str(error))
    time.sleep(1)
    refuse(house.positions(victim) == 0, f"{house.positions(victim)} positions of {victim}")
    # A copy of a good record is the same scan.
    produce(house, device, value(device), good)
    time.sleep(3)
    refuse(house.positions(device) == 1, "a copy of a record is located again")


@attack("A7", "tokens and signatures are read in the views of the log and in its tables")
def secrets_in_views(house):
    secret = "wab_attack-" + uuid.uuid4().hex
    produce(house, "x", b"{}", {"authorization": f"Bearer {secret}".encode(),
                                "Authorization": f"Bearer {secret}".encode(),
                                "x-token": secret.encode(), "signature": secret.encode()})
    house.wait("the record is set aside", 30, lambda: int(house.query(
        'SELECT count(*) FROM log."whereabouts.dead-letters"')[0][0]) > 0)
    for topic in ("scans-inbound", "dead-letters"):
        shown = house.query(f"SELECT count(*) FROM log.\"whereabouts.{topic}\" AS shown"
                            f" WHERE shown::text LIKE '%{secret}%'")
        refuse(shown == [["0"]], f"{topic} shows a token")
    # What was issued stands nowhere but in the answer.
    token = house.token("analyst", "a", note="look for me")
    for sql in ("SELECT 1 FROM site_editor.tokens t WHERE t::text LIKE '%{0}%' OR event::text LIKE '%{1}%'",
                "SELECT 1 FROM log.\"whereabouts.tokens\" t WHERE t::text LIKE '%{0}%'"):
        found = house.query(sql.format(token, token.encode().hex()))
        refuse(not found, f"the token's text is stored: {sql}")
    refuse(not any(token in line for line in house.log_lines()), "the token's text in our log")


@attack("A7", "compose files: whoever is in a network writes tokens, or has the owner's password")
def compose_files(house):
    three = (ROOT / "deploy/compose.three-brokers.yml").read_text()
    refuse("PLAINTEXT" not in three, "three brokers speak in plain text")
    for needed in ('KAFKA_ALLOW_EVERYONE_IF_NO_ACL_FOUND: "false"', "KAFKA_SSL_CLIENT_AUTH: required",
                   "StandardAuthorizer", "KAFKA_SECURITY_PROTOCOL: SSL"):
        refuse(needed in three, f"three brokers lack {needed}")
    mighty = re.search(r"KAFKA_SUPER_USERS: (.*)", three).group(1).split(";")
    services = ("scan-ingest", "site-editor", "fingerprint-builder", "locator", "router", "producer",
                "analyst")
    refuse(not any(f"CN={name}" in user for name in services for user in mighty), f"{mighty}")
    table = re.search(r"table='\n(.*?)'", (ROOT / "deploy/topic-rights.sh").read_text(), re.S).group(1)
    rights = {fields[0].strip(): (set(fields[1].split()), set(fields[2].split())) for fields in (
        line.split("|") for line in table.splitlines()) if len(fields) == 3}
    for topic in ("tokens", "site"):
        writers = {name for name, (_, writes) in rights.items() if topic in writes}
        refuse(writers == {"site-editor"}, f"{writers} write {topic}")
    refuse(rights["producer"] == (set(), {"scans-inbound"}), f"a producer may {rights['producer']}")
    readable = {"positions", "positions-smoothed", "visits", "timetables", "availability"}
    refuse(rights["analyst"] == (readable, set()), f"an analyst may {rights['analyst']}")
    for name in ("docker-compose.yml", "deploy/compose.three-brokers.yml", "deploy/compose.small.yml"):
        text = (ROOT / name).read_text()
        parts = dict(re.findall(r"^  ([a-z0-9-]+):\n((?:    .*\n|\n|  #.*\n)+)", text, re.M))
        for service, part in parts.items():
            # The operator's runs when a person starts it.
            if service in ("postgres", "database-roles", "operator"):
                continue
            refuse("POSTGRES_PASSWORD" not in part and "PGPASSWORD" not in part,
                   f"{name}: {service} has the owner's password")
            networks = re.search(r"networks: \[(.*?)\]", part)
            joined = {word.strip() for word in networks.group(1).split(",")} if networks else set()
            if service == "caddy":
                refuse(not joined & {"log", "data"}, f"{name}: caddy is in {joined}")
            refuse(service not in ("scan-ingest", "router", "kafka") or "data" not in joined
                   or name.endswith("small.yml"), f"{name}: {service} reaches the database")
        for inner in ("log", "data", "services"):
            line = re.search(rf"^  {inner}: (.*)$", text, re.M)
            refuse(line is None or "internal: true" in line.group(1), f"{name}: network {inner} is open")
