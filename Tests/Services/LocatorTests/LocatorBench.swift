import Devices
import EventLog
import Events
import Foundation
import Geometry
import MemoryLog
import Positioning
import Postgres
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import Locator

/// An empty log and locators on it, which work as in the service. Only the radio map is given to
/// each of them directly.
struct LocatorBench: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case memory, postgres, kafka

        static let available = allCases.filter { kind in
            if let obstacle = LogsToTest.obstacle(kind.rawValue) {
                print("skipped: the locator on \(kind), \(obstacle)")
                return false
            }
            switch kind {
            case .memory: return true
            case .postgres: return PrivatePostgres.isUsable
            case .kafka: return PrivatePostgres.isUsable && RealKafka.isInstalled
            }
        }
    }

    static let site = SiteID("small")
    /// The time of the first scan in microseconds: an hour ago. A device without a scan for a day,
    /// by the log's time, would be forgotten.
    static let start = Int64(Date().timeIntervalSince1970 - 3_600) * 1_000_000
    static let partitions = 3
    let environment: [String: String]
    private let kafka: RealKafka?
    /// The server that logs in memory share; nil for the other kinds.
    private let memory: MemoryLogServer?

    init(_ kind: Kind, settings: [String: String] = [:]) async throws {
        memory = kind == .memory ? MemoryLogServer() : nil
        // With a log in memory nothing connects to a database.
        let database =
            kind == .memory
            ? "postgresql://127.0.0.1:1/none"
            : try await PrivatePostgres.shared().makeDatabase().connectionString
        kafka = kind == .kafka ? RealKafka.start() : nil
        try #require(kind != .kafka || kafka != nil, "the broker did not start")
        environment = [
            "WHEREABOUTS_LOG": kind == .kafka ? "kafka" : "postgres", "DATABASE_URL": database,
            "KAFKA_BOOTSTRAP_SERVERS": kafka?.bootstrapServers ?? "none:1",
            "WHEREABOUTS_LOG_LEVEL": "error", "WHEREABOUTS_LOCATOR_BATCH": "7",
            "WHEREABOUTS_PARTITIONS": "\(Self.partitions)",
        ].merging(settings) { $1 }
        let log = try openLog()
        try await log.createTopics(Topic.specifications(partitions: Self.partitions))
        await log.close()
    }

    func stop() { kafka?.stop() }

    private func openLog() throws -> any EventLog {
        if let memory { return MemoryLog(memory) }
        return try ServiceHost.Host.openLog(
            environment: environment, settings: LocatorSettings.all)
    }

    /// A locator of its own, with its own connections.
    func host() throws -> ServiceHost.Host {
        let host = try ServiceHost.Host.make(
            environment: environment, service: "locator", settings: LocatorSettings.all,
            log: memory.map { MemoryLog($0) })
        host.sites.replace(with: [
            Self.site: PublishedSite(version: 1, index: try SiteIndex(Self.document))
        ])
        host.erased.replace(with: ErasedDevices())
        return host
    }

    /// Runs the positioners until the condition holds, then stops properly.
    func locate(
        with positioners: [any Positioner], mapVersion: Int = 1,
        until isDone: @escaping @Sendable ([PositionEstimated]) -> Bool
    ) async throws {
        let host = try host()
        let locating = try locating(host, positioners, mapVersion: mapVersion)
        let processor = LocatorDefinition.processor(
            host, try LocatorSettings(host.configuration), locating
        ) { state, records in
            try await locating.work(&state, records)
        }
        let work = Task { try? await processor.run() }
        let watching = Task {
            let deadline = ContinuousClock.now + .seconds(60)
            while !isDone(try await positions()), .now < deadline {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        // The locator stops before its broker does, also where the watching failed.
        let watched = await watching.result
        work.cancel()
        await work.value
        await host.log.close()
        try watched.get()
    }

    func locating(
        _ host: ServiceHost.Host, _ positioners: [any Positioner], mapVersion: Int = 1
    ) throws -> Locating {
        let working = positioners.map { positioner in
            WorkingPositioner(
                positioner: positioner, option: positioner.name,
                isProgram: positioner.name.hasPrefix("exec-"))
        }
        let sites = LocatorDefinition.knownSites(host, working)
        let published = try #require(host.sites[whole: Self.site])
        sites.adopt(
            RadioMapBuilder.build([], site: published.index).map,
            SiteSources(
                Self.site, site: published, map: Self.announcement(version: mapVersion),
                selected: Self.selected(beside: positioners.dropFirst().map(\.name))),
            of: Self.site)
        return LocatorDefinition.locating(host, sites, VisitRules(host.configuration))
    }

    func append(_ scans: [ScanRecorded]) async throws {
        let log = try openLog()
        try await log.append(scans.map { $0.record(source: "/test") })
        await log.close()
    }

    func records(of topic: String) async throws -> [StoredRecord] {
        let log = try openLog()
        var records: [StoredRecord] = []
        try await log.readRange(log.ranges(of: [topic])) { records += $0 }
        await log.close()
        return records
    }

    func positions(_ topic: String = Topic.positions.name) async throws -> [PositionEstimated] {
        try await records(of: topic).map { try PositionEstimated(record: $0) }
    }

    static func selected(
        _ revision: Int = 1, served: String? = nil, beside: [String] = []
    ) -> PositionerSelected {
        PositionerSelected(
            site: site, revision: revision,
            selection: PositionerSelection(served: served, beside: beside),
            selectedAt: Timestamp(microseconds: 0))
    }

    static func announcement(version: Int) -> RadioMapAnnounced {
        RadioMapAnnounced(
            site: site, version: version, hash: "map-\(version)", byteCount: 0, siteVersion: 1,
            surveyOffsets: [], builderVersion: "1", builtAt: Timestamp(microseconds: 0),
            fingerprints: 0, accessPoints: 0)
    }

    static let document = SiteDocument(
        name: "Small", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
        buildings: [
            BuildingRecord(id: BuildingID("house"), name: "House", timeZone: "Europe/London")
        ],
        floors: [
            FloorRecord(
                id: FloorID("ground"), building: BuildingID("house"), ordinal: 0, level: "G")
        ],
        rooms: ["a", "b"].enumerated().map { number, id in
            let x = Double(number) * 10
            return RoomRecord(
                id: RoomID(id), floor: FloorID("ground"), name: id, kind: "lab",
                outline: [[x, 0], [x + 10, 0], [x + 10, 8], [x, 8]])
        }, locations: [])
}
