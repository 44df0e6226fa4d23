public import Events
import Glibc

/// Smooths a position by the positions of the same device shortly before and after it.
///
/// Metres and degrees are fitted by a straight line over time, with weights that fall with the
/// distance in time. This is local linear regression, without the robust steps (Cleveland 1979,
/// "Robust locally weighted regression and smoothing scatterplots", Journal of the American
/// Statistical Association 74). A small ridge keeps the line flat where times lie close together.
///
/// Radii, covariances and rooms are weighted means. The errors of successive scans are alike, so a
/// mean of many positions has no smaller radius.
public struct PositionSmoother: Hashable, Sendable {
    /// Positions farther away than this don't count.
    public var lagMicroseconds: Int64
    /// The standard deviation of the weights, in seconds.
    var bandwidthSeconds: Double
    /// The ridge, as a share of the sum of weights times the square of the bandwidth.
    public var ridge: Double

    /// The rooms of a smoothed position, at most.
    static let mostRooms = 10
    /// The log and its tables hold probabilities to this unit.
    private static let probabilityUnit = 10_000.0
    /// A room is published from this probability on.
    private static let roomProbability = 0.5

    /// The standard values were found on training paths of MS site 1 (docs/accuracy.md).
    public init(
        lagMicroseconds: Int64 = 15_000_000, bandwidthSeconds: Double = 5, ridge: Double = 0.02
    ) {
        precondition(lagMicroseconds > 0 && bandwidthSeconds > 0 && ridge > 0)
        self.lagMicroseconds = lagMicroseconds
        self.bandwidthSeconds = bandwidthSeconds
        self.ridge = ridge
    }

    /// The position, smoothed. Its id, times, versions and pace stay as they are.
    ///
    /// A position gets another floor only if the device was located there before and after it. So
    /// does a lost one: then it is interpolated, and `uncertain`. Otherwise it stays lost.
    ///
    /// - Parameter others: positions of the same device, in any order. The position itself may be
    ///   among them.
    public func smoothed(
        _ position: PositionEstimated, among others: some Sequence<PositionEstimated>
    ) -> PositionEstimated {
        let near = neighbours(of: position, among: others)
        let own = position.isPlaced ? Ground(position) : nil
        guard var ground = chosenGround(near, own: own) else { return position }
        var fit = LineFit(near.filter { Ground($0.position) == ground }, self)
        if ground != own, !fit.isEnclosed {
            // Nobody knows when a walker changed floors.
            guard let own else { return position }
            ground = own
            fit = LineFit(near.filter { Ground($0.position) == own }, self)
        }
        var result = position
        (result.building, result.floor) = (ground.building, ground.floor)
        (result.x, result.y) = (fit.value(\.x), fit.value(\.y))
        (result.latitude, result.longitude) = (fit.value(\.latitude), fit.value(\.longitude))
        result.radius68 = fit.mean(\.radius68)
        result.radius95 = fit.mean(\.radius95)
        result.covariance = fit.covariance
        result.rooms = rooms(fit)
        result.room =
            result.rooms.first.flatMap { $0.probability >= Self.roomProbability ? $0.id : nil }
            ?? (own == ground ? position.room : nil)
        result.state =
            position.state == .located && fit.isMostlyLocated ? .located : .uncertain
        result.lostBecause = nil
        return result
    }

    /// The located and uncertain positions within the lag, in the order of time and id.
    private func neighbours(
        of position: PositionEstimated, among others: some Sequence<PositionEstimated>
    ) -> [Neighbour] {
        let near = others.filter { other in
            other.id != position.id && other.isPlaced
                && (other.at - position.at).magnitude <= UInt64(lagMicroseconds)
        }
        let all = position.isPlaced ? near + [position] : near
        return all.sorted { ($0.at, $0.id) < ($1.at, $1.id) }.map { other in
            let seconds = Double(other.at - position.at) / 1e6
            let share = seconds / bandwidthSeconds
            return Neighbour(
                position: other, seconds: seconds, weight: exp(-share * share / 2))
        }
    }

    /// The floor with the most weight; between equals the position's own, then the first by name.
    private func chosenGround(_ near: [Neighbour], own: Ground?) -> Ground? {
        var votes: [Ground: Double] = [:]
        for neighbour in near {
            votes[Ground(neighbour.position), default: 0] += neighbour.weight
        }
        return votes.max { left, right in
            if left.value != right.value { return left.value < right.value }
            if left.key == own || right.key == own { return right.key == own }
            return left.key.name > right.key.name
        }?.key
    }

    /// The most probable room first.
    private func rooms(_ fit: LineFit) -> [PositionEstimated.RoomProbability] {
        fit.rooms.map { id, probability in
            PositionEstimated.RoomProbability(
                id: id,
                probability: (probability * Self.probabilityUnit).rounded() / Self.probabilityUnit)
        }
        .filter { $0.probability > 0 }
        .sorted { ($1.probability, $0.id) < ($0.probability, $1.id) }
        .prefix(Self.mostRooms).map(\.self)
    }
}

/// The floor of a position, or outdoors.
struct Ground: Hashable {
    var building: BuildingID?
    var floor: FloorID?

    init(_ position: PositionEstimated) {
        (building, floor) = (position.building, position.floor)
    }

    var name: String { "\(building?.text ?? "")/\(floor?.text ?? "")" }
}

/// A position with its weight.
struct Neighbour {
    var position: PositionEstimated
    /// Seconds after the position that is smoothed.
    var seconds: Double
    var weight: Double
}

extension PositionEstimated {
    /// Whether the device was located, certainly or not.
    var isPlaced: Bool { state != .lost && x != nil && y != nil }
}
