import Events
import Geometry
import Positioning
import Simulation
import Site
import Testing

@testable import RadioMapCare

/// Rooms of devices at rest that only nodes hear. docs/accuracy.md has the figures; these bounds
/// are loose, since they are of few devices.
@Suite("Rooms by nodes") struct NodeRoomsTests {
    private static let devices = 12
    private static let seconds = 900.0

    @Test("Calibrated nodes find the room of a device at rest, which then stays")
    func rooms() throws {
        let seed: UInt64 = 31
        let hearing = try SimulatedHearing(seed: seed)
        let calibration = hearing.calibration(
            hearing.hearings(hours: 1, seed: seed), hours: 1)
        let nodes = try #require(
            PreparedNodes(hearing.published.index, calibration: calibration, map: .empty))
        var (scans, right, changes, within) = (0, 0, 0, 0)
        for device in 0..<Self.devices {
            var state = PositionerState.empty
            var scratch = PositionerScratch()
            var rooms: [RoomID?] = []
            let sightings = SimulatedSightings(
                ofDevice: device, heardBy: hearing.nodes, seed: seed,
                start: SimulatedHearing.time(1), durationSeconds: Self.seconds)
            for sighting in sightings {
                let answer = nodes.locate(
                    RadioScan(sighting.scan), state: state, seed: 0, scratch: &scratch)
                state = answer.state
                let place = try #require(answer.estimate.place)
                scans += 1
                if place.room == sighting.truth.room { right += 1 }
                let error = place.point.distance(to: [sighting.truth.x, sighting.truth.y])
                if error <= place.radius95 { within += 1 }
                rooms.append(place.room)
            }
            changes += zip(rooms, rooms.dropFirst()).count { $0 != $1 }
        }
        #expect(Double(right) >= 0.75 * Double(scans))
        #expect(Double(within) >= 0.85 * Double(scans))
        #expect(Double(changes) <= 3 * Double(Self.devices) * Self.seconds / 3_600)
    }
}
