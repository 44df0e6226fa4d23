import Events
import Geometry
import Positioning
import Site

@testable import Simulation

/// The simulated house with an outline, a door at either end of both corridors, and a radio map of
/// every fifth survey. The noise is 6 dB.
struct DoorHouse {
    static let noiseSigma = 6.0

    let building: SimulatedBuilding
    let site: SiteIndex
    let map: RadioMap
    let end: Timestamp

    /// A door in one of the two façades along y.
    struct Door {
        /// The point in the middle of the door, on the outline.
        let point: PlanPoint
        /// 1 where outdoors is at larger x, -1 where it is at smaller x.
        let out: Double
        let wing: FloorPlan.Wing
    }

    /// Both ends of both corridors. The radio model has no open door in the outer walls.
    static let doors = FloorPlan.Wing.allCases.flatMap { wing in
        [(48.0, 1.0), (0.0, -1.0)].map { x, out in
            Door(point: PlanPoint(x: x, y: wing.placed(11.25)), out: out, wing: wing)
        }
    }

    static let outline: Ring = [
        [0, 0], [48, 0], [48, 22.5], [32, 22.5], [32, 32.5], [48, 32.5], [48, 55], [0, 55],
        [0, 32.5], [24, 32.5], [24, 22.5], [0, 22.5],
    ]

    init(seed: UInt64) throws {
        building = SimulatedBuilding.make(seed: seed)
        var document = building.document
        document.buildings[0].outline = Self.outline
        // The front door of the document is the first of these.
        for (number, door) in Self.doors.enumerated().dropFirst() {
            let point = Point(x: door.point.x, y: door.point.y)
            document.connections.append(
                ConnectionRecord(
                    id: ConnectionID("door-\(number)"), kind: .door,
                    stops: [
                        ConnectionStop(floor: nil, point: point),
                        ConnectionStop(
                            floor: SimulatedBuilding.floor(0),
                            room: RoomID("0.\(door.wing.rawValue)C"), point: point),
                    ]))
        }
        site = try SiteIndex(document)
        let survey = SimulatedSurvey(
            of: building, seed: seed + 1, start: Timestamp(milliseconds: 1_780_000_000_000))
        end = survey.end
        let kept = survey.enumerated().filter { $0.offset % 5 == 0 }.map(\.element)
        map = RadioMapBuilder.build(kept, site: site).map
    }
}
