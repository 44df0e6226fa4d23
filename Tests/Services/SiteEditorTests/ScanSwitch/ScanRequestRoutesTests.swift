import Events
import Foundation
import LogViews
import Postgres
import SampleSites
import ScanSwitch
import ServiceBench
import ServiceHost
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "Requests for scans",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct ScanRequestRoutesTests {
    private static let id = "0193aaaa-0000-7000-8000-000000000001"

    @Test("Rows and events of a request are written together, and a retry changes nothing")
    func asks() async throws {
        let editor = try await EditorBench()
        _ = try await editor.scanner("pi-1")
        let wish = #"{"id": "\#(Self.id)", "scanner": "pi-1", "timeoutSeconds": 30}"#
        let asked = try await editor.ask(wish)
        #expect(asked.status == 202 && asked["id"] == Self.id, "\(asked.text)")
        #expect(asked["state"] == "open" && asked["scanSwitch"] == "true")
        editor.bench.pass(seconds: 2)
        let again = try await editor.ask(wish)
        #expect(again.status == 200 && again["until"] == asked["until"], "\(again.text)")
        let other = try await editor.ask(
            #"{"id": "\#(Self.id)", "scanner": "pi-1", "store": true}"#)
        #expect(other.status == 409 && other.code == "scan-request-id-conflict")
        let events = try await editor.outbox(.scanRequests)
        #expect(events.count == 1 && events[0].contains(Self.id))
        let asker = try #require(editor.bench.tokens.caller(forBearer: editor.surveyor)?.id)
        #expect(events[0].contains(asker), "who asked is part of the event")
    }

    @Test("Administrators see all requests and who asked; everybody else their own")
    func whoAsked() async throws {
        let editor = try await EditorBench()
        _ = try await editor.scanner("pi-1")
        let other = editor.bench.issue(.surveyor, site: EditorBench.site)
        let id = try #require(try await editor.ask(#"{"scanner": "pi-1"}"#)["id"])
        _ = try await editor.ask(#"{"scanner": "pi-1"}"#, as: other)
        let asker = editor.bench.tokens.caller(forBearer: editor.surveyor)?.id
        let all = try await editor.send("GET", EditorBench.requests, as: editor.administrator)
        #expect(all["scanRequests.1.id"] == id && all["scanRequests.2"] == nil, "\(all.text)")
        #expect(all["scanRequests.1.askedBy"] == asker)
        let own = try await editor.send("GET", EditorBench.requests, as: editor.surveyor)
        #expect(own["scanRequests.0.id"] == id && own["scanRequests.1"] == nil)
        for method in ["GET", "DELETE"] {
            let answer = try await editor.send(
                method, "\(EditorBench.requests)/\(id)", as: other)
            #expect(answer.code == "scan-request-unknown", "\(method)")
        }
        let patched = try await editor.send(
            "PATCH", "\(EditorBench.requests)/\(id)", as: other, #"{"scanSwitch": false}"#)
        #expect(patched.code == "scan-request-unknown")
        let seen = try await editor.send(
            "GET", "\(EditorBench.requests)/\(id)", as: editor.administrator)
        #expect(seen.status == 200 && seen["state"] == "open")
    }

    @Test("A scanner has eight open requests and an asker sixteen, until they end")
    func limits() async throws {
        let editor = try await EditorBench()
        for name in ["pi-1", "pi-2", "pi-3"] { _ = try await editor.scanner(name) }
        var ids: [String] = []
        for number in 0..<ScanRequestLimits.openOfAsker {
            let answer = try await editor.ask(#"{"scanner": "pi-\#(number % 2 + 1)"}"#)
            #expect(answer.status == 202, "\(number): \(answer.text)")
            ids.append(answer["id"] ?? "")
        }
        let third = #"{"scanner": "pi-3"}"#
        let refused = try await editor.ask(third)
        #expect(refused.status == 429 && refused.code == "too-many-scan-requests")
        #expect(refused.headers["retry-after"] == "1")
        let other = editor.bench.issue(.surveyor, site: EditorBench.site)
        #expect(
            try await editor.ask(#"{"scanner": "pi-1"}"#, as: other).code
                == "too-many-scan-requests")
        #expect(try await editor.ask(third, as: other).status == 202)
        let cancelled = try await editor.send(
            "DELETE", "\(EditorBench.requests)/\(ids[0])", as: editor.surveyor)
        #expect(cancelled.status == 204)
        #expect(try await editor.ask(#"{"scanner": "pi-1"}"#, as: other).status == 202)
        #expect(try await editor.ask(third).status == 202)
        // The default time is over.
        editor.bench.pass(seconds: 21)
        #expect(try await editor.ask(#"{"scanner": "pi-1"}"#).status == 202)
    }

    @Test("Who asks and cancels in a loop is stopped, and so is who does it with many sessions")
    func loop() async throws {
        let editor = try await EditorBench()
        for name in ["pi-1", "pi-2"] { _ = try await editor.scanner(name) }
        let wish = #"{"scanner": "pi-1"}"#
        func askAndCancel(_ token: String, _ count: Int) async throws {
            for number in 0..<count {
                let asked = try await editor.ask(wish, as: token)
                try #require(asked.status == 202, "\(number): \(asked.text)")
                let path = "\(EditorBench.requests)/\(asked["id"] ?? "")"
                #expect(try await editor.send("DELETE", path, as: token).status == 204)
            }
        }
        try await askAndCancel(editor.surveyor, ScanRequestLimits.latelyOfAsker)
        let refused = try await editor.ask(#"{"scanner": "pi-2"}"#)
        #expect(refused.status == 429 && refused.code == "too-many-scan-requests")
        #expect(refused.headers["retry-after"] == "10")
        let others = (0..<2).map { _ in
            editor.bench.issue(.surveyor, site: EditorBench.site)
        }
        try await askAndCancel(
            others[0], ScanRequestLimits.latelyOfScanner - ScanRequestLimits.latelyOfAsker)
        let full = try await editor.ask(wish, as: others[1])
        #expect(full.status == 429 && full.code == "too-many-scan-requests", "\(full.text)")
        #expect(try await editor.ask(#"{"scanner": "pi-2"}"#, as: others[1]).status == 202)
        editor.bench.pass(seconds: 60)
        #expect(try await editor.ask(wish).status == 202)
    }

    @Test("Who has asked for 10,000 scans within a day, at whatever site, waits, and others don't")
    func day() async throws {
        let editor = try await EditorBench()
        for name in ["pi-1", "pi-2"] { _ = try await editor.scanner(name) }
        let asker = try #require(editor.bench.tokens.caller(forBearer: editor.surveyor)?.id)
        let former = editor.bench.clock.now.advanced(byMicroseconds: -600_000_000)
        // One fewer than the limit.
        try await editor.pool.query(
            """
            INSERT INTO \(ScanRequestStore.table)
                (site, id, scanner, number, asker, asked_at, until_at, event, needs_pairing)
            SELECT 'other', md5(scan::text)::uuid, 'pi-1', 0, $1::text, $2::timestamptz,
                $2::timestamptz, ''::bytea, false
            FROM generate_series(2, $3) AS scan
            """,
            [
                .text(asker), .timestamp(microseconds: former.microseconds),
                .int(ScanRequestLimits.scansOfAskerInDay),
            ])
        let refused = try await editor.ask(#"{"scanners": ["pi-1", "pi-2"]}"#)
        #expect(refused.status == 429 && refused.code == "too-many-scan-requests")
        #expect(refused.headers["retry-after"] == "600")
        let one = #"{"scanner": "pi-1"}"#
        let last = try await editor.ask(one)
        #expect(last.status == 202, "\(last.text)")
        #expect(try await editor.ask(one).status == 429)
        let other = editor.bench.issue(.surveyor, site: EditorBench.site)
        #expect(try await editor.ask(one, as: other).status == 202)
        editor.bench.pass(seconds: 86_400 - 600)
        let next = try await editor.ask(one)
        #expect(next.status == 202, "\(next.text)")
    }

    @Test("The same id at two sites is two requests")
    func twoSites() async throws {
        let editor = try await EditorBench()
        try await editor.publishOther()
        _ = try await editor.scanner("pi-1")
        _ = try await editor.scanner("pi-1", at: EditorBench.other)
        let stranger = editor.bench.issue(.surveyor, site: EditorBench.other)
        let wish = #"{"id": "\#(Self.id)", "scanner": "pi-1"}"#
        let elsewhere = "/v1/sites/\(EditorBench.other)/scan-requests"
        #expect(try await editor.ask(wish).status == 202)
        let other = try await editor.send("POST", elsewhere, as: stranger, wish)
        #expect(other.status == 202, "\(other.text)")
        let path = "\(elsewhere)/\(Self.id)"
        #expect(try await editor.send("DELETE", path, as: stranger).status == 204)
        let own = try await editor.send(
            "GET", "\(EditorBench.requests)/\(Self.id)", as: editor.surveyor)
        #expect(own["state"] == "open", "\(own.text)")
        #expect(try await editor.send("GET", path, as: editor.surveyor).status == 403)
    }

    @Test("A row that can't be read is passed over with one notice, and its id stays taken")
    func unreadable() async throws {
        let editor = try await EditorBench()
        _ = try await editor.scanner("pi-1")
        let wish = #"{"id": "\#(Self.id)", "scanner": "pi-1"}"#
        #expect(try await editor.ask(wish).status == 202)
        let lost = try #require(EventID(Self.id))
        let kept = try await editor.ask(#"{"scanner": "pi-1"}"#)["id"]
        try await editor.pool.query(
            "UPDATE \(ScanRequestStore.table) SET event = '{}' WHERE id = $1",
            [.uuid(lost.bytes)])
        for token in [editor.surveyor, editor.administrator] {
            let list = try await editor.send("GET", EditorBench.requests, as: token)
            #expect(list.status == 200, "\(list.text)")
            #expect(list["scanRequests.0.id"] == kept && list["scanRequests.1"] == nil)
        }
        #expect(try await editor.ask(#"{"scanner": "pi-1"}"#).status == 202)
        #expect(try await editor.ask(wish).code == "scan-request-id-conflict")
        let path = "\(EditorBench.requests)/\(Self.id)"
        let gone = try await editor.send("GET", path, as: editor.surveyor)
        #expect(gone.code == "scan-request-unknown", "\(gone.text)")
        #expect(editor.bench.unexpected.count { $0.contains("can't be read") } == 1)
    }

    @Test("A request of a clock that was ahead goes, and the others stay")
    func ahead() async throws {
        let editor = try await EditorBench()
        _ = try await editor.scanner("pi-1")
        let start = editor.bench.clock.now
        let early = try await editor.ask(#"{"scanner": "pi-1"}"#)["id"]
        editor.bench.pass(seconds: 3_601)
        _ = try await editor.ask(#"{"scanner": "pi-1"}"#)
        try await editor.requests.sweep(at: start)
        let list = try await editor.send("GET", EditorBench.requests, as: editor.surveyor)
        #expect(list["scanRequests.0.id"] == early && list["scanRequests.1"] == nil)
    }

    @Test("A request that is answered is done, and makes room for another")
    func done() async throws {
        let editor = try await EditorBench()
        _ = try await editor.scanner("pi-1")
        for _ in 0..<ScanRequestLimits.openOfScanner {
            #expect(try await editor.ask(#"{"scanner": "pi-1"}"#).status == 202)
        }
        #expect(try await editor.ask(#"{"scanner": "pi-1"}"#).status == 429)
        let list = try await editor.send("GET", EditorBench.requests, as: editor.surveyor)
        let id = try #require(list["scanRequests.0.id"].flatMap { EventID($0) })
        let now = editor.bench.clock.now
        let key = ScanRequestKey(site: EditorBench.site, id: id, scanner: ScannerID("pi-1"))
        for value in try await editor.outbox(.scanRequests) where value.contains("\(id)") {
            let requested = try ScanRequested(json: Array(value.utf8))
            try editor.apply(requested.record(source: "/site-editor"))
        }
        let done = ScanRequestDone(
            request: key, outcome: .answered, scan: EventID(high: 1, low: 1), doneAt: now)
        try editor.apply(done.record(source: "/scan-ingest"))
        let one = try await editor.send(
            "GET", "\(EditorBench.requests)/\(id)", as: editor.surveyor)
        #expect(one["state"] == "done" && one["scanSwitch"] == "false", "\(one.text)")
        #expect(try await editor.ask(#"{"scanner": "pi-1"}"#).status == 202)
    }

    @Test("Only surveyors of the scanner's or the place's building ask without a pairing")
    func reach() async throws {
        let editor = try await EditorBench()
        let house = BuildingID("house")
        _ = try await editor.scanner("pi-house", buildings: [house])
        _ = try await editor.scanner("pi-site")
        func asker(_ role: TokenRole, _ site: SiteID?, _ buildings: [BuildingID] = []) -> String {
            editor.bench.issue(role, site: site, buildings: buildings)
        }
        let own = asker(.surveyor, EditorBench.site, [house])
        let annexe = asker(.surveyor, EditorBench.site, [BuildingID("annexe")])
        let strange = asker(.surveyor, SiteID("other"))
        let fixed = #"{"scanner": "pi-house"}"#
        let carried = #"""
            {"scanner": "pi-site", "store": true, "place": {"location": "desk"}, "room": "A"}
            """#
        for (body, token, code) in [
            (fixed, own, nil), (carried, own, nil), (fixed, annexe, "scanner-not-reached"),
            (carried, annexe, "scanner-not-reached"), (fixed, strange, "site-not-yours"),
            (fixed, editor.visitor, "scanner-not-reached"),
            (#"{"scanner": "nobody"}"#, editor.visitor, "scanner-not-reached"),
            (#"{"scanner": "nobody"}"#, editor.surveyor, "scanner-unknown"),
        ] as [(String, String, String?)] {
            let answer = try await editor.ask(body, as: token)
            #expect(answer.code == code, "\(body): \(answer.text)")
        }
    }

    @Test(
        "A wish that can't be fulfilled is refused with its reason, and leaves no event",
        arguments: [
            (#"{"scanners": []}"#, "scanners-out-of-range"),
            (#"{"scanners": ["pi-1", "pi-1"]}"#, "scanners-out-of-range"),
            (#"{"scanner": "pi-1", "timeoutSeconds": 0}"#, "timeout-out-of-range"),
            (#"{"scanner": "pi-1", "timeoutSeconds": 61}"#, "timeout-out-of-range"),
            (#"{"scanner": "pi-1", "place": {"location": "desk"}}"#, "place-without-store"),
            (#"{"scanner": "pi-1", "room": "Z"}"#, "room-unknown"),
            (
                #"{"scanner": "pi-1", "store": true, "place": {"location": "no"}}"#,
                "location-unknown"
            ),
            (
                #"{"scanner": "pi-1", "store": true, "place": {"floor": "no", "x": 1, "y": 1}}"#,
                "floor-unknown"
            ),
            (
                #"{"scanner":"pi-1", "store":true, "place":{"floor":"first", "x":121, "y":3}}"#,
                "coordinates-out-of-range"
            ),
            ("[]", "not-an-object"),
        ])
    func wrong(body: String, code: String) async throws {
        let editor = try await EditorBench()
        _ = try await editor.scanner("pi-1")
        let answer = try await editor.ask(body)
        #expect(answer.code == code, "\(answer.text)")
        #expect(try await editor.outbox(.scanRequests).isEmpty)
    }

    @Test("The report's switch cancels, and asks the same again by a new request")
    func switched() async throws {
        let editor = try await EditorBench()
        _ = try await editor.scanner("pi-1")
        let wish = #"{"scanner": "pi-1", "store": true, "place": {"location": "desk"}}"#
        let id = try #require(try await editor.ask(wish)["id"])
        let path = "\(EditorBench.requests)/\(id)"
        func patch(_ body: String) async throws -> Answer {
            try await editor.send("PATCH", path, as: editor.surveyor, body)
        }
        #expect(try await patch(#"{"scanSwitch": true}"#)["id"] == id, "it is on already")
        let off = try await patch(#"{"scanSwitch": false}"#)
        #expect(off["state"] == "cancelled" && off["shouldScan"] == "false")
        _ = try await patch(#"{"scanSwitch": false}"#)
        let events = try await editor.outbox(.scanRequests)
        #expect(events.count == 2, "a request, and one cancellation")
        let on = try await patch(#"{"scanSwitch": true, "roomID": "A", "storeData": true}"#)
        #expect(on.status == 202 && on["id"] != id, "\(on.text)")
        #expect(on["place.location"] == "desk" && on["room"] == "A")
        let next = "\(EditorBench.requests)/\(on["id"] ?? "")"
        let changed = try await editor.send(
            "PATCH", next, as: editor.surveyor, #"{"scanSwitch": true, "storeData": false}"#)
        #expect(changed["store"] == "false" && changed["place"] == nil, "\(changed.text)")
        let former = try await editor.send("GET", next, as: editor.surveyor)
        #expect(former["state"] == "cancelled", "the changed request replaces it")
    }

    @Test("A request is over after its time, can't be cancelled then, and is forgotten in a day")
    func over() async throws {
        let editor = try await EditorBench()
        _ = try await editor.scanner("pi-1")
        let id = try #require(
            try await editor.ask(#"{"scanner": "pi-1", "timeoutSeconds": 5}"#)["id"])
        let path = "\(EditorBench.requests)/\(id)"
        let store = editor.requests
        editor.bench.pass(seconds: 5)
        #expect(try await editor.send("DELETE", path, as: editor.surveyor).status == 204)
        let gone = try await editor.send("GET", path, as: editor.surveyor)
        #expect(gone["state"] == "over", "\(gone.text)")
        #expect(try await editor.outbox(.scanRequests).count == 1)
        editor.bench.pass(seconds: 86_399)
        try await store.sweep(at: editor.bench.clock.now)
        #expect(try await editor.send("GET", path, as: editor.surveyor).status == 200)
        editor.bench.pass(seconds: 1)
        try await store.sweep(at: editor.bench.clock.now)
        #expect(
            try await editor.send("GET", path, as: editor.surveyor).code
                == "scan-request-unknown")
    }

    @Test("A revoked scanner can't be asked")
    func revoked() async throws {
        let editor = try await EditorBench()
        _ = try await editor.scanner("pi-1")
        #expect(try await editor.ask(#"{"scanner": "pi-1"}"#).status == 202)
        for row in try await editor.tokens.live(at: editor.bench.clock.now) {
            _ = try await editor.tokens.revoke(row.issued.id, at: editor.bench.clock.now)
        }
        #expect(try await editor.ask(#"{"scanner": "pi-1"}"#).code == "scanner-unknown")
    }
}
