import Events
import Foundation
import HTTPClient
import Postgres
import Simulation
import Site
import TestSupport
import Wire

/// Measures how soon routes change after an outage is reported or ended.
///
/// The time begins with the answer to the report, which comes after its commit. It ends with the
/// first changed route; the route is requested again and again. It is measured with one process
/// and with two, on each kind of log. The peer is the same route request when nothing has changed.
struct OutageBenchmark {
    /// The number of outages that are reported and ended in each run.
    private static let outages = 50
    private static let questions = 500

    let options: BenchmarkOptions

    func run() async throws {
        for log in options.logs {
            let database = try await PrivatePostgres.shared().makeDatabase().connectionString
            if log == "postgres" {
                try await measure(.postgres(conninfo: database), log, database)
            } else if let kafka = RealKafka.start() {
                // A new broker for each run: this database has none of the sites of another run.
                try await measure(
                    .kafka(bootstrapServers: kafka.bootstrapServers), log, database)
                kafka.stop()
            }
        }
    }

    private func measure(_ log: ChosenLog, _ name: String, _ database: String) async throws {
        let directory = try temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let environment = ["DATABASE_URL": database]
        let editor = try await RunningService(
            "site-editor", log: log, environment: environment, in: directory)
        let router = try await RunningService(
            "router", log: log, environment: environment, in: directory)
        try await compare("outage-\(name)-apart", editor, router)
        editor.program.end()
        router.program.end()
        let whole = try await RunningService(
            log: log, environment: environment, in: directory)
        try await compare("outage-\(name)", whole, whole)
        whole.program.end()
    }

    private func compare(
        _ name: String, _ editor: RunningService, _ router: RunningService
    ) async throws {
        let door = try await OnlyDoor(editor: editor, router: router)
        var comparison = Comparison(
            name, unit: "milliseconds, median", peerName: "a route without a new outage")
        for pair in 0...options.pairs {
            var figures: [Double] = []
            for _ in 0..<Self.outages {
                let id = UUID().uuidString
                try await door.report(id)
                figures.append(try await door.milliseconds(untilFound: false))
                try await door.end(id)
                figures.append(try await door.milliseconds(untilFound: true))
            }
            var peer: [Double] = []
            for _ in 0..<Self.questions {
                peer.append(try await door.milliseconds(untilFound: true))
            }
            // The first pair fills caches and does not count.
            guard pair > 0 else { continue }
            comparison.add(ours: median(figures), peer: median(peer))
            note(String(format: "    at most %.1f ms", figures.max() ?? 0))
        }
        comparison.report()
        door.client.close()
    }
}

/// The only door of a room, with the site-editor that gets its outages and the router that is asked
/// for a route through it.
private struct OnlyDoor {
    private static let site = "house"
    private static let patience = Duration.seconds(20)

    let client = HTTPClient()
    private let editor: RunningService
    private let router: RunningService
    private let door: ConnectionID
    private let question: [UInt8]

    /// Publishes the simulated house, and waits until the router finds a route in it.
    init(editor: RunningService, router: RunningService) async throws {
        self.editor = editor
        self.router = router
        let document = SimulatedBuilding.make(seed: 1).document
        let uses = document.connections.flatMap(\.stops).reduce(into: [RoomID: Int]()) {
            if let room = $1.room { $0[room, default: 0] += 1 }
        }
        let doors = document.connections.filter { $0.kind == .door && $0.stops.count == 2 }
        let found = doors.lazy.compactMap { way -> (ConnectionID, RoomID, RoomID)? in
            guard let first = way.stops[0].room, let second = way.stops[1].room else { return nil }
            if uses[second] == 1 { return (way.id, second, first) }
            return uses[first] == 1 ? (way.id, first, second) : nil
        }.first
        guard let (door, room, outside) = found else {
            throw BenchmarkFault("the house has no room with one door")
        }
        self.door = door
        question = Array(
            """
            {"site": "\(Self.site)", "from": {"room": "\(room)"}, "to": [{"room": "\(outside)"}]}
            """.utf8)
        try await change("PUT", "/v1/sites/\(Self.site)", document.json)
        _ = try await milliseconds(untilFound: true)
    }

    func report(_ id: String) async throws {
        let report = """
            {"id": "\(id)", "site": "\(Self.site)", "connection": "\(door)",
             "reason": "benchmark", "reportedBy": "benchmark"}
            """
        try await change("POST", "/v1/outages", Array(report.utf8))
    }

    func end(_ id: String) async throws { try await change("DELETE", "/v1/outages/\(id)", []) }

    /// The milliseconds from now to the end of the first answer with a route (or, if `wanted` is
    /// false, without one).
    func milliseconds(untilFound wanted: Bool) async throws -> Double {
        let began = ContinuousClock.now
        while ContinuousClock.now - began < Self.patience {
            let answer = try await send(router, "POST", "/v1/routes", question)
            let isFound = String(decoding: answer.body.prefix(15), as: UTF8.self).contains("true")
            if answer.status == 200, isFound == wanted {
                return (ContinuousClock.now - began) / .milliseconds(1)
            }
            // The router has not read the site from the log yet.
            if answer.status != 200 { try await Task.sleep(for: .milliseconds(50)) }
        }
        throw BenchmarkFault("the router did not apply the outage")
    }

    private func change(_ method: String, _ path: String, _ body: [UInt8]) async throws {
        let answer = try await send(editor, method, path, body)
        guard (200..<300).contains(answer.status) else {
            throw BenchmarkFault(
                "\(method) \(path): \(String(decoding: answer.body, as: UTF8.self))")
        }
    }

    private func send(
        _ service: RunningService, _ method: String, _ path: String, _ body: [UInt8]
    ) async throws -> HTTPClientResponse {
        try await client.send(
            method, "http://127.0.0.1:\(service.port)\(path)",
            headers: [("authorization", "Bearer \(service.token)")], body: body)
    }
}
