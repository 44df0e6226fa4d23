public import Geometry

/// One estimate with the true place. Names are compared as text; nil is an unknown name.
public struct JudgedEstimate: Hashable, Sendable {
    /// A place as a data set or a positioner names it.
    public struct Place: Hashable, Sendable {
        public var building: String?
        public var floor: String?
        public var room: String?
        /// Metres in the site's frame.
        public var point: Point

        public init(building: String?, floor: String?, room: String?, point: Point) {
            self.building = building
            self.floor = floor
            self.room = room
            self.point = point
        }
    }

    public var truth: Place
    /// Nil when the positioner found no place.
    public var estimate: Place?
    /// The assumed place of a lost device: the middle of the radio map.
    public var fallback: Point
    public var radius68: Double?
    public var radius95: Double?
    /// Whether the estimate is `located`, neither uncertain nor lost.
    public var isCertain: Bool
    /// Whether the estimate says that the device is outside of all buildings.
    public var isOutdoors: Bool
    /// Metres in the site's frame: the one `radius95` that the map's own trials would state for
    /// every scan. Nil where it was not learned.
    public var learnedRadius95: Double?
    /// The walk that the query belongs to.
    public var path: String?
    /// The error in metres that a wrong floor, or none, adds to the distance. Data sets have 0,
    /// because `floorHit` counts floors apart.
    public var wrongFloorMetres: Double

    public init(
        truth: Place, estimate: Place?, fallback: Point, radius68: Double? = nil,
        radius95: Double? = nil, isCertain: Bool = false, isOutdoors: Bool = false,
        learnedRadius95: Double? = nil, path: String? = nil, wrongFloorMetres: Double = 0
    ) {
        self.truth = truth
        self.estimate = estimate
        self.fallback = fallback
        self.radius68 = radius68
        self.radius95 = radius95
        self.isCertain = isCertain
        self.isOutdoors = isOutdoors
        self.learnedRadius95 = learnedRadius95
        self.path = path
        self.wrongFloorMetres = wrongFloorMetres
    }

    /// Metres in the site's frame from the truth to the estimate, or to the fallback for a lost
    /// device. A floor that is not the true one adds `wrongFloorMetres`.
    public var distance: Double {
        let isWrong = truth.floor != nil && estimate?.floor != truth.floor
        return (estimate?.point ?? fallback).distance(to: truth.point)
            + (isWrong ? wrongFloorMetres : 0)
    }

    /// Whether the estimate rules out the true floor or building. A certain one rules out all but
    /// its own. An uncertain one doubts its floor, and rules out none, unless it is outdoors.
    var rulesOutTruth: Bool {
        guard let estimate, isCertain || isOutdoors else { return false }
        func isOther(_ name: KeyPath<Place, String?>) -> Bool {
            truth[keyPath: name].map { $0 != estimate[keyPath: name] } ?? false
        }
        return isOther(\.floor) || isOther(\.building)
    }

    /// Whether the truth is within `radius95`, whatever the floors.
    private var isWithin95: Bool {
        guard let estimate, let radius95 else { return false }
        return estimate.point.distance(to: truth.point) <= radius95
    }

    /// Whether it is certain, although the truth is outside of `radius95` or ruled out.
    public var isLocatedWrongly: Bool { isCertain && (!isWithin95 || rulesOutTruth) }

    /// Whether it admits that the place is unknown: it is lost, or uncertain with the truth within
    /// `radius95` and not ruled out.
    public var isHonest: Bool {
        estimate == nil || (!isCertain && isWithin95 && !rulesOutTruth)
    }
}
