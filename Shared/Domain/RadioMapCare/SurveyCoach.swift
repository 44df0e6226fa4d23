public import Events
public import Geometry
public import Positioning
public import Site

/// Says where to stand next with a survey, and how much that would help.
///
/// The floor is a grid of points, each with the error that `ErrorModel` expects there. A survey at
/// a point brings the surveys of the points around nearer and so their errors down; what they come
/// down in all is its gain. The point with the largest gain comes first, the next is chosen as if
/// the first had been surveyed, and so on, so that advice does not cluster: surveys beside a new
/// one gain little. Gains only shrink as points are chosen, so a candidate whose former gain is too
/// small need not be asked again (Minoux 1978, "Accelerated greedy algorithms").
public struct SurveyCoach: Sendable {
    /// Where to stand.
    public struct Advice: Hashable, Sendable {
        public var floor: FloorID
        public var room: RoomID?
        /// Metres in the site's frame.
        public var point: Point
        /// Metres by which the error expected at this point falls.
        public var gainHere: Double
        /// Metres by which the mean error expected over the floor falls, once those before it on
        /// the floor have been surveyed.
        public var gain: Double
        /// Metres: what is expected at this point before it is surveyed.
        public var expectedError: Double
        /// Square metres' worth of improvement: the gain summed over the floor's area. Compares
        /// advice of different floors.
        public var worth: Double
    }

    /// Advice for a floor, at most.
    public static let mostAdvice = 50
    /// A gain of the floor's mean below this, in metres, is not worth a walk.
    static let leastGain = 1e-4

    private let map: RadioMap
    private let site: SiteIndex
    private let model: ErrorModel
    private let surveyed: SurveyedPlaces

    public init(_ map: RadioMap, site: SiteIndex, model: ErrorModel) {
        self.map = map
        self.site = site
        self.model = model
        surveyed = SurveyedPlaces(map)
    }

    /// The best places of all floors, the best first.
    ///
    /// - Parameter count: for each floor, at most; `mostAdvice` if it is more.
    public func advice(count: Int) -> [Advice] {
        site.floors.indices.flatMap { advice(on: FloorIndex($0), count: count) }
            .sorted { ($1.worth, $0.floor) < ($0.worth, $1.floor) }
    }

    /// The best places of one floor, the best first.
    public func advice(on floor: FloorIndex, count: Int) -> [Advice] {
        let id = site.floor(floor).id
        // A floor that was never surveyed is not in the map: nothing was tried on it.
        let number = map.floors.firstIndex(of: id).map { Int32($0) } ?? -1
        let grid = FloorGrid(surveyed, site: site, floor: floor, number: number)
        var state = CoachState(
            grid.points.map { point in
                CoachState.Spot(
                    point: point, ratio: model.ratio(at: point, floor: number),
                    distance: surveyed.distance(from: point, floor: number))
            }, perMetre: model.perMetre)
        var advice: [Advice] = []
        while advice.count < min(count, Self.mostAdvice), let best = state.best() {
            let spot = state.spots[best.spot]
            let mean = best.gain / Double(state.spots.count)
            guard mean >= Self.leastGain else { break }
            advice.append(
                Advice(
                    floor: id, room: site.room(at: spot.point, on: floor).map { site.room($0).id },
                    point: spot.point, gainHere: state.gainHere(best.spot), gain: mean,
                    expectedError: model.error(ratio: spot.ratio, distance: spot.distance),
                    worth: best.gain * grid.step * grid.step))
            state.survey(best.spot)
        }
        return advice
    }
}
