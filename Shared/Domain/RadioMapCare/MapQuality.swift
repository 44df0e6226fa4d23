public import Events
public import Geometry
public import Positioning
public import Site

/// The quality of a radio map for each floor and place. It is measured by locating surveys with
/// parts of the map that do not contain them.
public struct MapQuality: Sendable {
    /// The reasons why positions around a place are probably bad.
    public enum Weakness: String, Hashable, Sendable, CaseIterable {
        case fewSurveys = "few-surveys"
        case fewTransmitters = "few-transmitters"
        case largeError = "large-error"
        case otherFloor = "other-floor"
    }

    /// A surveyed place and its quality.
    public struct Place: Hashable, Sendable {
        public var name: String
        public var floor: FloorID
        public var room: RoomID?
        /// The mean of the points of its surveys.
        public var point: Point
        public var surveys: Int
        public var readings: Int
        /// The number of different transmitters in all its surveys.
        public var transmitters: Int
        /// Metres; nil where the map is too small for trials on itself.
        public var expectedError: Double?
        /// The share of the place's trials that were located on its floor; nil without trials.
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
        /// The mean expected error over the points where people can stand (`FloorGrid`), in metres.
        /// Nil where the map is too small.
        public var expectedError: Double?
        public var trials: Int
        /// The error in metres, over trials that were located on any floor.
        public var median: Double?
        public var p95: Double?
        /// The floors on which this floor's trials were located, the most frequent first.
        public var locatedOn: [Located]
    }

    public struct Located: Hashable, Sendable {
        /// Nil for trials whose device was lost.
        public var floor: FloorID?
        public var share: Double
    }

    /// A place is weak with fewer surveys within `aroundMetres`.
    public static let fewestSurveys = 2
    static let aroundMetres = 2.0
    /// A place is weak if its surveys received fewer transmitters on average.
    static let fewestTransmitters = 4.0
    /// A place is weak if its expected error is this many times the site's median, and more than
    /// `smallErrorMetres`.
    static let largeErrorRatio = 1.5
    static let smallErrorMetres = 3.0
    /// A place is weak if a smaller share of its trials is located on its floor.
    static let leastFloorHit = 0.9

    /// The name of the positioner that made the trials.
    public let positioner: String
    /// Ordered by floor id.
    public let floors: [Floor]
    /// Ordered by floor and name.
    public let places: [Place]
    /// Nil where the map is too small for trials on itself.
    public let model: ErrorModel?

    /// - Parameter positioner: a positioner whose settings were chosen for the map.
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
