import Geometry

extension RouteJourney {
    /// The factor by which arcs of the routes found so far become more expensive.
    private static let penalty = 1.5
    /// The most that an alternative may cost, as a multiple of the best route.
    private static let mostCost = 1.6
    /// The most of its cost that an alternative may share with each earlier route.
    private static let mostShared = 0.7
    private static let mostTries = 4
    /// In a room with more lines than this, only the lines of the route become more expensive.
    private static let mostWidened = 400

    /// Further routes by the penalty method. Used arcs become more expensive until another route is
    /// cheaper (Bader, Dees, Geisberger and Sanders 2011, "Alternative route graphs in road
    /// networks").
    ///
    /// A route is no alternative if it is much like an earlier one, or much more expensive. Nor is
    /// one that uses the same connections and rooms on lines a few metres away.
    func alternatives(to first: Way, _ joined: JoinedEnds) -> [Way] {
        var found = [first]
        var penalised = metric
        var last = first
        var factors: [ArcIndex: Double] = [:]
        var isAgain = false
        for _ in 0..<(query.alternatives * Self.mostTries) {
            penalise(isAgain ? widened(last.arcs) : last.arcs, &factors, &penalised)
            guard var way = best(joined, over: penalised), way.arcs != last.arcs else {
                if factors.isEmpty { break }
                continue
            }
            way.cost = cost(of: way, penalised: penalised)
            last = way
            isAgain = found.contains { isSame(way, $0) }
            let isGood =
                Double(way.cost.value) <= Self.mostCost * Double(first.cost.value)
                && !isAgain && found.allSatisfy { shared(way, $0) <= Self.mostShared }
                && closing(on: way, to: joined.ends[way.end].place).isEmpty
            if isGood { found.append(way) }
            if found.count > query.alternatives { break }
        }
        return found.dropFirst().sorted { $0.cost < $1.cost }
    }

    /// Two lines through the same rooms are the same way to a traveller if they differ less than
    /// this. An example is the two sides of a pillar. The figures are metres between the lines, and
    /// the difference in length as a share and in metres.
    private static let (sameMetres, sameShare, sameLength) = (5.0, 0.03, 1.0)

    private func isSame(_ way: Way, _ other: Way) -> Bool {
        guard passages(way) == passages(other) else { return false }
        // Compares the routes in the form in which they are returned, straightened in each room.
        let writer = LegWriter(network: network, costs: costs)
        let legs = [way, other].map { writer.legs($0.pieces) }
        let lengths = legs.map { $0.reduce(0) { $0 + $1.distanceMetres } }
        let most = max(Self.sameLength, Self.sameShare * max(lengths[0], lengths[1]))
        guard abs(lengths[0] - lengths[1]) <= most else { return false }
        let lines = legs[1].flatMap(\.paths)
        return legs[0].flatMap(\.paths).allSatisfy { path in
            path.points.count < 2
                || path.points.allSatisfy { point in
                    lines.contains { line in
                        line.floor == path.floor
                            && zip(line.points, line.points.dropFirst()).contains { ends in
                                point.distance(toSegmentFrom: ends.0, to: ends.1)
                                    < Self.sameMetres
                            }
                    }
                }
        }
    }

    /// The connections and rooms of a way in order, as a traveller sees it.
    private func passages(_ way: Way) -> [RoutePiece.Passage] {
        var passages: [RoutePiece.Passage] = []
        for piece in way.pieces where piece.passage != passages.last {
            if case .connection = piece.passage {} else if piece.metres < 0.01 { continue }
            passages.append(piece.passage)
        }
        return passages
    }

    /// The arcs and all other lines through the rooms of the way, since a parallel line is the same
    /// way.
    private func widened(_ arcs: [ArcIndex]) -> [ArcIndex] {
        var all = arcs
        var known = Set(arcs)
        for space in Set(arcs.compactMap { network.arcs[$0.value].space }).sorted() {
            guard network.arcsOfSpace[space].count <= Self.mostWidened else { continue }
            for arc in network.arcsOfSpace[space] where known.insert(arc).inserted {
                all.append(arc)
            }
        }
        return all
    }

    private func penalise(
        _ arcs: [ArcIndex], _ factors: inout [ArcIndex: Double],
        _ penalised: inout CustomisedMetric
    ) {
        var changes: [(arc: ArcIndex, cost: Cost)] = []
        for arc in Set(arcs + arcs.compactMap { network.twin(of: $0) }).sorted() {
            factors[arc, default: 1] *= Self.penalty
            let open = metric.metric[arc]
            guard !open.isClosed else { continue }
            let dearer = Double(open.value) * (factors[arc] ?? 1)
            changes.append((arc, Cost(seconds: dearer / 1_000)))
        }
        penalised.change(changes)
    }

    /// The cost of the way without penalties.
    private func cost(of way: Way, penalised: CustomisedMetric) -> Cost {
        let dear = way.arcs.reduce(Cost.free) { $0 + penalised.metric[$1] }
        let plain = way.arcs.reduce(Cost.free) { $0 + metric.metric[$1] }
        return Cost(way.cost.value - dear.value + plain.value)
    }

    /// The share of a way's cost on arcs of the other way, in either direction.
    private func shared(_ way: Way, _ other: Way) -> Double {
        let used = Set(other.arcs + other.arcs.compactMap { network.twin(of: $0) })
        let all = way.arcs.reduce(0.0) { $0 + Double(metric.metric[$1].value) }
        guard all > 0 else { return 1 }
        return way.arcs.reduce(0.0) {
            $0 + (used.contains($1) ? Double(metric.metric[$1].value) : 0)
        } / all
    }
}
