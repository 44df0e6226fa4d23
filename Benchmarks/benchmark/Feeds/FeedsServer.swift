import EventLog
import Events
import Foundation
import Geometry
import HTTPClient
import JSON
import Repository
import Site
import TestSupport
import Wire

/// The calendars of the benchmark, on a server of its own, with its peers.
struct FeedsServer {
    static let feeds = 1_000
    private static let hosts = 50
    private static let sites = 5
    private static let rooms = 100

    /// The path of the certificate that all its addresses have.
    let certificate: String
    private let port = Int.random(in: 20_000..<32_000)
    private let program: PinnedProgram
    private let client: HTTPClient

    init(in directory: URL) throws {
        let certificate = directory.appending(path: "feeds.pem").path
        let names = (1...Self.hosts).map { "IP:127.0.1.\($0)" }.joined(separator: ",")
        _ = try runProgram([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-noenc", "-days", "2", "-subj", "/CN=feeds",
            "-addext", "subjectAltName=\(names)", "-keyout", certificate + ".key", "-out",
            certificate,
        ])
        let both = certificate + ".both"
        let parts = try [certificate + ".key", certificate].map {
            try String(contentsOfFile: $0, encoding: .utf8)
        }
        try parts.joined().write(toFile: both, atomically: true, encoding: .utf8)
        self.certificate = certificate
        let script = repository.appending(path: "Benchmarks/feeds-server/feeds_server.py").path
        program = try PinnedProgram(
            command: ["python3", script, "\(port)", both], processor: nil, in: directory)
        _ = try program.firstLine()
        var configuration = HTTPClient.Configuration()
        configuration.certificateFile = certificate
        client = HTTPClient(configuration)
    }

    private func url(_ client: String, _ number: Int) -> String {
        "https://127.0.1.\(number % Self.hosts + 1):\(port)/\(client)/\(number)"
    }

    /// Sites with rooms as the calendars name them. A site has at most 200 feeds.
    static func publishSites(to choice: ChosenLog) async throws {
        let log = try choice.open()
        try await log.createTopics(Topic.specifications())
        let building = BuildingRecord(
            id: BuildingID("main"), name: "Main", timeZone: "Europe/London")
        let floor = FloorRecord(
            id: FloorID("0"), building: building.id, ordinal: 0, level: "Ground")
        let rooms = (0..<Self.rooms).map { number in
            RoomRecord(
                id: RoomID("r\(number)"), floor: floor.id, name: "Room \(number)", kind: "room",
                outline: [])
        }
        let document = SiteDocument(
            name: "Campus", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
            buildings: [building], floors: [floor], rooms: rooms)
        for number in 0..<sites {
            let event = SitePublished(
                site: SiteID("campus-\(number)"), version: 1, publishedAt: .now,
                document: document)
            try await log.append([event.record(source: "/benchmark")])
        }
        await log.close()
    }

    /// Sets up the feeds of the service.
    func setUp(_ service: RunningService) async throws {
        for number in 0..<Self.feeds {
            var writer = JSONWriter()
            writer.beginObject()
            writer.field("kind", "icalendar")
            writer.field("address", url("ours", number))
            writer.field("everySeconds", 60)
            writer.endObject()
            let answer = try await client.send(
                "PUT",
                "http://127.0.0.1:\(service.port)/v1/sites/campus-\(number % Self.sites)"
                    + "/feeds/f\(number)",
                headers: [("authorization", "Bearer \(service.token)")], body: writer.finish())
            guard answer.status == 201 else {
                throw BenchmarkFault("feed: \(String(decoding: answer.body, as: UTF8.self))")
            }
        }
    }

    /// Gives the service's calendar an event with another title.
    func touch(_ number: Int, _ word: String) async throws {
        let answer = try await client.send("POST", url("ours", number) + "/" + word)
        guard answer.status == 204 else { throw BenchmarkFault("touch: \(answer.status)") }
    }

    /// The service's answers that were not as the ones before.
    func changed() async throws -> Int64 {
        let answer = try await client.send(
            "GET", "https://127.0.1.1:\(port)/ours/counts")
        let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        guard let changed = object?["changed"] as? Int64 else {
            throw BenchmarkFault("the server has no counts")
        }
        return changed
    }

    /// The mean milliseconds of the peer's processor time for all feeds.
    ///
    /// - Parameter mode: `all` for the peer that remembers nothing.
    func peerMilliseconds(
        _ rounds: Int, _ mode: String? = nil, in directory: URL
    ) throws -> Double {
        let list = directory.appending(path: "feeds.txt")
        let name = "peer-\(UUID().uuidString)"
        let lines = (0..<Self.feeds).map { url(name, $0) + "\n" }
        try lines.joined().write(to: list, atomically: true, encoding: .utf8)
        let peer = try PinnedProgram(
            "feeds-peer", [list.path, certificate, "\(rounds)"] + (mode.map { [$0] } ?? []),
            processor: nil, in: directory)
        let printed = try peer.wholeOutput(limitSeconds: 300)
        let object = try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any]
        guard let figures = object?["milliseconds"] as? [Double], !figures.isEmpty else {
            throw BenchmarkFault("the peer printed \(printed)")
        }
        return figures.reduce(0, +) / Double(figures.count)
    }
}
