import Geometry
import Positioning
import Site

/// Answers as another positioner does, but some metres beside, and with a state.
struct Displaced: Positioner {
    let name = "displaced"
    let base: any Positioner
    let metres: Double

    func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        Prepared(base: base.prepare(map, site: site), metres: metres)
    }

    private struct Prepared: PreparedPositioner {
        let base: any PreparedPositioner
        let metres: Double

        func locate(
            _ scan: RadioScan, state: PositionerState, seed: UInt64,
            scratch: inout PositionerScratch
        ) -> (estimate: Estimate, state: PositionerState) {
            var (estimate, _) = base.locate(scan, state: state, seed: seed, scratch: &scratch)
            if let point = estimate.place?.point {
                estimate.place?.point = Point(x: point.x + metres, y: point.y)
            }
            return (estimate, PositionerState(bytes: [1]))
        }
    }
}
