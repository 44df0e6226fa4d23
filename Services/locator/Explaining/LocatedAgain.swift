import Beacons
import Devices
import Events
import Geometry
import Positioning
import Wire

/// A scan that was located again, after the scans before it.
struct LocatedAgain: Sendable {
    let scan: ScanRecorded
    let outcome: ExplainedPosition.Again

    /// - Parameters:
    ///   - scans: the device's scans in the order of the log; the last is the position's.
    ///   - site: the site with the position's positioner alone.
    /// - Returns: nil without any scan.
    init?(
        _ scans: [ScanRecorded], as position: PositionEstimated, in site: SiteKnowledge,
        by rules: DeviceRules
    ) {
        guard let last = scans.last, let positioner = site.positioners.first else { return nil }
        var device = Device()
        var scratch = DeviceScratch()
        func decide(_ scan: ScanRecorded) -> LocatedScan {
            device.decide(
                scan, in: site, by: rules, locatedAt: position.locatedAt, scratch: &scratch)
        }
        for scan in scans.dropLast() { _ = device.evolve(decide(scan)) }
        func state() -> PositionerState {
            device.memory.state(of: positioner.name, basis: positioner.stateBasis)
        }
        let before = state()
        let located = decide(last)
        _ = device.evolve(located)
        scan = last
        let estimate = located.answers[0].estimate
        var outcome = ExplainedPosition.Again(
            scansBefore: scans.count - 1, estimate: estimate,
            isSame: Self.isSame(estimate, position))
        let remembering = positioner.prepared as? any RememberingPositioner
        outcome.floorsBefore = remembering?.floors(in: before) ?? []
        outcome.floorsAfter = remembering?.floors(in: state()) ?? []
        outcome.metresToOtherFloors = remembering?.metresToOtherFloors(in: before)
        outcome.beacons =
            (positioner.prepared as? PreparedBeacons)?
            .hear(located.radio, state: before).hearing
        if let place = estimate.place, let x = position.x, let y = position.y {
            outcome.metresFromPosition = place.point.distance(to: Point(x: x, y: y))
        }
        self.outcome = outcome
    }

    /// In metres; positions are stored to the millimetre.
    private static let rounding = 0.000_6
    /// For probabilities, which events and rows have to four decimals.
    private static let shareRounding = 0.000_06

    private static func isSame(_ estimate: Estimate, _ position: PositionEstimated) -> Bool {
        func isNear(_ left: Double?, _ right: Double?, _ limit: Double) -> Bool {
            guard let left, let right else { return left == nil && right == nil }
            return abs(left - right) <= limit
        }
        let place = estimate.state == .lost ? nil : estimate.place
        let rooms = place == nil ? [] : estimate.rooms
        return (place == nil ? .lost : estimate.state) == position.state
            && place?.floor == position.floor && place?.room == position.room
            && isNear(place?.point.x, position.x, rounding)
            && isNear(place?.point.y, position.y, rounding)
            && isNear(place?.radius68, position.radius68, rounding)
            && isNear(place?.radius95, position.radius95, rounding)
            && rooms.map(\.id) == position.rooms.map(\.id)
            && zip(rooms, position.rooms).allSatisfy {
                isNear($0.probability, $1.probability, shareRounding)
            }
    }
}
