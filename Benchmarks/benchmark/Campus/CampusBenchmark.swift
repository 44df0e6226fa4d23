import EventLog
import Events
import Foundation
import HTTPClient
import Postgres
import SampleSites
import Site
import TestSupport
import Wayfinding
import Wire

/// Measures a campus as large as they get. It shows how long its publication takes, how soon the
/// change of one room is live, and what a start with it takes.
///
/// The peer of a change is the making of the whole network in this process. Each change would cost
/// that if nothing were taken over from the network before.
struct CampusBenchmark {
    private static let site = "campus"
    /// A room in the middle of a building, and one of another building.
    fileprivate static let changed = SampleCampus.large.room(20, 2, 9)
    fileprivate static let far = SampleCampus.large.room(3, 3, 40)

    let options: BenchmarkOptions

    func run() async throws {
        let whole = try measureNetwork()
        for log in options.logs {
            let database = try await PrivatePostgres.shared().makeDatabase().connectionString
            if log == "postgres" {
                try await measure(.postgres(conninfo: database), log, database, whole)
            } else if log == "kafka", let kafka = RealKafka.start() {
                try await measure(
                    .kafka(bootstrapServers: kafka.bootstrapServers), log, database, whole)
                kafka.stop()
            }
        }
    }

    private func seconds<Answer>(
        _ what: String, _ body: () throws -> Answer
    ) rethrows -> (Answer, seconds: Double) {
        let began = ContinuousClock.now
        let answer = try body()
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        note(String(format: "%6.2f s %@", seconds, what))
        return (answer, seconds)
    }

    /// The seconds to make the whole network.
    private func measureNetwork() throws -> Double {
        let document = SampleCampus.large.document
        let doors = document.connections.count { $0.kind == .door }
        note(
            "\(document.buildings.count) buildings, \(document.floors.count) floors, "
                + "\(document.rooms.count) rooms, \(doors) doors")
        let (json, _) = seconds("to write the document") { document.json }
        note("\(json.count) bytes")
        _ = try seconds("to read the document") { try SiteDocument(json: json) }
        let (index, _) = try seconds("to index it") { try SiteIndex(document) }
        let (network, whole) = try seconds("to make the whole network") {
            try WayNetwork(index)
        }
        var changed = document
        guard let room = changed.rooms.firstIndex(where: { $0.id == Self.changed }) else {
            throw BenchmarkFault("the campus lacks the room that changes")
        }
        changed.rooms[room].name = "Another name"
        let next = try SiteIndex(changed)
        _ = try seconds("to make it after a change of one room") {
            try WayNetwork(next, after: network)
        }
        return whole
    }

    private func measure(
        _ log: ChosenLog, _ name: String, _ database: String, _ whole: Double
    ) async throws {
        let directory = try temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let environment = ["DATABASE_URL": database]
        let service = try await RunningService(log: log, environment: environment, in: directory)
        let client = HTTPClient()
        defer { client.close() }
        let campus = PublishedCampus(client: client, service: service, site: Self.site)
        let other = try OtherSite(log, MeasuredServices(service))
        try await other.during("nothing else") { try await Task.sleep(for: .seconds(5)) }
        let began = ContinuousClock.now
        try await other.during("its first publication") {
            try await campus.send("PUT", "/v1/sites/\(Self.site)", SampleCampus.large.document.json)
            note(String(format: "%6.2f s PUT (%@)", (.now - began) / .seconds(1), name))
            try await campus.untilRouted(version: 1)
            note(String(format: "%6.2f s until routes use it", (.now - began) / .seconds(1)))
        }
        for format in ["geojson", "imdf"] {
            let seconds = try await other.during("import") {
                try await campus.copied(as: format)
            }
            note(String(format: "%6.2f s to import it as %@", seconds, format))
        }
        let surveys = CampusSurveys(site: SiteID(Self.site), log: try log.open())
        let surveyed = try await other.during("surveys") { try await surveys.run() }
        await surveys.log.close()
        note(String(format: "%6.2f s until a survey is in the map of its building", surveyed))
        var comparison = Comparison(
            "campus-\(name)", unit: "seconds until a changed room is live",
            peerName: "making the whole network")
        for pair in 1...options.pairs {
            let seconds = try await other.during("a change") {
                try await campus.change(version: pair + 1)
            }
            comparison.add(ours: seconds, peer: whole)
        }
        await other.close()
        note("\(try service.program.residentBytes() >> 20) MB in all")
        service.program.end()
        try await measureStarts(log, environment, in: directory)
        comparison.report()
    }

    /// Starts each service alone on the campus. The locator gets its map from the builder.
    private func measureStarts(
        _ log: ChosenLog, _ environment: [String: String], in directory: URL
    ) async throws {
        var builder: RunningService?
        for name in ["scan-ingest", "site-editor", "fingerprint-builder", "locator", "router"] {
            var environment = environment
            environment["WHEREABOUTS_SERVICE_SECRET"] = String(repeating: "0", count: 64)
            environment["WHEREABOUTS_FINGERPRINT_BUILDER_URL"] = builder.map {
                "http://127.0.0.1:\($0.port)"
            }
            let began = ContinuousClock.now
            let service = try await RunningService(
                name, log: log, environment: environment, in: directory)
            let seconds = (ContinuousClock.now - began) / .seconds(1)
            note(
                String(
                    format: "%6.2f s, %d MB: %@ is ready", seconds,
                    try service.program.mostResidentBytes() >> 20, name))
            if name == "fingerprint-builder" { builder = service } else { service.program.end() }
        }
        builder?.program.end()
    }
}

/// The campus at a running service.
private struct PublishedCampus {
    private static let patience = Duration.seconds(60)

    let client: HTTPClient
    let service: RunningService
    let site: String

    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: [UInt8], tag: String? = nil
    ) async throws -> HTTPClientResponse {
        let headers = [("authorization", "Bearer \(service.token)")]
        let answer = try await client.send(
            method, "http://127.0.0.1:\(service.port)\(path)",
            headers: headers + (tag.map { [("if-match", $0)] } ?? []), body: body,
            timeoutSeconds: 120)
        guard (200..<300).contains(answer.status) else {
            throw BenchmarkFault(
                "\(method) \(path): \(answer.status) "
                    + String(decoding: answer.body.prefix(500), as: UTF8.self))
        }
        return answer
    }

    /// Changes the name of one room and publishes it.
    ///
    /// - Returns: the seconds from the request to publish until the router answers with it.
    func change(version: Int) async throws -> Double {
        let path = "/v1/sites/\(site)/rooms/\(CampusBenchmark.changed)"
        let known = try await send("GET", path + "?version=draft", [])
        let body = #"{"name": "Room of version \#(version)"}"#
        let draft = try await send(
            "PATCH", path, Array(body.utf8), tag: known.headers["etag"])
        let began = ContinuousClock.now
        try await send(
            "POST", "/v1/sites/\(site)/publish", Array("{}".utf8), tag: draft.headers["etag"])
        note(String(format: "    %.2f s to publish", (ContinuousClock.now - began) / .seconds(1)))
        try await untilRouted(version: version)
        return (ContinuousClock.now - began) / .seconds(1)
    }

    /// The seconds to import the exported campus as a site of its own.
    func copied(as format: String) async throws -> Double {
        let file = try await send("GET", "/v1/sites/\(site)/export?format=\(format)", []).body
        let began = ContinuousClock.now
        try await send("POST", "/v1/sites/\(site)-\(format)/imports?format=\(format)", file)
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        try await send("DELETE", "/v1/sites/\(site)-\(format)?confirm=\(site)-\(format)", [])
        return seconds
    }

    func untilRouted(version: Int) async throws {
        let question = """
            {"site": "\(site)", "from": {"room": "\(CampusBenchmark.changed)"},
             "to": [{"room": "\(CampusBenchmark.far)"}]}
            """
        let began = ContinuousClock.now
        while ContinuousClock.now - began < Self.patience {
            let answer = try await client.send(
                "POST", "http://127.0.0.1:\(service.port)/v1/routes",
                headers: [("authorization", "Bearer \(service.token)")], body: Array(question.utf8))
            let text = String(decoding: answer.body, as: UTF8.self)
            if answer.status == 200, text.contains(#""siteVersion":\#(version)"#) {
                guard text.prefix(15).contains("true") else {
                    throw BenchmarkFault("no route: \(text.prefix(500))")
                }
                return
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw BenchmarkFault("the router does not use version \(version)")
    }
}
