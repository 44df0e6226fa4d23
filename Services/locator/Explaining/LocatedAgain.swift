import Beacons
import Devices
import Events
import Geometry
import Positioning

/// A scan located once more, after those before it.
struct LocatedAgain: Sendable {
    let scan: ScanRecorded
    let scansBefore: Int
    let answer: LocatedDevice.Answer
    /// What the positioner remembered of the device before and after the scan, by floor; empty where it
    /// can't say.
    let floorsBefore: [(floor: FloorID, share: Double)]
    let floorsAfter: [(floor: FloorID, share: Double)]
    /// From where it remembered the device to the nearest place that leads to other floors.
    let metresToOtherFloors: Double?
    let metresFromPosition: Double?
    /// Nil for positioners that know of no beacons.
    let beacons: BeaconHearing?
    /// Whether just the same came out as was served.
    let isSame: Bool

    var estimate: Estimate { answer.estimate }

    /// - Parameter scans: the device's in the order of the log; the last is the position's. Nil without
    ///   any.
    init?(
        _ scans: [ScanRecorded], as position: PositionEstimated,
        by positioner: any PreparedPositioner, beside source: (any EvidenceSource)? = nil
    ) {
        guard let last = scans.last else { return nil }
        var device = LocatedDevice()
        var scratch = PositionerScratch()
        for scan in scans.dropLast() {
            _ = device.locate(scan, by: positioner, beside: source, scratch: &scratch)
        }
        scan = last
        scansBefore = scans.count - 1
        answer = device.locate(last, by: positioner, beside: source, scratch: &scratch)
        let remembering = positioner as? any RememberingPositioner
        floorsBefore = remembering?.floors(in: answer.before) ?? []
        floorsAfter = remembering?.floors(in: answer.after) ?? []
        metresToOtherFloors = remembering?.metresToOtherFloors(in: answer.before)
        beacons = (positioner as? PreparedBeacons)?.hear(answer.scan, state: answer.before).hearing
        if let place = answer.estimate.place, let x = position.x, let y = position.y {
            metresFromPosition = place.point.distance(to: Point(x: x, y: y))
        } else {
            metresFromPosition = nil
        }
        isSame = Self.isSame(answer.estimate, position)
    }

    /// Metres; positions are stored to the millimetre.
    private static let rounding = 0.000_6
    /// Of probabilities, which the table has to four decimals.
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
