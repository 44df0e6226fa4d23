import Events
import Geometry
import Site

/// The ground of one floor that its beacons serve, and that which its surveys serve.
///
/// It decides which of both locate there. A radio map knows only the ground around its surveys,
/// however many they are. So beacons go on until all of them have surveys around them, unless
/// surveys serve more ground than is lost with the beacons.
struct BeaconGround {
    /// With fewer surveys a floor is always served by its beacons.
    static let fewSurveys = 10
    /// Metres. A beacon serves this ground around it, which is a large room.
    static let servedMetres = 10.0
    /// Metres. Surveys replace a beacon if they cover the ground this close to it.
    static let nearMetres = 5.0
    /// Metres. A survey serves this ground around it. Surveys that are farther apart locate worse
    /// than a beacon in each room.
    static let surveyedMetres = 2.5
    /// The share of a beacon's nearest ground that surveys may miss.
    static let missedShare = 1.0 / 3
    /// Ground is counted in squares with this side, in metres.
    static let pitchMetres = 1.0

    private struct Slot: Hashable {
        var column: Int
        var row: Int
    }

    /// Whether surveys miss too much of the nearest ground of any beacon.
    private(set) var isMissed = false
    /// In squares: the ground of beacons without surveys, and that of surveys beyond the beacons.
    private(set) var onlyBeacons = 0
    private(set) var onlySurveys = 0

    /// - Parameter isInRoom: whether a point of the floor is in a room; only those count. Nil where
    ///   no rooms are drawn: nobody knows where people walk, so beacons serve as surveys do.
    init(beacons: [Point], surveys: [Point], isInRoom: ((Point) -> Bool)?) {
        let isWalkable = isInRoom ?? { _ in true }
        let served = isInRoom == nil ? Self.surveyedMetres : Self.servedMetres
        let near = min(served, Self.nearMetres)
        var surveyed: Set<Slot> = []
        for point in Set(surveys) {
            surveyed.formUnion(Self.slots(within: Self.surveyedMetres, of: point))
        }
        surveyed = surveyed.filter { isWalkable(Self.middle($0)) }
        var ground: Set<Slot> = []
        for point in Set(beacons) {
            let own = Self.slots(within: served, of: point)
            ground.formUnion(own)
            let nearest = own.filter {
                Self.middle($0).distance(to: point) <= near && isWalkable(Self.middle($0))
            }
            let missed = nearest.count { !surveyed.contains($0) }
            if Double(missed) > Self.missedShare * Double(nearest.count) { isMissed = true }
        }
        onlyBeacons = ground.count { !surveyed.contains($0) && isWalkable(Self.middle($0)) }
        onlySurveys = surveyed.count { !ground.contains($0) }
    }

    /// Whether the beacons locate better than the surveys.
    var needsBeacons: Bool { isMissed && onlyBeacons > onlySurveys }

    private static func middle(_ slot: Slot) -> Point {
        Point(
            x: (Double(slot.column) + 0.5) * pitchMetres,
            y: (Double(slot.row) + 0.5) * pitchMetres)
    }

    private static func slots(within reach: Double, of point: Point) -> [Slot] {
        func range(_ value: Double) -> ClosedRange<Int> {
            let first = ((value - reach) / pitchMetres).rounded(.down)
            return Int(first)...Int(((value + reach) / pitchMetres).rounded(.up))
        }
        return range(point.y).flatMap { row in
            range(point.x).compactMap { column in
                let slot = Slot(column: column, row: row)
                return middle(slot).distance(to: point) <= reach ? slot : nil
            }
        }
    }
}

extension BeaconGround {
    /// The floors that beacons serve: those with few surveys or none, and those where surveys do
    /// not replace them.
    static func floors(_ map: RadioMap, site: SiteIndex) -> Set<FloorID> {
        let beacons = Dictionary(
            grouping: site.document.beacons.lazy.filter { !$0.isDisabled }, by: \.floor)
        guard !beacons.isEmpty else { return [] }
        var surveys: [FloorID: [Point]] = [:]
        for fingerprint in map.fingerprints {
            surveys[map.floors[Int(fingerprint.floor)], default: []].append(fingerprint.point)
        }
        let drawn = Set(
            site.rooms.indices.lazy.filter { site.outline(RoomIndex($0)) != nil }
                .map { site.rooms[$0].floor })
        return Set(
            beacons.filter { floor, own in
                let surveyed = surveys[floor] ?? []
                guard surveyed.count >= fewSurveys, let index = site.floorIndex(floor) else {
                    return true
                }
                let isInRoom = { (point: Point) in site.room(at: point, on: index) != nil }
                return BeaconGround(
                    beacons: own.map(\.point), surveys: surveyed,
                    isInRoom: drawn.contains(floor) ? isInRoom : nil
                ).needsBeacons
            }.keys)
    }
}
