import Cryptography
import Devices
import EventLog
import Events
import Foundation
import Positioning
import Simulation
import Site
import Wire

/// A simulated building with its radio map, and scans of walkers and of devices at rest that wait
/// to be located.
struct SimulatedBacklog {
    private static let seed: UInt64 = 1
    private static let scansOfDevice = 250

    let site: SiteID
    let sources: SiteSources
    let map: RadioMap
    let records: [LogRecord]

    /// - Parameters:
    ///   - scans: the number of scans, rounded to devices with 250 scans each.
    ///   - resting: the share of the devices that are at rest.
    init(scans: Int, resting: Double = 0) throws {
        let building = SimulatedBuilding.make(seed: Self.seed)
        site = building.site
        let now = Timestamp.now
        let published = PublishedSite(version: 1, index: try SiteIndex(building.document))
        let surveys = SimulatedSurvey(of: building, seed: Self.seed, start: now)
        map = RadioMapBuilder.build(surveys, site: published.index).map
        let artifact = RadioMapArtifact.encode(map)
        let hash = sha256Hex(artifact)
        let choice = PositionerChoice(for: map)
        note("\(map.fingerprints.count) fingerprints; auto works as \(choice.positioner)")
        sources = SiteSources(
            site, site: published,
            map: RadioMapAnnounced(
                site: site, version: 1, hash: hash, byteCount: artifact.count, siteVersion: 1,
                surveyOffsets: [0], builderVersion: RadioMapBuilder.version, builtAt: now,
                fingerprints: map.fingerprints.count, accessPoints: map.transmitters.count),
            choice: PositionerChosen(
                site: site, radioMapVersion: 1, hash: hash, positioner: choice.positioner,
                meanErrorMetres: choice.meanErrorMetres, floorHit: choice.floorHit, chosenAt: now))
        let devices = max(1, scans / Self.scansOfDevice)
        var walks = (0..<devices).map { number -> any IteratorProtocol<SimulatedScan> in
            // Spread evenly among the walkers.
            let before = (Double(number) * resting).rounded(.down)
            guard (Double(number + 1) * resting).rounded(.down) > before else {
                return SimulatedWalk(
                    in: building, seed: Self.seed, device: DeviceID("walker-\(number)"),
                    start: now, durationSeconds: .infinity)
            }
            return SimulatedRest(
                in: building, seed: Self.seed, device: DeviceID("rest-\(number)"),
                number: number, start: now, durationSeconds: .infinity)
        }
        var records: [LogRecord] = []
        records.reserveCapacity(devices * Self.scansOfDevice)
        // Scans are in the order of their times, as they would arrive.
        for _ in 0..<Self.scansOfDevice {
            for walk in walks.indices {
                guard let next = walks[walk].next() else { continue }
                records.append(next.scan.record(source: "/benchmark"))
            }
        }
        self.records = records
    }

    /// Appends all scans in batches.
    func append(to log: any EventLog) async throws {
        let step = 5_000
        for first in stride(from: 0, to: records.count, by: step) {
            try await log.append(Array(records[first..<min(first + step, records.count)]))
        }
    }
}
