import Foundation
import TestSupport
import Testing

/// What a campus does from the first token to the last look at the log: the same for every way to
/// run it. The steps build on each other.
struct PipelineScenario {
    static let positions = "whereabouts.positions"
    /// Walkers and how long they walk, with a scan every 4 s: enough to judge a share by. They are
    /// replayed at their own speed, since nobody walks faster.
    private static let walkers = ["--devices", "\(deviceCount)", "--minutes", "0.5", "--seed", "7"]
    private static let deviceCount = 72

    let campus: Campus
    /// Of this run alone, since a log may have been used before.
    let site: String
    let administrator: String
    let building: String
    /// The scans with their truth, as `import` writes them.
    let scanFile: String
    let began: Date

    /// Makes a token, simulates a building and imports it.
    init(_ campus: Campus) async throws {
        self.campus = campus
        began = Date()
        site = "site-\(UUID().uuidString.prefix(8).lowercased())"
        administrator =
            try await campus.whereabouts(
                "token", "create", "--role", "administrator", "--note", "tests", "--plain"
            ).lines.last ?? ""
        scanFile = campus.folder.appending(path: "scans.jsonl").path
        let simulated = try await Self.simulated.value
        building = simulated.folder
        // The token is known everywhere before anything is asked with it.
        for path in ["/v1/sites", "/v1/positions?site=x", "/v1/sites/x/radio-map"] {
            try await eventually("the token is known") {
                try await campus.send("GET", path, token: administrator).status != 401
            }
        }
        let imported = try await campus.whereabouts(
            "import", "jsonl", building, "--site", site, "--scans", scanFile,
            token: administrator)
        #expect(imported.summary["site"] as? String == site)
        #expect(
            imported.summary["surveysAccepted"] as? Int == simulated.run.summary["surveys"] as? Int)
        #expect(imported.summary["scans"] as? Int == simulated.run.summary["scans"] as? Int)
    }

    /// Simulated once: the same seed makes the same files.
    private static let simulated = Task {
        let folder = try makeTemporaryFolder("building")
        AtExit.remove(folder.path)
        let run = try await ProgramRun.of(
            Programs.command("whereabouts") + ["simulate", "--output", folder.path] + walkers
        ).successful()
        return (folder: folder.path, run: run)
    }

    /// The ids of scans that positions in the log belong to, read by psql or kcat.
    func locatedInLog() async throws -> [String] {
        try await campus.values(of: Self.positions).compactMap { line in
            let position = jsonObject(Array(line.utf8))
            return position["site"] as? String == site ? position["scanId"] as? String : nil
        }.sorted()
    }

    func locatedInView() async throws -> [String] {
        try await campus.psql(
            "SELECT scan_id FROM locator.positions WHERE site = '\(site)'"
        ).sorted()
    }

    /// A scan of the file, as a device that has no id for it and no clock would send it.
    func scan(device: String, index: Int = 0) throws -> [String: Any] {
        let lines = try String(contentsOfFile: scanFile, encoding: .utf8)
            .split(separator: "\n")
        let objects = lines.lazy.map { jsonObject(Array($0.utf8)) }
        let own = objects.filter { $0["device"] as? String == device }
        var scan = Array(own.prefix(index + 1)).last ?? [:]
        for name in ["id", "at", "sentAt", "receivedAt", "truth"] { scan[name] = nil }
        return scan
    }

    // MARK: Scans in

    /// Replays the walk; every accepted scan has one position in the log and one row in the view.
    func locatesEveryScanOnce() async throws {
        let acceptedFile = campus.folder.appending(path: "accepted.txt").path
        let summary = try await campus.whereabouts(
            "replay", scanFile, "--accepted", acceptedFile, token: administrator
        ).summary
        let accepted = try String(contentsOfFile: acceptedFile, encoding: .utf8)
            .split(separator: "\n").map(String.init).sorted()
        let offered = try String(contentsOfFile: scanFile, encoding: .utf8)
            .split(separator: "\n").count
        #expect(accepted.count == offered)
        #expect(summary["scansAccepted"] as? Int == offered)
        #expect(summary["positions"] as? Int == offered)
        #expect(try #require(summary["medianError"] as? Double) <= 2.5)
        let roomHit = try #require(summary["roomHit"] as? Double)
        #expect(roomHit >= 0.85)
        #expect(try #require(summary["floorHit"] as? Double) >= 0.99)
        let inLog = try await locatedInLog()
        #expect(inLog == accepted)
        try await eventually("the view has all positions") {
            try await locatedInView().count >= accepted.count
        }
        let inView = try await locatedInView()
        #expect(inView == accepted)
    }

    // MARK: Positions out

    /// History in three formats and page by page, and the latest of each device.
    func handsPositionsOut() async throws {
        let all = try await get("/v1/positions?site=\(site)&limit=10000")
        #expect(all.headers["content-type"] == "application/x-ndjson")
        let ids = all.lines.map { jsonObject(Array($0.utf8))["id"] as? String ?? "" }
        let count = try await locatedInView().count
        #expect(ids.count == count)
        #expect(Set(ids).count == count)

        var paged: [String] = []
        var cursor: String?
        repeat {
            let after = cursor.map { "&after=\($0)" } ?? ""
            let page = try await get("/v1/positions?site=\(site)&limit=77\(after)")
            paged += page.lines.map { jsonObject(Array($0.utf8))["id"] as? String ?? "" }
            cursor = page.headers["whereabouts-next"]
        } while cursor != nil && paged.count <= count
        #expect(paged == ids)

        let table = try await get("/v1/positions?site=\(site)&limit=10000", accept: "text/csv")
        #expect(table.lines.first?.hasPrefix("id,scanId,at,") == true)
        #expect(table.lines.dropFirst().map { String($0.prefix(36)) } == ids)

        let map = try await get(
            "/v1/positions?site=\(site)&limit=10000", accept: "application/geo+json")
        let features = map.json["features"] as? [[String: Any]] ?? []
        #expect(map.json["type"] as? String == "FeatureCollection")
        #expect(features.map { $0["id"] as? String } == ids)

        let latest = try await get("/v1/positions/latest?site=\(site)")
        let newest = latest.json["positions"] as? [[String: Any]] ?? []
        #expect(Set(newest.compactMap { $0["device"] as? String }).count == Self.deviceCount)
        #expect(newest.count == Self.deviceCount)
        let own = try await get("/v1/positions?site=\(site)&device=walker-3")
        let last = own.lines.last.map { jsonObject(Array($0.utf8)) }
        let shown = newest.first { $0["device"] as? String == "walker-3" }
        #expect(shown?["id"] as? String == last?["id"] as? String)
    }

    /// The visits of the log, each once, page by page and by zone.
    func tellsVisits() async throws {
        let expected = Set(
            try await campus.values(of: "whereabouts.visits").compactMap {
                jsonObject(Array($0.utf8))["visit"] as? String
            })
        #expect(expected.count >= Self.deviceCount)
        try await eventually("the view has all visits") {
            try await campus.psql("SELECT count(*) FROM visits.visits") == ["\(expected.count)"]
        }
        var paged: [[String: Any]] = []
        var cursor: String?
        repeat {
            let after = cursor.map { "&after=\($0)" } ?? ""
            let page = try await get("/v1/visits?site=\(site)&limit=5\(after)")
            paged += page.lines.map { jsonObject(Array($0.utf8)) }
            cursor = page.headers["whereabouts-next"]
        } while cursor != nil && paged.count <= expected.count
        #expect(paged.count == expected.count)
        #expect(Set(paged.compactMap { $0["id"] as? String }) == expected)
        let entered = paged.compactMap { $0["entered"] as? String }
        #expect(entered == entered.sorted())
        let zone = try #require(paged.first?["zone"] as? String)
        let ofZone = try await get(
            "/v1/visits?site=\(site)&zone=\(zone)&until=2100-01-01T00:00:00Z")
        #expect(ofZone.lines.count == paged.count { $0["zone"] as? String == zone })
        let past = try await get("/v1/visits?site=\(site)&until=2001-01-01T00:00:00Z")
        #expect(past.lines.isEmpty)
    }

    /// A reader that comes back with the last event's id gets the rest, and nothing twice.
    func streamResumes() async throws {
        let expected = try await locatedInLog()
        let since = began.addingTimeInterval(-5).formatted(.iso8601)
        let path = "/v1/positions/stream?site=\(site)&since=\(since)"
        let first = try await PositionReader.read(
            campus, path, token: administrator, count: expected.count / 3)
        let rest = try await PositionReader.read(
            campus, path, token: administrator, after: first.last?.id,
            count: expected.count - first.count)
        let seen = (first + rest).map(\.scan)
        #expect(seen.sorted() == expected)
        // From the end on there is nothing more.
        let none = try await PositionReader.read(
            campus, path, token: administrator, after: rest.last?.id, count: 1, seconds: 2)
        #expect(none.isEmpty)
    }

    func locatesWithoutStoring() async throws {
        let before = try await locatedInLog().count
        let answer = try await campus.send(
            "POST", "/v1/locate", token: administrator,
            body: jsonText(try scan(device: "walker-1")))
        #expect(answer.status == 200)
        #expect(answer.json["state"] as? String == "located")
        #expect(answer.json["room"] is String)
        #expect(answer.json["site"] as? String == site)
        let after = try await locatedInLog().count
        #expect(after == before)
    }

    private func get(
        _ path: String, accept: String = "application/x-ndjson"
    ) async throws -> Answer {
        let answer = try await campus.send(
            "GET", path, token: administrator, headers: [("accept", accept)])
        try #require(answer.status == 200, "\(path): \(answer.text)")
        return answer
    }
}
