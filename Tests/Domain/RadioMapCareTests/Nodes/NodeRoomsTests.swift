import Events
import Foundation
import Geometry
import Positioning
import Simulation
import Site
import Testing

@testable import RadioMapCare

/// Rooms of devices at rest that only nodes hear. docs/accuracy.md has the figures; these bounds
/// are loose, since they are of few devices.
///
/// `WHEREABOUTS_NODE_SEEDS` gives other buildings, `WHEREABOUTS_NODE_DEVICES` and
/// `WHEREABOUTS_NODE_SECONDS` more and longer trials. Then the figures are printed, without bounds.
@Suite("Rooms by nodes") struct NodeRoomsTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seeds = (environment["WHEREABOUTS_NODE_SEEDS"] ?? "").split(separator: ",")
        .compactMap { UInt64($0) }
    private static let devices = environment["WHEREABOUTS_NODE_DEVICES"].flatMap { Int($0) } ?? 12
    private static let seconds =
        environment["WHEREABOUTS_NODE_SECONDS"].flatMap { Double($0) } ?? 900

    private struct Figures: CustomStringConvertible {
        var devices = 0
        var scans = 0
        var right = 0
        var within = 0
        var changes = 0
        var hours = 0.0

        var description: String {
            func share(_ count: Int) -> String {
                String(format: "%.3f", Double(count) / Double(max(1, scans)))
            }
            let rate = String(format: "%.2f", Double(changes) / max(hours, 1e-9))
            return "\(devices) devices, \(scans) scans: right room \(share(right)), within "
                + "radius95 \(share(within)), \(rate) changes of room an hour"
        }
    }

    private static func figures(seed: UInt64, isCalibrated: Bool) throws -> Figures {
        let hearing = try SimulatedHearing(seed: seed)
        let calibration =
            isCalibrated
            ? hearing.calibration(hearing.hearings(.init(hours: 1, seed: seed)), hours: 1) : nil
        let nodes = try #require(
            PreparedNodes(hearing.published.index, calibration: calibration, map: .empty))
        var figures = Figures()
        for device in 0..<devices {
            var state = PositionerState.empty
            var scratch = PositionerScratch()
            var rooms: [RoomID?] = []
            let sightings = SimulatedSightings(
                ofDevice: device, heardBy: hearing.nodes, seed: seed,
                start: SimulatedHearing.time(1), durationSeconds: seconds)
            for sighting in sightings {
                let answer = nodes.locate(
                    RadioScan(sighting.scan), state: state, seed: 0, scratch: &scratch)
                state = answer.state
                let place = try #require(answer.estimate.place)
                figures.scans += 1
                if place.room == sighting.truth.room { figures.right += 1 }
                let error = place.point.distance(to: [sighting.truth.x, sighting.truth.y])
                if error <= place.radius95 { figures.within += 1 }
                rooms.append(place.room)
            }
            figures.devices += 1
            figures.hours += seconds / 3_600
            figures.changes += zip(rooms, rooms.dropFirst()).count { $0 != $1 }
        }
        return figures
    }

    @Test("Calibrated nodes find the room of a device at rest, which then stays")
    func rooms() throws {
        guard Self.seeds.isEmpty else { return }
        let figures = try Self.figures(seed: 31, isCalibrated: true)
        #expect(Double(figures.right) >= 0.75 * Double(figures.scans), "\(figures)")
        #expect(Double(figures.within) >= 0.85 * Double(figures.scans), "\(figures)")
        #expect(Double(figures.changes) <= 3 * figures.hours, "\(figures)")
    }

    @Test("The figures of docs/accuracy.md", .enabled(if: !seeds.isEmpty, "no seeds are given"))
    func measured() throws {
        for isCalibrated in [true, false] {
            for seed in Self.seeds {
                let figures = try Self.figures(seed: seed, isCalibrated: isCalibrated)
                print("building \(seed), \(isCalibrated ? "" : "un")calibrated: \(figures)")
            }
        }
    }
}
