import Events
import Foundation
import HTTPClient
import Postgres
import SampleSites
import Site
import Synchronization
import TestSupport
import Wire

/// Measures the edits of a draft of a campus with 12,000 rooms. It shows how long one takes to be
/// saved, until another editor sees it, and to be undone. It shows how long a review takes, too.
///
/// The peer of a save is the work of each edit before there was a journal. It wrote the whole draft
/// as JSON, and stored it in one row.
struct EditsBenchmark {
    private static let site = "campus"
    private static let edits = 20
    /// The most milliseconds of a save, until it is seen, of an undo and of a review.
    private static let bars: [(what: String, milliseconds: Double)] = [
        ("saved", 200), ("seen by another editor", 1_000), ("undone", 200), ("reviewed", 5_000),
    ]

    let options: BenchmarkOptions

    func run() async throws {
        let database = try await PrivatePostgres.shared().makeDatabase().connectionString
        let directory = try temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let service = try await RunningService(
            log: .postgres(conninfo: database), environment: ["DATABASE_URL": database],
            in: directory)
        let document = SampleCampus.large.document
        let editing = CampusEditing(service: service, site: Self.site)
        _ = try await editing.send("PUT", "", document.json)
        let peer = try await WholeDraft(database, document)
        // The first edit reads the site.
        _ = try await editing.save("first")
        let seen = SeenRevisions()
        let follower = Task { try await editing.follow(seen) }
        defer { follower.cancel() }
        var comparison = Comparison(
            "edits", unit: "milliseconds to save a room's change",
            peerName: "writing and storing the whole draft")
        var worst = [Double](repeating: 0, count: Self.bars.count)
        for pair in 0...options.pairs {
            var figures = [[Double]](repeating: [], count: Self.bars.count)
            for number in 0..<Self.edits {
                let began = ContinuousClock.now
                let revision = try await editing.save("\(pair) \(number)")
                figures[0].append(began.milliseconds)
                try await seen.wait(for: revision)
                figures[1].append(began.milliseconds)
                let undoing = ContinuousClock.now
                _ = try await editing.undo()
                figures[2].append(undoing.milliseconds)
            }
            let reviewing = ContinuousClock.now
            _ = try await editing.send("GET", "/review?version=draft", [])
            figures[3].append(reviewing.milliseconds)
            var whole: [Double] = []
            for _ in 0..<5 { whole.append(try await peer.milliseconds()) }
            // The first pair fills caches and does not count.
            guard pair > 0 else { continue }
            comparison.add(ours: median(figures[0]), peer: median(whole))
            for (index, bar) in Self.bars.enumerated() {
                worst[index] = max(worst[index], figures[index].max() ?? 0)
                note(
                    String(
                        format: "    %@: median %.1f ms, at most %.1f ms", bar.what,
                        median(figures[index]), figures[index].max() ?? 0))
            }
        }
        service.program.end()
        comparison.report()
        for (bar, found) in zip(Self.bars, worst) where found > bar.milliseconds {
            throw BenchmarkFault(
                "\(bar.what) after \(Int(found)) ms, which is more than \(Int(bar.milliseconds))")
        }
    }
}

extension ContinuousClock.Instant {
    fileprivate var milliseconds: Double { (ContinuousClock.now - self) / .milliseconds(1) }
}

/// The work of the release before for each edit.
private struct WholeDraft {
    private let pool: PostgresPool
    private let document: SiteDocument

    init(_ database: String, _ document: SiteDocument) async throws {
        pool = PostgresPool(PostgresConfiguration(database))
        self.document = document
        try await pool.query("CREATE TABLE whole_drafts (document bytea NOT NULL)")
        try await pool.query("ALTER TABLE whole_drafts ALTER COLUMN document SET STORAGE EXTERNAL")
    }

    func milliseconds() async throws -> Double {
        let began = ContinuousClock.now
        try await pool.query(
            "INSERT INTO whole_drafts (document) VALUES ($1)", [.bytes(document.json)])
        let milliseconds = began.milliseconds
        try await pool.query("DELETE FROM whole_drafts")
        return milliseconds
    }
}

/// The edits that a follower has seen.
private final class SeenRevisions: Sendable {
    private let newest = Mutex(0)

    func note(_ revision: Int) { newest.withLock { $0 = max($0, revision) } }

    func wait(for revision: Int) async throws {
        let began = ContinuousClock.now
        while newest.withLock({ $0 }) < revision {
            guard began.milliseconds < 20_000 else {
                throw BenchmarkFault("nobody saw revision \(revision)")
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

/// An editor of the campus.
private struct CampusEditing {
    private static let room = SampleCampus.large.room(20, 2, 9)

    let client = HTTPClient()
    let service: RunningService
    let site: String

    private var address: String { "http://127.0.0.1:\(service.port)/v1/sites/\(site)" }
    private var headers: [(name: String, value: String)] {
        [("authorization", "Bearer \(service.token)")]
    }

    func send(_ method: String, _ path: String, _ body: [UInt8]) async throws -> [UInt8] {
        let answer = try await client.send(
            method, address + path, headers: headers, body: body, timeoutSeconds: 120)
        guard (200..<300).contains(answer.status) else {
            throw BenchmarkFault(
                "\(method) \(path): \(answer.status) "
                    + String(decoding: answer.body.prefix(500), as: UTF8.self))
        }
        return answer.body
    }

    /// Renames one room.
    ///
    /// - Returns: the draft's revision.
    func save(_ name: String) async throws -> Int {
        let edit = """
            {"edits": [{"id": "\(UUID().uuidString)", "do": "patch", "kind": "rooms",
             "record": "\(Self.room)", "value": {"name": "Room \(name)"}}]}
            """
        let answer = try await send("POST", "/draft/edits", Array(edit.utf8))
        guard let results = object(answer)["results"] as? [[String: Any]],
            let revision = results.first?["revision"] as? Int
        else {
            throw BenchmarkFault("refused: \(String(decoding: answer, as: UTF8.self))")
        }
        return revision
    }

    func undo() async throws -> Int {
        let body = #"{"id": "\#(UUID().uuidString)"}"#
        let answer = try await send("POST", "/draft/undo", Array(body.utf8))
        return object(answer)["revision"] as? Int ?? 0
    }

    /// Notes each edit that the stream shows.
    func follow(_ seen: SeenRevisions) async throws {
        let stream = try await client.stream(address + "/draft/edits/stream", headers: headers)
        var parser = ServerSentEventParser()
        for try await chunk in stream.body {
            for event in parser.feed(chunk) { Int(event.id).map(seen.note) }
        }
    }

    private func object(_ body: [UInt8]) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }
}
