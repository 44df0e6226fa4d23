import Events
import Geometry
import Positioning
import Site

/// Places a device as many metres to the east as it has had scans, from its memory alone.
struct CountingPositioner: Positioner {
    var name = "counting"
    /// Bytes added to each state, to make it as large as a test needs.
    var padding = 0

    func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        Prepared(padding: padding)
    }

    private struct Prepared: PreparedPositioner {
        var padding: Int

        func locate(
            _ scan: RadioScan, state: PositionerState, seed: UInt64,
            scratch: inout PositionerScratch
        ) -> (estimate: Estimate, state: PositionerState) {
            let text = String(decoding: state.bytes.dropLast(padding), as: UTF8.self)
            let count = (Int(text) ?? 0) + 1
            let place = Estimate.Place(
                floor: FloorID("ground"), point: Point(x: Double(count), y: 0), room: nil,
                covariance: .init(xx: 1, xy: 0, yy: 1), radius68: 1, radius95: 2)
            return (
                Estimate(state: .located, place: place),
                PositionerState(
                    bytes: Array("\(count)".utf8) + [UInt8](repeating: 0x20, count: padding))
            )
        }
    }
}
