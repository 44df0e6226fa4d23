import Events

/// A straight line over time through the positions of one floor, taken at the time 0.
struct LineFit {
    private let used: [Neighbour]
    /// The part of each position in the line's value. Together they are 1.
    private let shares: [Double]
    private let weight: Double

    /// - Parameter used: not empty.
    init(_ used: [Neighbour], _ smoother: PositionSmoother) {
        self.used = used
        let sum = used.reduce(0) { $0 + $1.weight }
        let first = used.reduce(0) { $0 + $1.weight * $1.seconds }
        let second = used.reduce(0) { $0 + $1.weight * $1.seconds * $1.seconds }
        let square = smoother.bandwidthSeconds * smoother.bandwidthSeconds
        let slope = second + smoother.ridge * sum * square
        let determinant = sum * slope - first * first
        shares = used.map { $0.weight * (slope - first * $0.seconds) / determinant }
        weight = sum
    }

    /// The line's value; nil where a position has none.
    func value(_ read: (PositionEstimated) -> Double?) -> Double? {
        guard let base = used.first.flatMap({ read($0.position) }) else { return nil }
        var sum = base
        for (neighbour, share) in zip(used, shares) {
            guard let value = read(neighbour.position) else { return nil }
            // Differences keep the digits of degrees.
            sum += share * (value - base)
        }
        return sum
    }

    /// The weighted mean over the positions that have the value.
    func mean(_ read: (PositionEstimated) -> Double?) -> Double? {
        var sum = 0.0
        var weights = 0.0
        for neighbour in used {
            guard let value = read(neighbour.position) else { continue }
            sum += neighbour.weight * value
            weights += neighbour.weight
        }
        return weights > 0 ? sum / weights : nil
    }

    var covariance: [Double]? {
        let entries = (0..<3).compactMap { entry in
            mean { $0.covariance.flatMap { $0.count == 3 ? $0[entry] : nil } }
        }
        return entries.count == 3 ? entries : nil
    }

    /// The mean probability of each room. A position without the room counts as 0.
    var rooms: [RoomID: Double] {
        var sums: [RoomID: Double] = [:]
        for neighbour in used {
            for room in neighbour.position.rooms {
                sums[room.id, default: 0] += neighbour.weight * room.probability
            }
        }
        return sums.mapValues { $0 / weight }
    }

    /// Whether the device was located before and after.
    var isEnclosed: Bool {
        let located = used.filter { $0.position.state == .located }
        return located.contains { $0.seconds < 0 } && located.contains { $0.seconds > 0 }
    }

    /// Whether the located positions have more than half of the weight.
    var isMostlyLocated: Bool {
        let located = used.reduce(0) {
            $0 + ($1.position.state == .located ? $1.weight : 0)
        }
        return located * 2 > weight
    }
}
