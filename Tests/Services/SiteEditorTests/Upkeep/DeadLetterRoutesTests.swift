import EventLog
import Events
import Foundation
import HTTP
import ServiceBench
import ServiceHost
import Synchronization
import Testing
import Wire

@testable import SiteEditor

@Suite("Dead letters over HTTP") struct DeadLetterRoutesTests {
    private static let list = "/v1/dead-letters"

    private final class Recorder: Sendable {
        let ids = Mutex<[String]>([])
    }

    /// The routes on a log in memory, with a putting back that only notes what it gets.
    private final class Bench: Sendable {
        let bench: ServiceBench
        let app: Served
        let applied: Recorder
        let museum: String
        let other: String
        let all: String

        init(capacity: Int = 100) async throws {
            bench = try await ServiceBench()
            bench.publish()
            bench.publish(as: SiteID("other"))
            museum = bench.issue(.administratorOfSite, site: EditorBench.site)
            other = bench.issue(.administratorOfSite, site: SiteID("other"))
            all = bench.issue(.administrator)
            let applied = Recorder()
            let shelf = LetterShelf(log: bench.log, capacity: capacity, pause: .zero) { record in
                let parts = String(decoding: record.key ?? [], as: UTF8.self).split(separator: "/")
                return parts.count > 1 ? SiteID(validating: String(parts[0])) : nil
            }
            app = try bench.serve(
                DeadLetterRoutes(
                    sites: bench.sites, security: bench.security, shelf: shelf,
                    putBack: { letter in
                        applied.ids.withLock { $0.append(letter.id) }
                        if letter.code == "broken" { throw CancellationError() }
                        return .putBack
                    }, unexpected: bench.onUnexpected
                ).all)
            self.applied = applied
        }

        /// Sets a record aside.
        func set(
            aside number: Int, key: String?, value: String?, code: String = "not-json",
            consumer: String = "locator", headers: LogHeaders = LogHeaders()
        ) async throws {
            let letter = DeadLettered(
                topic: Topic.scans.name, partition: 0, offset: Int64(number), code: code,
                detail: "because \(number)", key: key.map { Array($0.utf8) },
                value: value.map { Array($0.utf8) },
                at: ServiceBench.start.advanced(byMicroseconds: Int64(number) * 1_000_000),
                headers: Array(headers.encoded), consumer: consumer,
                appendedAt: ServiceBench.start)
            try await bench.log.append([letter.record(source: "/test")])
        }

        func send(
            _ method: String, _ path: String, as token: String?
        ) async throws -> Answer { try await app.send(method, path, token: token) }
    }

    private static func id(_ number: Int) -> String { "\(Topic.scans.name)/0/\(number)" }

    @Test("Administrators see those of their own site, and those of no site see only all's")
    func sites() async throws {
        let bench = try await Bench()
        let mine = #"{"site": "\#(EditorBench.site)", "device": "pi-1"}"#
        try await bench.set(aside: 1, key: "\(EditorBench.site)/pi-1", value: mine)
        try await bench.set(aside: 2, key: "\(EditorBench.site)/pi-1", value: "not JSON")
        try await bench.set(aside: 3, key: "other/pi-1", value: mine)
        try await bench.set(aside: 4, key: nil, value: "junk")
        try await bench.set(aside: 5, key: "\(EditorBench.site).test/pi-1", value: nil)
        let own = "\(Self.list)?site=\(EditorBench.site)"
        let listed = try await bench.send("GET", own, as: bench.museum)
        #expect(listed.status == 200, "\(listed.text)")
        let ids = (0..<4).map { listed["letters.\($0).id"] }
        #expect(ids == [Self.id(5), Self.id(2), Self.id(1), nil], "the newest first")
        #expect(listed["letters.2.detail"] == "because 1" && listed["letters.2.isWhole"] == "true")
        #expect(try await bench.send("GET", own, as: bench.other).code == "site-not-yours")
        #expect(try await bench.send("GET", Self.list, as: bench.museum).code == "site-not-yours")
        let surveyor = bench.bench.issue(.surveyor, site: EditorBench.site)
        #expect(try await bench.send("GET", own, as: surveyor).code == "role-not-allowed")
        #expect(try await bench.send("GET", own, as: nil).code == "token-missing")
        let unknown = try await bench.send("GET", "\(Self.list)?site=nowhere", as: bench.all)
        #expect(unknown.code == "site-unknown")
        // A record that names two sites is neither's.
        let nobodys = try await bench.send("GET", Self.list, as: bench.all)
        #expect((0..<3).map { nobodys["letters.\($0).id"] } == [Self.id(4), Self.id(3), nil])
        for number in 3...4 {
            for token in [bench.museum, bench.other] {
                for (method, path) in [("GET", ""), ("POST", "/apply")] {
                    let answer = try await bench.send(
                        method, "\(Self.list)/\(Self.id(number))\(path)", as: token)
                    #expect(answer.code == "not-found", "\(answer.text)")
                }
            }
        }
        let foreign = try await bench.send("GET", "\(Self.list)/\(Self.id(1))", as: bench.other)
        let missing = try await bench.send("GET", "\(Self.list)/\(Self.id(9))", as: bench.other)
        #expect(foreign.status == 404 && foreign.text == missing.text)
    }

    @Test("A page follows another, and an end that is gone is refused")
    func pages() async throws {
        let bench = try await Bench()
        for number in 0..<5 {
            try await bench.set(aside: number, key: "\(EditorBench.site)/pi-1", value: "x")
        }
        var found: [String] = []
        var after = ""
        repeat {
            let page = try await bench.send(
                "GET", "\(Self.list)?site=\(EditorBench.site)&limit=2\(after)", as: bench.museum)
            #expect(page.status == 200, "\(page.text)")
            found += (0..<2).compactMap { page["letters.\($0).id"] }
            after = page["next"].map { $0 == "null" ? "" : "&after=\($0)" } ?? ""
        } while !after.isEmpty
        #expect(found == (0..<5).reversed().map(Self.id))
        let wrong = try await bench.send(
            "GET", "\(Self.list)?site=\(EditorBench.site)&after=a/b", as: bench.museum)
        #expect(wrong.status == 400, "\(wrong.text)")
    }

    @Test("Only the newest are kept, however many there are")
    func capacity() async throws {
        let bench = try await Bench(capacity: 6)
        for number in 0..<40 {
            try await bench.set(aside: number, key: "\(EditorBench.site)/pi-1", value: "x")
        }
        let path = "\(Self.list)?site=\(EditorBench.site)"
        let first = try await bench.send("GET", path, as: bench.museum)
        let count = (0..<40).count { first["letters.\($0).id"] != nil }
        #expect((1...6).contains(count), "\(count)")
        for number in 40..<80 {
            try await bench.set(aside: number, key: "\(EditorBench.site)/pi-1", value: "x")
        }
        let then = try await bench.send("GET", path, as: bench.museum)
        #expect((0..<7).map { then["letters.\($0).id"] }.prefix(6).allSatisfy { $0 != nil })
        #expect(then["letters.0.id"] == Self.id(79) && then["letters.6.id"] == nil)
    }

    @Test("What is inside is shown up to a limit, as text, and no secret of it")
    func inside() async throws {
        let bench = try await Bench()
        var headers = LogHeaders()
        headers.append("authorization", "Bearer a-secret")
        headers.append("signed-by", "somebody")
        let value = "<script>" + String(repeating: "\u{E4}", count: 60_000)
        try await bench.set(
            aside: 1, key: "\(EditorBench.site)/pi-1", value: value, headers: headers)
        try await bench.set(
            aside: 1, key: "\(EditorBench.site)/pi-1", value: "\u{1}", consumer: "positions")
        let shown = try await bench.send("GET", "\(Self.list)/\(Self.id(1))", as: bench.museum)
        #expect(shown.status == 200, "\(shown.text.prefix(300))")
        #expect(shown.headers["content-type"] == "application/json")
        #expect(shown["letters.0.headers.authorization"] == "not shown")
        #expect(shown["letters.0.headers.signed-by"] == "somebody")
        #expect(!shown.text.contains("a-secret"))
        #expect(shown["letters.0.isShortened"] == "true")
        let text = try #require(shown["letters.0.value"])
        #expect(text.utf8.count == 100_000 && value.hasPrefix(text))
        #expect(shown["letters.1.consumer"] == "positions" && shown["letters.1.value"] == "\u{1}")
    }

    @Test("A record is put back by each consumer that set it aside, and the log says by whom")
    func apply() async throws {
        let bench = try await Bench()
        try await bench.set(aside: 1, key: "\(EditorBench.site)/pi-1", value: "x")
        try await bench.set(
            aside: 1, key: "\(EditorBench.site)/pi-1", value: "x", code: "broken",
            consumer: "positions")
        let path = "\(Self.list)/\(Self.id(1))/apply"
        let done = try await bench.send("POST", path, as: bench.museum)
        #expect(done.status == 200, "\(done.text)")
        #expect(done["outcomes.0.outcome"] == "put-back" && done["outcomes.0.id"] == Self.id(1))
        #expect(done["outcomes.1.code"] == "put-back-failed")
        #expect(done["outcomes.1.detail"]?.contains("dead-letters apply \(Self.id(1))") == true)
        #expect(!done.text.contains("CancellationError"))
        #expect(bench.applied.ids.withLock { $0 } == [Self.id(1), Self.id(1)])
        #expect(bench.bench.unexpected.contains { $0.contains(Self.id(1)) })
        let lines = bench.bench.securityLines.filter { $0.contains("record put back") }
        #expect(lines.count == 2 && lines[0].contains("locator"))
        // The marker that the putting back appends shows in the list at once.
        let marker = DeadLetterPutBack(
            topic: Topic.scans.name, partition: 0, offset: 1, consumer: "locator",
            at: ServiceBench.start)
        try await bench.bench.log.append([marker.record(source: "/test")])
        let listed = try await bench.send(
            "GET", "\(Self.list)?site=\(EditorBench.site)", as: bench.museum)
        let times = (0..<2).map { listed["letters.\($0).putBackAt"] ?? "null" }
        #expect(times.sorted() == [ServiceBench.start.text, "null"])
    }

    @Test("Letters of an erased device are gone")
    func erased() async throws {
        let bench = try await Bench()
        let site = EditorBench.site
        for device in ["pi-1", "pi-2"] {
            try await bench.set(
                aside: device == "pi-1" ? 1 : 2, key: "\(site)/\(device)",
                value: #"{"site": "\#(site)", "device": "\#(device)"}"#)
        }
        let path = "\(Self.list)?site=\(site)"
        #expect(try await bench.send("GET", path, as: bench.museum)["letters.1.id"] != nil)
        let erasure = DeviceErased(
            id: EventID(high: 9, low: 9), site: site, device: DeviceID("pi-1"),
            at: ServiceBench.start.advanced(byMicroseconds: 9_000_000))
        try await bench.bench.log.append([erasure.record(source: "/test")])
        let left = try await bench.send("GET", path, as: bench.museum)
        #expect(left["letters.0.id"] == Self.id(2) && left["letters.1.id"] == nil)
        let one = try await bench.send("GET", "\(Self.list)/\(Self.id(1))", as: bench.museum)
        #expect(one.status == 404)
    }
}
