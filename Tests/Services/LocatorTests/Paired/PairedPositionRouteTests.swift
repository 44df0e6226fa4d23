import Events
import HTTPClient
import LogViews
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import Site
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Locator

@Suite(
    "Positions of paired devices",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct PairedPositionRouteTests {
    private static let pairing = EventID(high: 4, low: 4)
    private static let path = "/v1/sites/sample/pairings/\(pairing)/position"

    /// The answers of site-editor, and the headers with which it was asked.
    private final class Editor: Sendable {
        struct State {
            var status = 200
            var body = ""
            var asked: [String] = []
        }
        let state = Mutex(State())

        func pairing(from: Timestamp, isActive: Bool = true) {
            state.withLock {
                $0.body = """
                    {"pairings": [{"id": "\(EventID(high: 4, low: 5))", "site": "sample",
                        "scanner": "other", "from": "\(from.text)", "active": true},
                      {"id": "\(PairedPositionRouteTests.pairing)", "site": "sample",
                        "scanner": "pi-1", "from": "\(from.text)", "active": \(isActive)}]}
                    """
            }
        }

        var neighbour: Neighbour {
            Neighbour { [self] path, headers, _ in
                state.withLock { state in
                    state.asked.append(path)
                    state.asked += headers.map { "\($0.name): \($0.value)" }
                    return HTTPClientResponse(
                        status: state.status, headers: [:], body: Array(state.body.utf8))
                }
            }
        }
    }

    private let bench: ServiceBench
    private let pool: PostgresPool
    private let editor = Editor()
    private let app: Served
    private let visitor: String

    init() async throws {
        bench = try await ServiceBench()
        pool = try await ServiceBench.database()
        var document = SampleSite.index.document
        document.rooms[0].visibility = .staff
        bench.publish(try SiteIndex(document))
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    CREATE SCHEMA locator;
                    CREATE TABLE locator.latest_positions (site text, device text, event jsonb)
                    """)
        }
        visitor = bench.issue(.visitor, site: SampleSite.id)
        app = try bench.serve([
            PairedPositionRoute(
                published: bench.sites, clock: bench.clock, siteEditor: editor.neighbour,
                pool: pool
            ).route
        ])
        editor.pairing(from: ServiceBench.start)
    }

    /// - Parameters:
    ///   - seconds: the time of the scan after the pairing, by the device's clock.
    ///   - located: the time when it was located; nil for the same.
    private func put(
        _ device: String, seconds: Int64, located: Int64? = nil, room: String
    ) async throws {
        var position = PositionEstimated(
            id: EventID(high: 1, low: 1), scan: EventID(high: 1, low: 2),
            at: ServiceBench.start.advanced(byMicroseconds: seconds * 1_000_000),
            locatedAt: ServiceBench.start.advanced(
                byMicroseconds: (located ?? seconds) * 1_000_000),
            device: DeviceID(device), site: SampleSite.id,
            siteVersion: 1, state: .located, late: false, positioner: "p", radioMapVersion: 1)
        (position.floor, position.room) = (SampleSite.ground, RoomID(room))
        (position.x, position.y) = (5, 4)
        try await pool.query(
            "DELETE FROM locator.latest_positions WHERE device = $1", [.text(device)])
        try await pool.query(
            "INSERT INTO locator.latest_positions VALUES ('sample', $1, $2::jsonb)",
            [.text(device), .text(String(decoding: position.json, as: UTF8.self))])
    }

    private func ask() async throws -> Answer {
        try await app.send("GET", Self.path, token: visitor)
    }

    @Test("A visitor sees the device's positions since the pairing, and no other device's")
    func seen() async throws {
        try await put("other", seconds: 50, room: "B")
        #expect(try await ask().code == "position-unknown")
        try await put("pi-1", seconds: -1, room: "C")
        #expect(try await ask().code == "position-unknown", "it was made before")
        try await put("pi-1", seconds: 600, located: -1, room: "C")
        #expect(try await ask().code == "position-unknown", "the device's clock is ahead")
        try await put("pi-1", seconds: -1, located: 5, room: "C")
        #expect(try await ask().code == "position-unknown", "the scan came late")
        try await put("pi-1", seconds: 0, room: "C")
        bench.pass(seconds: 7)
        let seen = try await ask()
        #expect(seen["position.room"] == "C" && seen["ageSeconds"] == "7", "\(seen.text)")
        #expect(seen["position.device"] == "pi-1")
        #expect(seen.headers["cache-control"] == "no-store")
        try await put("pi-1", seconds: 5, room: "A")
        let staff = try await ask()
        #expect(staff["position.room"] == nil, "\(staff.text)")
        #expect(staff["position.area"] == "staff")
    }

    @Test("Site-editor is asked in the visitor's name, and an ended pairing shows nothing")
    func ended() async throws {
        try await put("pi-1", seconds: 0, room: "C")
        #expect(try await ask().status == 200)
        #expect(
            editor.state.withLock { $0.asked }
                == ["/v1/sites/sample/pairings?mine=true", "authorization: Bearer \(visitor)"])
        editor.pairing(from: ServiceBench.start, isActive: false)
        #expect(try await ask().code == "pairing-unknown")
        editor.state.withLock { $0.body = #"{"pairings": []}"# }
        #expect(try await ask().code == "pairing-unknown")
        editor.state.withLock { $0.status = 503 }
        let away = try await ask()
        #expect(away.status == 503 && away.headers["retry-after"] == "2", "\(away.text)")
        for (status, code) in [(401, "session-wrong"), (429, "too-many-requests")] {
            editor.state.withLock {
                $0.status = status
                $0.body = #"{"code": "\#(code)", "detail": "No."}"#
            }
            let refused = try await ask()
            #expect(refused.status == status && refused.code == code, "\(refused.text)")
        }
        let service = try await app.send(
            "GET", Self.path, token: ServiceBench.serviceSecret)
        #expect(service.status == 403, "\(service.text)")
        let malformed = try await app.send(
            "GET", "/v1/sites/sample/pairings/x/position", token: visitor)
        #expect(malformed.code == "id-malformed")
    }
}
