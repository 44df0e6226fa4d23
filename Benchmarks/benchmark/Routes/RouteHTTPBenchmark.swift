import Events
import Foundation
import HTTPClient
import MapFormats
import Postgres
import PublicData
import SeededRandomness
import Simulation
import Site
import SiteExchange
import TestSupport
import Wire

/// Measures the p99 of `POST /v1/routes` to `whereabouts serve`, from the first byte sent to the
/// last byte read.
///
/// One client asks again and again for routes with lines and instructions between random rooms of
/// a campus. The peer is the same request from a room to itself: the cost of HTTP and JSON alone.
struct RouteHTTPBenchmark {
    private static let site = "campus"
    private static let questions = 400
    private static let requestsPerRun = 4_000

    let options: BenchmarkOptions

    func run() async throws {
        let directory = try temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let database = try await PrivatePostgres.shared().makeDatabase().connectionString
        let service = try await RunningService(
            log: .postgres(conninfo: database),
            environment: ["DATABASE_URL": database], in: directory)
        let document = try Self.document(options.path)
        let client = HTTPClient()
        defer { client.close() }
        let asking = Asking(client: client, service: service, site: Self.site)
        try await asking.publish(document)
        let (questions, answers) = try await asking.questions(
            document.rooms.map(\.id), count: Self.questions)
        note(
            "\(document.rooms.count) rooms, \(document.connections.count) connections; "
                + "\(questions.count) questions, answers of \(answers / questions.count) bytes")
        func load(_ bodies: [String], _ name: String) throws -> HTTPLoad {
            let files = try bodies.enumerated().map { index, body in
                let file = directory.appending(path: "\(name)-\(index)")
                try Data(body.utf8).write(to: file)
                return file.path
            }
            return HTTPLoad(
                port: service.port, token: service.token, bodies: files,
                requests: Self.requestsPerRun, processor: nil, directory: directory,
                path: "/v1/routes", connections: 1)
        }
        let ours = try load(questions.map(\.body), "question")
        let peer = try load(questions.map(\.nowhere), "nowhere")
        var comparison = Comparison(
            "route-http", unit: "milliseconds, p99", peerName: "a way of no length")
        for pair in 0...options.pairs {
            let (a, b) = (try ours.run(), try peer.run())
            // The first pair fills caches and does not count.
            guard pair > 0 else { continue }
            comparison.add(ours: a.latencyMillisecondsP99, peer: b.latencyMillisecondsP99)
            note(String(format: "    p50 %.3f ms", a.latencyMillisecondsP50))
        }
        service.program.end()
        comparison.report()
    }

    /// The site of the IMDF archive that the command line names, else the campus polytech of the
    /// optional data, else the simulated house.
    private static func document(_ path: String?) throws -> SiteDocument {
        guard let path = path ?? SharedData.path("imdf/polytech.imdf.zip"),
            let format = MapFormat.named("imdf")
        else { return SimulatedBuilding.make(seed: 1).document }
        return try format.read(path).document
    }
}

/// Sends requests to the service as a client does.
private struct Asking {
    struct Question {
        var body: String
        /// The same request from a room to itself.
        var nowhere: String
    }

    let client: HTTPClient
    let service: RunningService
    let site: String

    func publish(_ document: SiteDocument) async throws {
        let answer = try await send("PUT", "/v1/sites/\(site)", document.json)
        guard answer.status < 300 else {
            throw BenchmarkFault(
                "the site was not accepted: \(String(decoding: answer.body, as: UTF8.self))")
        }
    }

    /// Requests for routes between random connected rooms, half of them by wheelchair, in three
    /// languages, and the bytes of all answers.
    func questions(
        _ rooms: [RoomID], count: Int
    ) async throws -> (questions: [Question], answerBytes: Int) {
        var questions: [Question] = []
        var bytes = 0
        var random = SeededRandom(seed: 5)
        for attempt in 0..<(count * 20) where questions.count < count {
            guard let from = rooms.randomElement(using: &random),
                let to = rooms.randomElement(using: &random)
            else { break }
            let profile = attempt % 2 == 0 ? "walking" : "wheelchair"
            let language = ["en", "cy", "de"][attempt % 3]
            func body(_ to: RoomID) -> String {
                """
                {"site": "\(site)", "from": {"room": "\(from)"}, "to": [{"room": "\(to)"}],
                 "profile": "\(profile)", "language": "\(language)"}
                """
            }
            let answer = try await answered(body(to))
            guard String(decoding: answer.prefix(15), as: UTF8.self).contains("true"), from != to
            else { continue }
            bytes += answer.count
            questions.append(Question(body: body(to), nowhere: body(from)))
        }
        guard !questions.isEmpty else { throw BenchmarkFault("no room leads to another") }
        return (questions, bytes)
    }

    /// Repeats the request until the router has read the new site from the log.
    private func answered(_ body: String) async throws -> [UInt8] {
        for _ in 0..<200 {
            let answer = try await send("POST", "/v1/routes", Array(body.utf8))
            if answer.status == 200 { return answer.body }
            guard answer.status == 503 || answer.status == 404 else {
                throw BenchmarkFault(String(decoding: answer.body, as: UTF8.self))
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw BenchmarkFault("the router does not answer")
    }

    private func send(
        _ method: String, _ path: String, _ body: [UInt8]
    ) async throws -> HTTPClientResponse {
        try await client.send(
            method, "http://127.0.0.1:\(service.port)\(path)",
            headers: [("authorization", "Bearer \(service.token)")], body: body)
    }
}
