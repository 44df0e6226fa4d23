import EventLog
import Events
import Foundation
import MemoryLog
import Privacy
import SampleSites
import ScanSwitch
import ServiceBench
import ServiceHost
import Synchronization
import Testing
import Wire

@testable import ScanIngest

/// Two copies of scan-ingest that share a log in memory, and reach each other by their addresses.
final class SwitchBench: Sendable {
    static let site = SampleSite.id
    static let position = #"{"state":"located"}"#

    struct Copy: Sendable {
        let app: Served
        let board: ScanSwitchboard
        let reading: Task<Void, Never>
    }

    let bench: ServiceBench
    let copies: [Copy]
    let asker: String
    let other: String
    let scanner: String
    private let network: Network

    /// The addresses of the copies that can be reached.
    final class Network: Sendable {
        private let apps = Mutex<[String: Served]>([:])

        subscript(address: String) -> Served? {
            get { apps.withLock { $0[address] } }
        }
        func connect(_ address: String, _ app: Served?) { apps.withLock { $0[address] = app } }

        func post(_ url: String, _ body: [UInt8]) async throws -> (status: Int, body: [UInt8]) {
            if url == "http://locator/v1/locate" { return (200, Array(SwitchBench.position.utf8)) }
            let parts = url.split(separator: "/", maxSplits: 2)
            guard let app = self["http://\(parts[1])"] else { throw Gone() }
            let answer = try await app.send(
                "POST", "/\(parts[2])", token: ServiceBench.serviceSecret,
                body: String(decoding: body, as: UTF8.self))
            return (answer.status, Array(answer.body))
        }

        struct Gone: Error {}
    }

    init() async throws {
        let bench = try await ServiceBench()
        self.bench = bench
        bench.publish(SampleSite.index, as: Self.site)
        asker = bench.issue(.surveyor, site: Self.site)
        other = bench.issue(.surveyor, site: Self.site)
        scanner = bench.issue(.scanner, site: Self.site, device: DeviceID("pi-1"))
        let network = Network()
        self.network = network
        let copies = try (1...2).map { try Self.copy("http://copy-\($0)", bench, network) }
        self.copies = copies
        try await eventually("both copies have read the topic") {
            copies.allSatisfy { $0.board.directory.isReady }
        }
    }

    private static func copy(
        _ address: String, _ bench: ServiceBench, _ network: Network
    ) throws -> Copy {
        let directory = ScanRequestDirectory()
        let privacy = ScanPrivacy(
            directory: PrivacyDirectory(), tokens: bench.tokens, clock: bench.clock,
            metrics: bench.metrics)
        let board = ScanSwitchboard(
            directory: directory, sites: bench.sites, clock: bench.clock, log: bench.log,
            ownAddress: address,
            locator: "http://locator", notices: bench.notices
        ) { url, body, _ in try await network.post(url, body) }
        let intake = ScanIntake(
            sites: bench.sites, tokens: bench.tokens, blocks: bench.blocks, clock: bench.clock,
            recent: RecentScans(limit: 1_000), privacy: privacy,
            erased: ErasureDirectory(ErasedDevices()), requests: directory)
        let settings = ScanIngestSettings(
            try bench.configuration(ScanIngestSettings.all))
        let routes = ScanRoutes(
            intake: intake, log: bench.log, board: board, metrics: bench.metrics,
            settings: settings)
        let app = try bench.serve(
            routes.all + ResultRoutes(intake: intake, board: board).all, over: .memory)
        network.connect(address, app)
        let table = LogTable<Bool>(
            log: bench.log, topic: Topic.scanRequests.name, initial: true,
            apply: { _, record in
                if let key = directory.apply(record, at: bench.clock.now) { board.changed(key) }
            }, onChange: { _ in directory.markReady() }, notices: bench.notices)
        return Copy(app: app, board: board, reading: Task { await table.run() })
    }

    /// Ends the reading of both copies.
    func stop() { for copy in copies { copy.reading.cancel() } }

    /// Makes a copy unreachable for the other one.
    func vanish(_ copy: Int) { network.connect("http://copy-\(copy + 1)", nil) }

    /// Appends a request, as site-editor does. All copies know it then.
    func ask(
        _ number: UInt64 = 1, store: Bool = false, place: SurveyPlace? = nil,
        scanners: [String] = ["pi-1"]
    ) async throws -> EventID {
        let now = bench.clock.now
        let id = EventID(millisecondsSinceEpoch: now.milliseconds, random: 77, number)
        try await bench.log.append(
            scanners.map {
                ScanRequested(
                    site: Self.site, id: id, scanner: ScannerID($0), asker: askerID, place: place,
                    store: store, askedAt: now, until: now.advanced(byMicroseconds: 20_000_000)
                ).record(source: "/site-editor")
            })
        for copy in copies.indices { try await known(id, at: copy) }
        return id
    }

    /// Waits until a copy has read the request.
    func known(_ id: EventID, at copy: Int = 0) async throws {
        let directory = copies[copy].board.directory
        try await eventually("the request is known") { !directory.request(id).isEmpty }
    }

    /// Whether the copy knows the request, and all that it knows of it is so.
    func stands(
        _ id: EventID, at copy: Int, _ isSo: (ScanRequestStanding) -> Bool
    ) -> Bool {
        let standings = copies[copy].board.directory.request(id)
        return !standings.isEmpty && standings.allSatisfy(isSo)
    }

    private var askerID: String {
        bench.tokens.caller(forBearer: asker)?.id ?? "nobody"
    }

    func poll(
        _ copy: Int = 0, after: String? = nil, wait: Int = 20
    ) async throws -> Answer {
        try await copies[copy].app.send(
            "GET",
            "/v1/scanners/pi-1/requests?wait=\(wait)" + (after.map { "&after=\($0)" } ?? ""),
            token: scanner)
    }

    func result(
        _ id: EventID, _ copy: Int = 0, wait: Int = 20, token: String? = nil
    ) async throws -> Answer {
        try await copies[copy].app.send(
            "GET", "/v1/scan-requests/\(id)/result?wait=\(wait)", token: token ?? asker)
    }

    func handIn(
        _ id: EventID, _ copy: Int = 0, scan: Int = 1, at: String = "2026-11-22T00:00:01Z"
    ) async throws -> Answer {
        try await copies[copy].app.send(
            "POST", "/v1/scan-requests/\(id)/result", token: scanner,
            body: Self.scan(scan, at: at))
    }

    static func scan(
        _ number: Int, at: String = "2026-11-22T00:00:01Z", _ more: String = ""
    ) -> String {
        #"{"at": "\#(at)", "wifi": [{"bssid": "02:00:00:00:00:01", "rssi": -50}], "#
            + IngestBench.id(number) + more + "}"
    }
}

extension Answer {
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }
}

/// Waits until the condition holds, at most ten seconds.
func eventually(
    _ what: String, _ condition: @Sendable () async throws -> Bool
) async throws {
    let end = ContinuousClock.now.advanced(by: .seconds(10))
    while try await !condition() {
        try #require(ContinuousClock.now < end, "\(what)")
        try await Task.sleep(for: .milliseconds(5))
    }
}
