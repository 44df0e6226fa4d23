public import Events
public import Geometry
public import Positioning
public import Site

/// Recommends the places for the next surveys, and states how much each would help.
///
/// The floor is a grid of points, each with the error that `ErrorModel` expects. A survey brings
/// the points around it nearer to a survey, which lowers their errors. The sum of these reductions
/// is its gain. The point with the largest gain comes first. The next is chosen as if the first had
/// been surveyed, and so on. So the recommendations do not cluster, because surveys beside a new
/// one gain little.
///
/// Gains only shrink as points are chosen. So a candidate whose earlier gain is too small need not
/// be computed again (Minoux 1978, "Accelerated greedy algorithms").
public struct SurveyCoach: Sendable {
    /// A place to survey.
    public struct Advice: Hashable, Sendable {
        public var floor: FloorID
        public var room: RoomID?
        /// Metres in the site's frame.
        public var point: Point
        /// The reduction of the error expected at this point, in metres.
        public var gainHere: Double
        /// The reduction of the floor's mean expected error in metres, after the earlier advice for
        /// the floor was followed.
        public var gain: Double
        /// The error expected at this point before it is surveyed, in metres.
        public var expectedError: Double
        /// The gain summed over the floor's area, in metres times square metres. It compares the
        /// advice of different floors.
        public var worth: Double
    }

    /// The most advice for a floor.
    public static let mostAdvice = 50
    /// The smallest gain of the floor's mean error that is worth a walk, in metres.
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

    /// The best places of all floors, floor by floor, the best of each floor first.
    ///
    /// - Parameter count: the most places for each floor, limited to `mostAdvice`.
    public func advice(count: Int) -> [Advice] {
        site.floors.indices.flatMap { advice(on: FloorIndex($0), count: count) }
            .sorted { ($1.worth, $0.floor) < ($0.worth, $1.floor) }
    }

    /// The best places of one floor, the best first.
    public func advice(on floor: FloorIndex, count: Int) -> [Advice] {
        let id = site.floor(floor).id
        let (grid, spots) = spots(on: floor)
        var state = CoachState(spots, perMetre: model.perMetre)
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

    /// The errors that are expected all over a floor; nil where nobody can stand.
    public func expectedErrors(on floor: FloorIndex) -> ExpectedErrors? {
        let (grid, spots) = spots(on: floor)
        guard !spots.isEmpty else { return nil }
        var expected = ExpectedErrors(
            floor: site.floor(floor).id, stepMetres: grid.step,
            spots: spots.map { spot in
                ExpectedErrors.Spot(
                    point: spot.point,
                    error: model.error(ratio: spot.ratio, distance: spot.distance))
            }, beacons: [])
        var choice = BeaconChoice(expected.spots)
        while expected.beacons.count < BeaconChoice.count, let (spot, gain) = choice.next() {
            let point = spots[spot].point
            expected.beacons.append(
                ExpectedErrors.BeaconAdvice(
                    point: point, room: site.room(at: point, on: floor).map { site.room($0).id },
                    gain: gain))
        }
        return expected
    }

    /// The points of a floor where people can stand, each with what its error depends on.
    private func spots(on floor: FloorIndex) -> (grid: FloorGrid, spots: [CoachState.Spot]) {
        // A floor that was never surveyed is not in the map and has no trials.
        let number = map.floors.firstIndex(of: site.floor(floor).id).map { Int32($0) } ?? -1
        let grid = FloorGrid(surveyed, site: site, floor: floor, number: number)
        let spots = grid.points.map { point in
            CoachState.Spot(
                point: point, ratio: model.ratio(at: point, floor: number),
                distance: surveyed.distance(from: point, floor: number))
        }
        return (grid, spots)
    }
}
