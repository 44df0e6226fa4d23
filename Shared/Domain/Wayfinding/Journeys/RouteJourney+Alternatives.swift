import Geometry

extension RouteJourney {
    /// Arcs of routes found so far are made so much dearer.
    private static let penalty = 1.5
    /// An alternative may cost so many times the best.
    private static let mostCost = 1.6
    /// It may share so much of its cost with each route before it.
    private static let mostShared = 0.7
    private static let mostTries = 4
    /// Lines of a hall beyond which only those that were walked become dearer.
    private static let mostWidened = 400

    /// Further routes by the penalty method (Bader, Dees, Geisberger and Sanders 2011, "Alternative
    /// route graphs in road networks"): what was used becomes dearer, until something else is
    /// cheaper. Routes that are much alike, or much dearer, are no alternatives; nor are those that
    /// lead over the same connections and through the same rooms, only along lines a few metres
    /// off.
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
                && closing(on: way).isEmpty
            if isGood { found.append(way) }
            if found.count > query.alternatives { break }
        }
        return found.dropFirst().sorted { $0.cost < $1.cost }
    }

    /// Two lines through the same rooms are one way to somebody where they are no farther apart
    /// than this, and neither is longer by more than this share or these metres: a pillar is passed
    /// on either side.
    private static let (sameMetres, sameShare, sameLength) = (5.0, 0.03, 1.0)

    private func isSame(_ way: Way, _ other: Way) -> Bool {
        guard passages(way) == passages(other) else { return false }
        // As they will be told: pulled tight in each room.
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

    /// What somebody sees of a way: its connections and rooms in order.
    private func passages(_ way: Way) -> [RoutePiece.Passage] {
        var passages: [RoutePiece.Passage] = []
        for piece in way.pieces where piece.passage != passages.last {
            if case .connection = piece.passage {} else if piece.metres < 0.01 { continue }
            passages.append(piece.passage)
        }
        return passages
    }

    /// With all lines through the rooms that are crossed: another line beside the first is the same
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

    /// What it costs without penalties.
    private func cost(of way: Way, penalised: CustomisedMetric) -> Cost {
        let dear = way.arcs.reduce(Cost.free) { $0 + penalised.metric[$1] }
        let plain = way.arcs.reduce(Cost.free) { $0 + metric.metric[$1] }
        return Cost(way.cost.value - dear.value + plain.value)
    }

    /// Which part of a way's cost lies on arcs of another, in either direction.
    private func shared(_ way: Way, _ other: Way) -> Double {
        let used = Set(other.arcs + other.arcs.compactMap { network.twin(of: $0) })
        let all = way.arcs.reduce(0.0) { $0 + Double(metric.metric[$1].value) }
        guard all > 0 else { return 1 }
        return way.arcs.reduce(0.0) {
            $0 + (used.contains($1) ? Double(metric.metric[$1].value) : 0)
        } / all
    }
}
