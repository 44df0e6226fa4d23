import Devices
import Events
import Geometry
import Glibc
import Magnetic
import Positioning
import Site
import Testing

/// Puts the device at the heaviest place of the evidence that does not come from radio.
private struct EvidencePositioner: Positioner, PreparedPositioner {
    let name = "evidence"
    let usesEvidence = true

    func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner { self }

    func locate(
        _ scan: RadioScan, state: PositionerState, seed: UInt64, scratch: inout PositionerScratch
    ) -> (estimate: Estimate, state: PositionerState) {
        guard let best = scan.evidence.max(by: { $0.weight < $1.weight }) else {
            return (.lost, .empty)
        }
        let place = Estimate.Place(
            floor: best.floor, point: best.point, room: nil,
            covariance: .init(xx: 1, xy: 0, yy: 1), radius68: best.deviationMetres, radius95: 2)
        return (Estimate(state: .located, place: place), .empty)
    }
}

@Suite("A device on magnetic routes") struct MagneticDeviceTests {
    private static let site = SiteID("small")

    private static func sample(_ metres: Double, at milliseconds: Int) -> MagneticSample {
        let bend = 8 * sin(0.7 * metres) + 5 * sin(1.9 * metres + 1) + 0.4 * metres
        return MagneticSample(
            atMilliseconds: milliseconds, field: MagneticField(x: 18, y: 0, z: bend - 40))
    }

    /// A walk of twenty metres at this pace, with a sample every 50 ms.
    private static func walk(_ pace: Double) -> MagneticWalk {
        MagneticWalk(
            samples: (0...Int(20 / pace * 20)).map {
                sample(min(20, Double($0) / 20 * pace), at: $0 * 50)
            })
    }

    /// - Parameter days: the time between the validation and the first scan.
    private static func table(days: Int64 = 1) throws -> MagneticRouteTable {
        let route = MagneticRouteID("hall")
        let now = scans[0].at.advanced(byMicroseconds: -days * 86_400_000_000)
        var state = MagneticRouteState(site: site, route: route)
        var table = MagneticRouteTable(site: site)
        let line = [MagneticRoutePoint(x: 0, y: 4), MagneticRoutePoint(x: 20, y: 4)]
        let recorded = try #require(
            try state.record(floor: FloorID("ground"), polyline: line, walk: walk(1.2), at: now))
        state.evolve(recorded)
        table.evolve(recorded)
        table.evolve(try #require(try state.validate(by: walk(0.9), at: now)))
        return table
    }

    /// The scans of two seconds each, from the walk at 1 m/s.
    private static let scans: [ScanRecorded] = (0..<9).map { number in
        let at = Timestamp(microseconds: 1_795_248_000_000_000 + Int64(number) * 2_000_000)
        return ScanRecorded(
            id: EventID(high: 1, low: UInt64(number)), site: site,
            device: DeviceID("walker"), scanner: ScannerID("walker"), at: at, receivedAt: at,
            magneticSamples: (1...40).map { index in
                let seconds = Double(number) * 2 + Double(index) / 20
                return sample(seconds, at: Int(seconds * 1_000))
            })
    }

    private static let digests = Digests(
        position: { scan, _ in scan }, visit: { _, _, entered in EventID(high: 0, low: 0) },
        groupVisit: { _, _, _ in EventID(high: 0, low: 0) },
        basis: { text in text.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) } })

    private static func knowledge(_ table: MagneticRouteTable) throws -> SiteKnowledge {
        let document = SiteDocument(
            name: "Small", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
            buildings: [
                BuildingRecord(id: BuildingID("house"), name: "House", timeZone: "Europe/London")
            ],
            floors: [
                FloorRecord(
                    id: FloorID("ground"), building: BuildingID("house"), ordinal: 0, level: "G")
            ], rooms: [], locations: [])
        let published = PublishedSite(version: 1, index: try SiteIndex(document))
        return SiteKnowledge(
            SiteSources(site, site: published), map: .empty,
            positioners: [WorkingPositioner(positioner: EvidencePositioner(), option: "evidence")],
            routes: FollowedRoutes(table, digests), digests)
    }

    /// The positions of the scans. From scan `restoredAt` on, the device is one made from its
    /// stored parts.
    private static func places(
        restoredAt: Int?, days: Int64 = 1
    ) throws -> [PositionEstimated?] {
        let site = try knowledge(try table(days: days))
        let rules = DeviceRules(digests: digests)
        var (device, scratch) = (Device(), DeviceScratch())
        return scans.enumerated().map { number, scan in
            if number == restoredAt {
                device = Device(
                    times: device.times,
                    memory: PositionerMemory(entries: device.memory.entries))
            }
            let located = device.decide(
                scan, in: site, by: rules, locatedAt: scan.receivedAt, scratch: &scratch)
            _ = device.evolve(located)
            return located.served
        }
    }

    @Test("A restart in the middle of a walk does not change its positions")
    func restarted() throws {
        let whole = try Self.places(restoredAt: nil)
        let cut = try Self.places(restoredAt: 4)
        #expect(whole == cut)
        let last = try #require(cut.last??.x)
        #expect(abs(last - 18) < 1.5)
    }

    @Test("A route locates no device from 180 days after its validation on")
    func expired() throws {
        #expect(try Self.places(restoredAt: nil, days: 179).last??.x != nil)
        #expect(try Self.places(restoredAt: nil, days: 180).allSatisfy { $0?.x == nil })
    }

    @Test("Without valid routes, or with other ones, no magnetic state is kept")
    func forgotten() throws {
        let site = try Self.knowledge(try Self.table())
        let none = try Self.knowledge(MagneticRouteTable(site: Self.site))
        #expect(site.routes != nil && none.routes == nil)
        var (device, scratch) = (Device(), DeviceScratch())
        for (scan, site) in zip(Self.scans, [site, site, none]) {
            let isRemembered = device.memory.entries[FollowedRoutes.memoryName] != nil
            #expect(isRemembered == (scan.id != Self.scans[0].id))
            let located = device.decide(
                scan, in: site, by: DeviceRules(digests: Self.digests), locatedAt: scan.receivedAt,
                scratch: &scratch)
            _ = device.evolve(located)
        }
        #expect(device.memory.entries[FollowedRoutes.memoryName] == nil)
    }
}
