import Accuracy
import Events
import Geometry
import Positioning
import Site

/// A scan whose place is known, or stated.
struct PlacedScan {
    let scan: RadioScan
    let truth: JudgedEstimate.Place
    /// The place of the scan. Scans of one place are alike, so they count as one piece of evidence.
    let cell: SurveyCell
    /// Names the phone, walk or person that the scan shares with others, which are alike, too. Nil
    /// where scans of different places share nothing.
    let source: String?

    /// A scan that a part of the map lacks.
    init(_ held: HeldOutPlaces.Scan, of map: RadioMap) {
        let fingerprint = map.fingerprints[Int(held.fingerprint)]
        let floor = map.floors[Int(fingerprint.floor)]
        scan = held.scan
        truth = JudgedEstimate.Place(
            building: nil, floor: floor.text,
            room: fingerprint.room < 0 ? nil : map.rooms[Int(fingerprint.room)].text,
            point: fingerprint.point)
        cell = SurveyCell(fingerprint.point, on: floor)
        source = held.source.map { "\($0)" }
    }

    /// Nil for a tap at a place that the site does not have.
    init?(_ counted: CountedTap, site: SiteIndex) {
        guard let place = try? site.resolve(counted.tap.place) else { return nil }
        scan = RadioScan(counted.tap.scan, beacons: site.beacons)
        truth = JudgedEstimate.Place(
            building: nil, floor: counted.cell.floor.text,
            room: place.room.map { site.room($0).id.text }, point: counted.point)
        cell = counted.cell
        source = counted.tap.author
    }
}

/// One positioner's answers to scans whose places are known. Each scan is located as the first of
/// its device, because the trials have no scans before it.
struct PositionerAnswers {
    private(set) var judged: [JudgedEstimate] = []
    /// Whether the positioner would use the scans before.
    private(set) var remembers = false

    /// - Parameter fallback: stands for the place of a lost device.
    mutating func locate(
        _ scans: [PlacedScan], by prepared: any PreparedPositioner, fallback: Point
    ) {
        var scratch = PositionerScratch()
        for placed in scans {
            let (estimate, state) = prepared.locate(
                placed.scan, state: .empty, seed: 0, scratch: &scratch)
            // A position without finite numbers is lost, too.
            let isLost = estimate.state == .lost || estimate.place?.isFinite != true
            let place = isLost ? nil : estimate.place
            if state != .empty { remembers = true }
            judged.append(
                JudgedEstimate(
                    truth: placed.truth,
                    estimate: place.map {
                        JudgedEstimate.Place(
                            building: nil, floor: $0.floor.text, room: $0.room?.text,
                            point: $0.point)
                    },
                    fallback: fallback, radius68: place?.radius68, radius95: place?.radius95,
                    isCertain: place != nil && estimate.state == .located,
                    wrongFloorMetres: HeldOutPlaces.wrongFloorMetres))
        }
    }
}
