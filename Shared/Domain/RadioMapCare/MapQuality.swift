public import Events
public import Geometry
public import Positioning
public import Site

/// How good a radio map is, floor by floor and place by place, found by locating its surveys with
/// parts of the map that do not hold them.
public struct MapQuality: Sendable {
    /// Why positions about a place are likely to be bad.
    public enum Weakness: String, Hashable, Sendable, CaseIterable {
        case fewSurveys = "few-surveys"
        case fewTransmitters = "few-transmitters"
        case largeError = "large-error"
        case otherFloor = "other-floor"
    }

    /// A place that was surveyed.
    public struct Place: Hashable, Sendable {
        public var name: String
        public var floor: FloorID
        public var room: RoomID?
        /// The mean of its surveys.
        public var point: Point
        public var surveys: Int
        public var readings: Int
        /// Different ones, over all its surveys.
        public var transmitters: Int
        /// Metres; nil where the map is too small to try itself.
        public var expectedError: Double?
        /// The share of the trials at the place that were put on its floor; nil without any.
        public var floorHit: Double?
        public var weaknesses: [Weakness]
    }

    public struct Floor: Hashable, Sendable {
        public var floor: FloorID
        public var places: Int
        public var weakPlaces: Int
        public var surveys: Int
        public var readings: Int
        public var transmitters: Int
        /// Metres: the mean over where one can stand on the floor (`FloorGrid`); nil where the map
        /// is too small.
        public var expectedError: Double?
        public var trials: Int
        /// Metres, of trials that were put on any floor.
        public var median: Double?
        public var p95: Double?
        /// Where the trials of this floor were put, the most frequent first.
        public var locatedOn: [Located]
    }

    public struct Located: Hashable, Sendable {
        /// Nil for lost.
        public var floor: FloorID?
        public var share: Double
    }

    /// A place with fewer surveys, counting those within `aroundMetres`, is weak.
    public static let fewestSurveys = 2
    static let aroundMetres = 2.0
    /// A place whose surveys hear fewer transmitters on average is weak.
    static let fewestTransmitters = 4.0
    /// A place is weak whose error is expected to be so many times the site's median, and more than
    /// `smallErrorMetres`.
    static let largeErrorRatio = 1.5
    static let smallErrorMetres = 3.0
    /// A place is weak whose trials are put on their floor less often.
    static let leastFloorHit = 0.9

    /// Which positioner made the trials.
    public let positioner: String
    /// By floor id.
    public let floors: [Floor]
    /// By floor and name.
    public let places: [Place]
    /// Nil where the map is too small to try itself.
    public let model: ErrorModel?

    /// - Parameter positioner: with its settings chosen for the map.
    public init(_ map: RadioMap, site: SiteIndex, positioner: any Positioner) {
        let trials = HeldOutTrials.run(positioner, on: map, site: site)
        let ordinary = trials.filter { !$0.isThinned }
        let model = ErrorModel(trials, on: map)
        let surveyed = SurveyedPlaces(map)
        let places = Self.places(map, trials: ordinary, surveyed, model: model)
        self.positioner = positioner.name
        self.model = model
        self.places = places
        floors = map.floors.indices.map { floor in
            Self.floor(
                Int32(floor), of: map, trials: ordinary, places: places,
                expectedError: model?.mean(on: Int32(floor), of: map, surveyed, site: site))
        }
    }
}
