import Events
import Geometry
import Positioning
import Site

/// Answers as another positioner does, but some metres beside or on another floor, and with a
/// state.
struct Displaced: Positioner {
    let name = "displaced"
    let base: any Positioner
    var metres = 0.0
    /// The floor of all answers; nil for the right one.
    var floor: FloorID?
    /// Whether scans made of a radio map, which have the time 0, are located as the base does.
    var isOfSentScans = false

    func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        Prepared(base: base.prepare(map, site: site), how: self)
    }

    private struct Prepared: PreparedPositioner {
        let base: any PreparedPositioner
        let how: Displaced

        func locate(
            _ scan: RadioScan, state: PositionerState, seed: UInt64,
            scratch: inout PositionerScratch
        ) -> (estimate: Estimate, state: PositionerState) {
            var (estimate, _) = base.locate(scan, state: state, seed: seed, scratch: &scratch)
            let after = PositionerState(bytes: [1])
            guard let place = estimate.place, !how.isOfSentScans || scan.at.microseconds > 0 else {
                return (estimate, after)
            }
            estimate.place?.point = Point(x: place.point.x + how.metres, y: place.point.y)
            estimate.place?.floor = how.floor ?? place.floor
            return (estimate, after)
        }
    }
}
