import Events
import Foundation
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "Enrolled scanners",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct ScannerRoutesTests {
    private static let list = "/v1/sites/\(EditorBench.site)/enrolled-scanners"

    @Test("A scanner tells its health, and administrators see what it has lost")
    func health() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        let told = #"""
            {"at": "2020-01-01T00:00:00Z", "scanner": "pi-9", "source": "iw", "scans": 900,
             "dropped": 41, "refused": {"heard-too-long-ago": 3}, "faults": ["no scan: iw"]}
            """#
        let answer = try await editor.send("PUT", "/v1/scanners/pi-1/health", as: token, told)
        #expect(answer.status == 200 && answer["settings"] == "1", "\(answer.text)")
        let seen = try await editor.send("GET", Self.list, as: editor.administrator)
        #expect(seen["scanners.0.scanner"] == "pi-1" && seen["scanners.1"] == nil)
        #expect(seen["scanners.0.health.scanner"] == "pi-1", "it can't speak for another")
        #expect(seen["scanners.0.health.dropped"] == "41")
        #expect(seen["scanners.0.health.refused.heard-too-long-ago"] == "3")
        #expect(seen["scanners.0.health.faults.0"] == "no scan: iw")
        let issued = try await editor.tokens.live(at: editor.bench.clock.now).map(\.issued)
        let end = try #require(issued.first?.expiresAt)
        #expect(seen["scanners.0.expiresAt"] == end.text)
        #expect(seen["scanners.0.health.at"]?.hasPrefix("2026-") == true, "the server's clock")
        // Who surveys by a scanner sees whether it works.
        #expect(try await editor.send("GET", Self.list, as: editor.surveyor).status == 200)
        let visitor = editor.bench.issue(.visitor, site: EditorBench.site)
        #expect(try await editor.send("GET", Self.list, as: visitor).status == 403)
        let other = try await editor.send("PUT", "/v1/scanners/pi-2/health", as: token, told)
        #expect(other.code == "scanner-not-yours")
        editor.bench.pass(seconds: 30 * 86_400)
        try await ScannerStore(pool: editor.pool).sweep(at: editor.bench.clock.now)
        let there = try await editor.send("GET", Self.list, as: editor.administrator)
        #expect(there["scanners.0.scanner"] == "pi-1")
        editor.bench.pass(seconds: 1)
        try await ScannerStore(pool: editor.pool).sweep(at: editor.bench.clock.now)
        let gone = try await editor.send("GET", Self.list, as: editor.administrator)
        #expect(gone["scanners.0"] == nil, "it was silent for 30 days")
    }

    @Test("A long text of a fault is cut, and the rest of the health is kept")
    func longFault() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        let long = "a" + String(repeating: "\u{E4}", count: 2_500)
        let told = try await editor.send(
            "PUT", "/v1/scanners/pi-1/health", as: token, #"{"scans": 7, "faults": ["\#(long)"]}"#)
        #expect(told.status == 200, "\(told.text)")
        let seen = try await editor.send("GET", Self.list, as: editor.administrator)
        #expect(seen["scanners.0.health.scans"] == "7")
        let fault = try #require(seen["scanners.0.health.faults.0"])
        #expect(fault.utf8.count == 999 && long.hasPrefix(fault))
    }

    @Test("A node without a valid token is forgotten, and so is one that is silent for 30 days")
    func forgottenNodes() async throws {
        let editor = try await EditorBench()
        let store = ScannerStore(pool: editor.pool)
        var issued: [String: String] = [:]
        for name in ["pi-1", "pi-2", "pi-3"] {
            issued[name] = try await editor.scanner(name)
            let made = try await editor.send(
                "PATCH", "\(Self.list)/\(name)", as: editor.administrator, #"{"node": true}"#)
            #expect(made.status == 200, "\(made.text)")
        }
        let tokens = issued
        func sendHealth(_ name: String) async throws {
            let path = "/v1/scanners/\(name)/health"
            #expect(try await editor.send("PUT", path, as: tokens[name], "{}").status == 200)
        }
        func left() async throws -> [String] {
            try await editor.pool.query(
                "SELECT scanner FROM \(ScannerStore.table) ORDER BY scanner"
            ).map { try $0["scanner"] }
        }
        try await sendHealth("pi-1")
        try await store.sweep(at: editor.bench.clock.now)
        #expect(try await left() == ["pi-1", "pi-2", "pi-3"], "two have told nothing yet")
        for row in try await editor.tokens.live(at: editor.bench.clock.now)
        where row.issued.device?.text == "pi-3" {
            _ = try await editor.tokens.revoke(row.issued.id, at: editor.bench.clock.now)
        }
        try await store.sweep(at: editor.bench.clock.now)
        #expect(try await left() == ["pi-1", "pi-2"])
        editor.bench.pass(seconds: 31 * 86_400)
        try await sendHealth("pi-2")
        try await store.sweep(at: editor.bench.clock.now)
        #expect(try await left() == ["pi-2"])
    }

    @Test("The health of a clock that was ahead does not keep a scanner")
    func ahead() async throws {
        let editor = try await EditorBench()
        let store = ScannerStore(pool: editor.pool)
        let token = try await editor.scanner("pi-1")
        let start = editor.bench.clock.now
        editor.bench.pass(seconds: 365 * 86_400)
        _ = try await editor.send("PUT", "/v1/scanners/pi-1/health", as: token, "{}")
        try await store.sweep(at: start)
        try await store.sweep(at: start.advanced(byMicroseconds: 31 * 86_400_000_000))
        let rows = try await store.list(at: EditorBench.site, after: nil, limit: 9)
        #expect(rows.isEmpty)
    }

    @Test("A scanner gets the site's rules, beacons and places, and no key")
    func settings() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        var document = SampleSite.index.document
        document.accessPoints = AccessPointRules(
            allow: [.network("museum")], deny: [.address(HardwareAddress(value: 9))])
        editor.bench.publish(try SiteIndex(document), version: 4)
        let path = "/v1/scanners/pi-1/settings"
        let plain = try await editor.send("GET", path, as: token)
        #expect(plain["tag"] == "4" && plain["node"] == "false", "\(plain.text)")
        #expect(plain["accessPoints.allow.0.ssid"] == "museum")
        let read = try ScannerSettings(json: plain.body)
        #expect(read.accessPoints == document.accessPoints)
        let made = try await editor.send(
            "PATCH", "\(Self.list)/pi-1", as: editor.administrator, #"{"node": true}"#)
        #expect(made.status == 200 && made["node"] == "true", "\(made.text)")
        let told = try await editor.send("PUT", "/v1/scanners/pi-1/health", as: token, "{}")
        #expect(told["settings"] == "4-node")
        #expect(try await editor.send("GET", path, as: token)["node"] == "true")
        let members = try JSONSerialization.jsonObject(with: Data(plain.body)) as? [String: Any]
        #expect(
            Set(members?.keys.map(\.self) ?? [])
                == ["tag", "accessPoints", "placed", "uuids", "node"])
        #expect(editor.bench.securityLines.contains { $0.contains("scanner changed") })
    }

    @Test("Only administrators of the site make nodes, of scanners that have a token")
    func nodes() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        let other = editor.bench.issue(.administratorOfSite, site: SiteID("other"))
        for (who, status) in [(editor.surveyor, 403), (token, 403), (other, 403)] {
            let answer = try await editor.send(
                "PATCH", "\(Self.list)/pi-1", as: who, #"{"node": true}"#)
            #expect(answer.status == status, "\(answer.text)")
        }
        let unknown = try await editor.send(
            "PATCH", "\(Self.list)/pi-9", as: editor.administrator, #"{"node": true}"#)
        #expect(unknown.code == "scanner-unknown")
        let wrong = try await editor.send(
            "PATCH", "\(Self.list)/pi-1", as: editor.administrator, #"{"node": "yes"}"#)
        #expect(wrong.status == 400)
    }

    @Test(
        "Health that is none is refused",
        arguments: [
            "[]", #"{"scans": -1}"#, #"{"scans": "many"}"#, #"{"refused": 5}"#,
            #"{"refused": {"a": "b"}}"#, #"{"faults": [5]}"#,
        ])
    func malformed(body: String) async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        let answer = try await editor.send("PUT", "/v1/scanners/pi-1/health", as: token, body)
        #expect(answer.status == 400, "\(answer.text)")
    }
}
