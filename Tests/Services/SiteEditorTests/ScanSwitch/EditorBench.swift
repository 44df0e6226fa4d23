import EventLog
import Events
import Foundation
import HTTP
import LogViews
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import Testing
import Wire

@testable import SiteEditor

/// The routes of the scan switch on a database of their own, with the sample site.
struct EditorBench {
    static let site = SampleSite.id
    static let other = SiteID("other")
    static let requests = "/v1/sites/\(site)/scan-requests"
    static let pairings = "/v1/sites/\(site)/pairings"
    static let codes = "/v1/sites/\(site)/enrolment-codes"

    let bench: ServiceBench
    let pool: PostgresPool
    let app: Served
    let directory: ScanRequestDirectory
    let tokens: TokenStore
    let requests: ScanRequestStore
    let devices: DeviceStore
    let surveyor: String
    let administrator: String
    let visitor: String

    init() async throws {
        let bench = try await ServiceBench()
        let pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        bench.publish()
        try await pool.query(
            """
            INSERT INTO site_editor.sites (id, name, version, published_at, event)
            VALUES ($1, 'Sample', 1, now(), '')
            """, [.text(Self.site.text)])
        let (directory, bell) = (ScanRequestDirectory(), OutboxBell())
        let tokens = TokenStore(pool: pool, bell: bell)
        let requests = ScanRequestStore(
            pool: pool, bell: bell, directory: directory, notices: bench.notices)
        let pairings = PairingStore(pool: pool, requests: requests)
        devices = DeviceStore(pool: pool, secret: "a secret")
        let routes: [[Route]] = [
            ScanRequestRoutes(sites: bench.sites, clock: bench.clock, store: requests).all,
            EnrolmentRoutes(
                sites: bench.sites, clock: bench.clock, security: bench.security,
                store: EnrolmentStore(pool: pool, tokens: tokens, directory: bench.tokens)
            ).all,
            PairingRoutes(
                sites: bench.sites, clock: bench.clock, security: bench.security, store: pairings
            ).all,
            ScannerRoutes(
                sites: bench.sites, clock: bench.clock, security: bench.security,
                store: ScannerStore(pool: pool)
            ).all,
            DeviceRoutes(
                sites: bench.sites, clock: bench.clock, security: bench.security,
                devices: devices, dayKeys: DayKeyStore(pool: pool, hour: 4),
                erasures: ErasureStore(pool: pool, bell: bell), keepers: [], keptOnLog: nil
            ).all,
            TagCodeRoutes(
                sites: bench.sites, clock: bench.clock, store: pairings, devices: devices
            ).all,
        ]
        app = try bench.serve(routes.flatMap(\.self))
        (self.bench, self.pool, self.directory, self.tokens) = (bench, pool, directory, tokens)
        self.requests = requests
        surveyor = bench.issue(.surveyor, site: Self.site)
        administrator = bench.issue(.administratorOfSite, site: Self.site)
        visitor = bench.issue(.visitor, site: Self.site)
    }

    /// A scanner that the tables know.
    ///
    /// - Returns: its token.
    func scanner(
        _ name: String, buildings: [BuildingID] = [], at site: SiteID = Self.site
    ) async throws -> String {
        var order = TokenOrder(role: .scanner, site: site, device: DeviceID(name))
        order.buildings = buildings
        _ = try await tokens.issue(order, at: bench.clock.now)
        return bench.issue(.scanner, site: site, device: DeviceID(name))
    }

    /// Publishes a second site.
    func publishOther() async throws {
        bench.publish(as: Self.other)
        try await pool.query(
            """
            INSERT INTO site_editor.sites (id, name, version, published_at, event)
            VALUES ($1, 'Other', 1, now(), '')
            """, [.text(Self.other.text)])
    }

    /// The token of somebody else who visits.
    func stranger() -> String { bench.issue(.visitor, site: Self.site) }

    func send(
        _ method: String, _ path: String, as token: String?, _ body: String = ""
    ) async throws -> Answer {
        try await app.send(method, path, token: token, body: body)
    }

    /// Asks for a scan.
    func ask(_ body: String, as token: String? = nil) async throws -> Answer {
        try await send("POST", Self.requests, as: token ?? surveyor, body)
    }

    /// The code that the scanner with this token shows.
    func shownCode(_ name: String, _ token: String) async throws -> String {
        let answer = try await send("POST", "/v1/scanners/\(name)/pairing-code", as: token)
        return try #require(answer["code"], "\(answer.text)")
    }

    func pair(_ code: String, as visitor: String) async throws -> Answer {
        try await send("POST", Self.pairings, as: visitor, #"{"code": "\#(code)"}"#)
    }

    /// The records of the topic that the relay would append, oldest first.
    func outbox(_ topic: Topic) async throws -> [String] {
        try await pool.query(
            """
            SELECT convert_from(value, 'UTF8') AS value FROM site_editor.outbox
            WHERE topic = $1 AND value IS NOT NULL ORDER BY id
            """, [.text(topic.name)]
        ).map { try $0["value"] }
    }
}

/// A code of six digits that is not this one, with its first digit or with another one.
func digits(_ number: Int, beginningAs code: String, alike: Bool = true) -> String {
    let first = (Int(code.prefix(1)) ?? 0) + (alike ? 0 : 1)
    let rest = String(((Int(code.dropFirst()) ?? 0) + number) % 100_000)
    return String(first % 10) + String(repeating: "0", count: 5 - rest.count) + rest
}

/// The codes of the problems of these calls, which are made at once.
func codesAtOnce(
    _ count: Int, _ call: @escaping @Sendable (Int) async throws -> Answer
) async throws -> [String] {
    try await withThrowingTaskGroup(of: String.self) { group in
        for number in 1...count {
            group.addTask { try await call(number).code ?? "" }
        }
        var codes: [String] = []
        for try await code in group { codes.append(code) }
        return codes
    }
}

extension EditorBench {
    /// Lets site-editor read an event of the topic `scan-requests`.
    func apply(_ record: LogRecord) throws {
        let stored = StoredRecord(
            topic: record.topic, partition: 0, offset: 0, appendedAtMicroseconds: 0,
            key: record.key, value: record.value, headers: record.headers)
        #expect(directory.apply(stored, at: bench.clock.now) != nil)
    }
}
