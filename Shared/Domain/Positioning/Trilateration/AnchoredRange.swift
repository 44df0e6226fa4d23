import Events
import Geometry
import Glibc
import Site

/// A measured distance to an access point with a known place, as seen from one floor.
struct AnchoredRange: Hashable, Sendable {
    /// Metres in the site's frame.
    var point: Point
    /// Metres from a device on the floor up to the access point.
    var rise: Double
    var metres: Double
    /// Metres.
    var deviation: Double

    func distance(to place: Point) -> Double {
        let plane = point.distance(to: place)
        return (plane * plane + rise * rise).squareRoot()
    }

    /// The robust cost of a place, in squared deviations.
    func cost(at place: Point) -> Double {
        Multilateration.robust(abs(metres - distance(to: place)) / deviation)
    }

    /// The change of the distance with each coordinate.
    func slope(at place: Point) -> Point {
        let metres = max(distance(to: place), 1e-3)
        return Point(x: (place.x - point.x) / metres, y: (place.y - point.y) / metres)
    }
}

/// The access points of a site whose places are known, for measured distances.
struct RangeAnchors: Sendable {
    /// The distance is to the ceiling; see `FittedPathLoss.heightMetres`.
    private static let storeyMetres = 3.5
    /// Distances through more floors are of signals that went around.
    private static let mostFloorsBetween = 1
    /// A measurement that claims less is not that good: places are not known better.
    static let leastDeviation = 0.5

    private struct Anchor: Sendable {
        var point: Point
        var floor: FloorIndex
    }

    private let site: SiteIndex
    private let anchors: [Transmitter: Anchor]

    init(_ site: SiteIndex) {
        self.site = site
        var anchors: [Transmitter: Anchor] = [:]
        for place in site.document.accessPointPlaces {
            guard let floor = site.floorIndex(place.floor) else { continue }
            anchors[.wifi(place.address)] = Anchor(point: place.point, floor: floor)
        }
        self.anchors = anchors
    }

    /// The scan's distances, as seen from the floor.
    func ranges(_ scan: RadioScan, on floor: FloorID) -> [AnchoredRange] {
        guard !scan.ranges.isEmpty, !anchors.isEmpty, let here = site.floor(floor) else {
            return []
        }
        return scan.ranges.compactMap { range in
            guard let anchor = anchors[range.transmitter] else { return nil }
            let there = site.floor(anchor.floor)
            guard there.building == here.building,
                abs(there.ordinal - here.ordinal) <= Self.mostFloorsBetween
            else { return nil }
            let rise = Self.elevation(there) - Self.elevation(here) + FittedPathLoss.heightMetres
            return AnchoredRange(
                point: anchor.point, rise: rise, metres: range.distance.metres,
                deviation: max(Self.leastDeviation, range.distance.deviation))
        }
    }

    private static func elevation(_ floor: FloorRecord) -> Double {
        floor.heightMetres ?? Double(floor.ordinal) * storeyMetres
    }
}
