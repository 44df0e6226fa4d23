import Events
import Geometry
import Positioning
import Site

/// Places the device in room `a` for readings of -50 dBm or more, and in room `b` for weaker ones.
/// A scan without readings is lost.
struct RoomPositioner: Positioner {
    let name = "rooms"

    func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner { Prepared() }

    private struct Prepared: PreparedPositioner {
        func locate(
            _ scan: RadioScan, state: PositionerState, seed: UInt64,
            scratch: inout PositionerScratch
        ) -> (estimate: Estimate, state: PositionerState) {
            guard let rssi = scan.readings.first?.rssi else { return (.lost, .empty) }
            let isFirst = rssi >= -50
            let place = Estimate.Place(
                floor: FloorID("ground"), point: Point(x: isFirst ? 5 : 15, y: 4),
                room: RoomID(isFirst ? "a" : "b"), covariance: .init(xx: 1, xy: 0, yy: 1),
                radius68: 1, radius95: 2)
            let rooms = [
                PositionEstimated.RoomProbability(
                    id: RoomID(isFirst ? "a" : "b"), probability: 0.75)
            ]
            return (Estimate(state: .located, place: place, rooms: rooms), .empty)
        }
    }
}
