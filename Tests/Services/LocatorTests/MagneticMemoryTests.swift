import Events
import Geometry
import Glibc
import Magnetic
import Positioning
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import Locator

/// Puts the device where the weightiest evidence beside its radio says.
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

@Suite(
    "What the magnetic field has told of a device", .serialized,
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct MagneticMemoryTests {
    private static func sample(_ metres: Double, at milliseconds: Int) -> MagneticSample {
        let bend = 8 * sin(0.7 * metres) + 5 * sin(1.9 * metres + 1) + 0.4 * metres
        return MagneticSample(
            atMilliseconds: milliseconds, field: MagneticField(x: 18, y: 0, z: bend - 40))
    }

    /// Twenty metres at a pace, one sample each 50 ms.
    private static func walk(_ pace: Double) -> MagneticWalk {
        MagneticWalk(
            samples: (0...Int(20 / pace * 20)).map {
                sample(min(20, Double($0) / 20 * pace), at: $0 * 50)
            })
    }

    private static func table() throws -> MagneticRouteTable {
        let (now, route) = (Timestamp(microseconds: 0), MagneticRouteID("hall"))
        var state = MagneticRouteState(site: LocatorBench.site, route: route)
        var table = MagneticRouteTable(site: LocatorBench.site)
        let line = [MagneticRoutePoint(x: 0, y: 4), MagneticRoutePoint(x: 20, y: 4)]
        let recorded = try #require(
            try state.record(floor: FloorID("ground"), polyline: line, walk: walk(1.2), at: now))
        state.evolve(recorded)
        table.take(recorded)
        table.take(try state.validate(by: walk(0.9), at: now))
        return table
    }

    /// Two seconds of the walk at 1 m/s.
    private static let scans: [ScanRecorded] = (0..<9).map { number in
        let at = Timestamp(microseconds: LocatorBench.start + Int64(number) * 2_000_000)
        return ScanRecorded(
            id: EventID(high: 1, low: UInt64(number)), site: LocatorBench.site,
            device: DeviceID("walker"), scanner: ScannerID("walker"), at: at, receivedAt: at,
            magneticSamples: (1...40).map { index in
                let seconds = Double(number) * 2 + Double(index) / 20
                return sample(seconds, at: Int(seconds * 1_000))
            })
    }

    @Test("It is followed over a restart as by a locator that never stops, on routes of the log")
    func restarted() async throws {
        var runs: [[PositionEstimated]] = []
        for parts in [[9], [4, 9]] {
            let bench = try await LocatorBench(.postgres)
            defer { bench.stop() }
            let tables = [LocatorBench.site: try Self.table()]
            var sent = 0
            for end in parts {
                try await bench.append(Array(Self.scans[sent..<end]))
                sent = end
                try await bench.locate(
                    with: [EvidencePositioner()], adjust: { $0.magnetic.replace(with: tables) },
                    until: { $0.count >= end })
            }
            runs.append(try await bench.positions().sorted { $0.at < $1.at })
        }
        #expect(runs[0].map(\.x) == runs[1].map(\.x))
        #expect(runs[0].map(\.state) == runs[1].map(\.state))
        let last = try #require(runs[1].last?.x)
        #expect(abs(last - 18) < 1.5)
    }
}
