import Foundation
import HTTPClient
import Repository
import TestSupport
import Testing

/// A small site whose feeds come from a server of the test's own, at addresses of this machine.
struct FeedSite: Sendable {
    private static let path = "/v1/sites/\(SmallSite.name)"
    /// The only address that the service may ask.
    private static let address = "127.0.0.2"

    let small: SmallSite
    private let port: Int
    private let securePort: Int
    private let process: ServerProcess
    private let client = HTTPClient()

    init(_ kafka: RealKafka? = nil, settings: [String: String] = [:]) async throws {
        small = try await SmallSite(
            settings: ["WHEREABOUTS_FEED_NETWORKS": "\(Self.address)/32"].merging(settings) { $1 },
            kafka: kafka)
        let ports = freePorts(2)
        (port, securePort) = (ports[0], ports[1])
        let folder = small.campus.folder
        let certificate = folder.appending(path: "strangers.pem").path
        _ = try runProgram([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-noenc", "-days", "2", "-subj", "/CN=stranger",
            "-keyout", certificate + ".key", "-out", certificate,
        ])
        let key = try String(contentsOfFile: certificate + ".key", encoding: .utf8)
        let text = try String(contentsOfFile: certificate, encoding: .utf8)
        try (key + text).write(toFile: certificate, atomically: true, encoding: .utf8)
        let program = repository.appending(path: "Tests/System/FeedServer/feed_server.py")
        process = try ServerProcess(
            [
                "python3", program.path, "\(port)", Self.address, "--tls", "\(securePort)",
                certificate,
            ], logPath: folder.appending(path: "feed-server.log").path)
        let (client, asked) = (client, url("asked"))
        try await eventually("the feeds' server answers") {
            (try? await client.send("GET", asked))?.status == 200
        }
    }

    // MARK: The server

    func url(_ name: String) -> String { "http://\(Self.address):\(port)/\(name)" }

    /// The same over TLS, with a certificate that nobody trusts.
    func secureURL(_ name: String) -> String { "https://\(Self.address):\(securePort)/\(name)" }

    /// An address at which the service is sent on to another one.
    func redirect(to address: String) -> String { url("to/" + WebAddress.escaped(address)) }

    /// The server at another host's name or address.
    func url(_ name: String, at host: String) -> String { "http://\(host):\(port)/\(name)" }

    func serve(_ name: String, _ bytes: [UInt8]) async throws {
        let answer = try await client.send("PUT", url(name), body: bytes)
        try #require(answer.status == 204)
    }

    func serve(_ name: String, _ text: String) async throws {
        try await serve(name, Array(text.utf8))
    }

    /// How often the server was asked at each of its addresses.
    func hits() async throws -> [String: Any] {
        jsonObject(try await client.send("GET", url("hits")).body)
    }

    // MARK: Feeds

    static var comingMonday: Date {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        let next = calendar.nextDate(
            after: Date(), matching: DateComponents(hour: 0, weekday: 2),
            matchingPolicy: .nextTime)
        return next ?? Date()
    }

    static func week(of day: Date) -> String {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.yearForWeekOfYear, .weekOfYear], from: day)
        let week = parts.weekOfYear ?? 1
        return "\(parts.yearForWeekOfYear ?? 0)-W\(week < 10 ? "0" : "")\(week)"
    }

    /// Hours of a day, each with its title and its room.
    static func feed(_ events: [(String, Date, Int, String, String)]) -> String {
        calendar(
            events.map { uid, day, hour, title, room in
                event(uid, day.addingTimeInterval(Double(hour) * 3_600), title, room)
            })
    }

    static func event(
        _ uid: String, _ begin: Date, _ title: String, _ room: String, _ more: [String] = []
    ) -> String {
        let lines = [
            "BEGIN:VEVENT", "UID:\(uid)", "DTSTART:\(stamp(begin))", "DURATION:PT1H",
            "SUMMARY:\(title)", "LOCATION:\(room)",
        ]
        return (lines + more + ["END:VEVENT", ""]).joined(separator: "\r\n")
    }

    static func calendar(_ events: [String]) -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test\r\n" + events.joined()
            + "END:VCALENDAR\r\n"
    }

    private static func stamp(_ moment: Date) -> String {
        moment.formatted(.iso8601).filter { !"-:".contains($0) }
    }

    // MARK: Requests

    func put(_ id: String, _ feed: [String: Any]) async throws {
        let answer = try await small.campus.send(
            "PUT", "\(Self.path)/feeds/\(id)", token: small.administrator, body: jsonText(feed))
        try #require([200, 201].contains(answer.status), "\(answer.text)")
    }

    func fetch(_ id: String) async throws {
        // After a reconcile, changes are taken again within 20 seconds.
        try await eventually("the fetch is taken", seconds: 60) {
            try await small.campus.send(
                "POST", "\(Self.path)/feeds/\(id)/fetch", token: small.administrator
            ).status == 202
        }
    }

    func get(_ path: String, accept: String = "application/json") async throws -> Answer {
        try await small.campus.send(
            "GET", Self.path + path, token: small.administrator, headers: [("accept", accept)])
    }

    func report(_ id: String) async throws -> [String: Any] {
        try await get("/feeds/\(id)/report").json
    }

    /// The report of the first fetch after this one.
    func report(_ id: String, after former: [String: Any]) async throws -> [String: Any] {
        var report: [String: Any] = [:]
        try await eventually("\(id) is fetched: \(small.campus.messages)", seconds: 120) {
            report = try await self.report(id)
            let fetchedAt = report["fetchedAt"] as? String
            return fetchedAt != nil && fetchedAt != former["fetchedAt"] as? String
        }
        return report
    }

    func titles(_ room: String, _ week: String) async throws -> [String] {
        let answer = try await get("/rooms/\(room)/timetable?week=\(week)")
        let bookings = answer.json["bookings"] as? [[String: Any]] ?? []
        return bookings.compactMap { $0["title"] as? String }
    }
}
