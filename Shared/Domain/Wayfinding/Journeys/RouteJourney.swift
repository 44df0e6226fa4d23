import Events
import Geometry
import Site

/// The computation of the answer to one query.
struct RouteJourney {
    let finder: WayFinder
    let query: RouteQuery
    let costs: NetworkCosts
    private(set) var closures: WayClosures
    /// The costs that the search minimises.
    private(set) var metric: CustomisedMetric
    /// Closed or restricted rooms in which this route begins or ends, so it may use them.
    private(set) var openedSpaces: Set<Int> = []
    var network: WayNetwork { finder.network }

    init(_ finder: WayFinder, _ query: RouteQuery, _ outages: [WayOutage]) {
        self.finder = finder
        self.query = query
        costs = NetworkCosts(finder.network, query.profile)
        closures = WayClosures(finder.network, query, outages)
        let key = Self.key(query, closures)
        metric = finder.cache.metric(for: key, costs)
    }

    private static func key(
        _ query: RouteQuery, _ closures: WayClosures, opened: Set<Int> = [],
        isRelaxed: Bool = false
    ) -> MetricCache.Key {
        MetricCache.Key(
            profile: query.profile, closed: closures.closed,
            closedSpaces: closures.shutSpaces.subtracting(opened), openedSpaces: opened,
            isRelaxed: isRelaxed)
    }

    /// The costs with barriers at a high price instead of closed.
    var relaxedMetric: CustomisedMetric {
        finder.cache.metric(
            for: Self.key(query, closures, opened: openedSpaces, isRelaxed: true), costs)
    }

    /// The closed or restricted rooms that the places lie in.
    func opened(_ places: [JoinedPlace]) -> Set<Int> {
        Set(
            places.compactMap { $0.spot?.space }.filter { space in
                closures.shutSpaces.contains(space)
                    || network.site.room(network.spaces[space].room).isRestricted
            })
    }

    mutating func open(_ joined: JoinedEnds) {
        openedSpaces = opened([joined.start] + joined.ends.map(\.place))
        guard !openedSpaces.isEmpty else { return }
        metric = finder.cache.metric(for: Self.key(query, closures, opened: openedSpaces), costs)
    }

    mutating func answer() -> RouteAnswer {
        let joined: JoinedEnds
        do throws(NoRoute) {
            let metric = metric.metric
            joined = try join(over: self.metric) { !metric[$0].isClosed }
        } catch {
            // A connection nearby may be closed to this profile only. The answer then names the
            // barrier.
            if case .nothingNear = error { return explanation() ?? .none(error) }
            return .none(error)
        }
        open(joined)
        if let end = joined.endAtStart { return .found([routeOfNothing(to: end, joined)]) }
        if let routes = routes(joined) { return .found(routes) }
        if let explanation = explanation() { return explanation }
        if let near = nearby(joined) {
            open(near)
            if let routes = routes(near) { return .found(routes) }
            if let explanation = explanation(near) { return explanation }
        }
        return .none(.island(island(joined)))
    }

    /// The most searches for one query. If a part of the route closes before the traveller reaches
    /// it, that part is left out and the search starts again.
    private static let mostDelays = 8

    /// The best route and its alternatives, open when the traveller reaches each part; nil if there
    /// is none.
    private mutating func routes(_ all: JoinedEnds) -> [IndoorRoute]? {
        var joined = all
        for _ in 0..<Self.mostDelays {
            guard !joined.ends.isEmpty, let first = best(joined, over: metric) else { return nil }
            let closing = closing(on: first, to: joined.ends[first.end].place)
            if closing.isEmpty {
                let others = query.alternatives > 0 ? alternatives(to: first, joined) : []
                return ([first] + others).map { route($0, joined) }
            }
            closures.close(closing)
            metric = finder.cache.metric(
                for: Self.key(query, closures, opened: openedSpaces), costs)
            joined = joined.without(closures.closed)
        }
        return nil
    }

    /// Connections and rooms that are open at departure and closed when the traveller reaches them.
    ///
    /// - Parameter end: where the way ends, which may be a lift or the like.
    func closing(on way: Way, to end: JoinedPlace) -> WayClosures.Closing {
        var closing = WayClosures.Closing()
        var seconds = 0.0
        for piece in way.pieces {
            let moment = query.departAt.advanced(byMicroseconds: Int64(seconds * 1e6))
            switch piece.passage {
            case .connection(let connection):
                closures.note(connection, at: moment, network, query, in: &closing)
            case .space(let space) where !openedSpaces.contains(space):
                closures.note(space: space, at: moment, network, query, in: &closing)
            case .space, .approach: break
            }
            seconds += piece.seconds
        }
        let moment = query.departAt.advanced(byMicroseconds: Int64(seconds * 1e6))
        if let stop = end.stop {
            closures.note(stop.connection, at: moment, network, query, in: &closing)
        }
        closing.add(closingInside(end, at: moment))
        return closing
    }

    /// The lifts of a room, if each that is open at departure is closed on arrival.
    private func closingInside(_ end: JoinedPlace, at moment: Timestamp) -> WayClosures.Closing {
        var all = WayClosures.Closing()
        for stop in end.stopsInside where !closures.closed.contains(stop.connection) {
            var one = WayClosures.Closing()
            closures.note(stop.connection, at: moment, network, query, in: &one)
            if one.isEmpty { return WayClosures.Closing() }
            all.add(one)
        }
        return all
    }

    // MARK: Ends

    /// The query's places and their links to the network.
    struct JoinedEnds {
        var start: JoinedPlace
        var ends: [(destination: Int, place: JoinedPlace)]
        var starts: [ManyEndedSearch.End]
        /// The anchors of all ends, and the end of each.
        var targets: [ManyEndedSearch.End]
        var targetAnchors: [(end: Int, anchor: PlaceAnchor)]

        init(_ start: JoinedPlace, _ ends: [(destination: Int, place: JoinedPlace)]) {
            self.start = start
            self.ends = ends
            starts = start.anchors.map { ManyEndedSearch.End($0.node, $0.cost) }
            targetAnchors = ends.enumerated().flatMap { index, end in
                end.place.anchors.map { (end: index, anchor: $0) }
            }
            targets = targetAnchors.map { ManyEndedSearch.End($0.anchor.node, $0.anchor.cost) }
        }

        /// The same without ends at stops of these connections, and rooms that have no others.
        func without(_ closed: Set<Int>) -> JoinedEnds {
            let open = ends.filter { end in
                let stops = end.place.stop.map { [$0] } ?? end.place.stopsInside
                return stops.isEmpty || stops.contains { !closed.contains($0.connection) }
            }
            return open.count == ends.count ? self : JoinedEnds(start, open)
        }

        /// The end at which the traveller is already: the same room, or the same point.
        var endAtStart: Int? {
            ends.firstIndex { _, place in
                if place.spot == nil, let room = place.room { return room == start.room }
                guard let there = place.spot, let here = start.spot else { return false }
                return there.level == here.level
                    && there.point.distance(to: here.point) < EndPlaces.sameMetres
            }
        }
    }

    /// - Parameter metric: the costs by which one of several starts is chosen.
    func join(
        over metric: CustomisedMetric, isUsable: @escaping (ArcIndex) -> Bool
    ) throws(NoRoute) -> JoinedEnds {
        let joiner = PlaceJoiner(network: network, costs: costs, isUsable: isUsable)
        let starts = try joiner.join(query.from, isStart: true)
        var ends: [(destination: Int, place: JoinedPlace)] = []
        var failure: NoRoute?
        for (index, place) in query.to.enumerated() {
            do throws(NoRoute) {
                ends += try joiner.join(place, isStart: false).map { (index, $0) }
            } catch {
                if case .malformed = error { throw error }
                failure = failure ?? error
            }
            if ends.count > RouteQuery.mostPlaces { ends = try fewer(ends) }
        }
        // One valid destination is enough, so the failures of others are ignored.
        if ends.isEmpty, let failure { throw failure }
        return JoinedEnds(nearest(of: starts, to: ends, over: metric), ends)
    }

    /// The ends without the last stops of lifts and the like, so that they are not too many.
    private func fewer(
        _ ends: [(destination: Int, place: JoinedPlace)]
    ) throws(NoRoute) -> [(destination: Int, place: JoinedPlace)] {
        var spare = RouteQuery.mostPlaces - ends.count { $0.place.stop == nil }
        guard spare >= 0 else {
            throw .malformed(
                "the destinations stand for more than \(RouteQuery.mostPlaces) places")
        }
        return ends.filter { end in
            guard end.place.stop != nil else { return true }
            spare -= 1
            return spare >= 0
        }
    }

    // MARK: Searching

    /// A way between two places: one that the search found, or a straight line without the network.
    struct Way {
        var cost: Cost
        var end: Int
        var arcs: [ArcIndex]
        var pieces: [RoutePiece]
        /// The arcs on which the way begins and ends, if it uses only a part of them.
        var firstArc: ArcIndex?
        var lastArc: ArcIndex?

        var arcsWithEnds: [ArcIndex] {
            [firstArc].compactMap { $0 } + arcs + [lastArc].compactMap { $0 }
        }
    }

    func best(_ joined: JoinedEnds, over metric: CustomisedMetric) -> Way? {
        finder.cache.withSearch { search in
            let found = search.find(from: joined.starts, to: joined.targets, over: metric)
            return best(joined, found, search.arcs)
        }
    }

    /// The direct way, or else the one that the search found, if that is cheaper.
    func best(_ joined: JoinedEnds, _ found: ManyEndedSearch.Found?, _ arcs: [ArcIndex]) -> Way? {
        let direct = direct(joined)
        guard let found, found.cost < direct?.cost ?? .closed else { return direct }
        let writer = PieceWriter(network: network, costs: costs)
        let (end, anchor) = joined.targetAnchors[found.end]
        let pieces =
            writer.pieces(from: joined.start.anchors[found.start])
            + arcs.map(writer.piece) + writer.pieces(to: anchor)
        var way = Way(cost: found.cost, end: end, arcs: arcs, pieces: pieces)
        way.firstArc = joined.start.anchors[found.start].arc
        way.lastArc = anchor.arc
        return way
    }

    /// The way between two places in sight of each other, or on the same connection.
    func direct(_ joined: JoinedEnds) -> Way? {
        guard let here = joined.start.spot else { return nil }
        let writer = PieceWriter(network: network, costs: costs)
        var best: Way?
        func consider(
            _ cost: Cost, _ end: Int, _ pieces: [RoutePiece], along arc: ArcIndex? = nil
        ) {
            guard cost < best?.cost ?? .closed else { return }
            best = Way(cost: cost, end: end, arcs: [], pieces: pieces, firstArc: arc)
        }
        for (index, end) in joined.ends.enumerated() {
            guard let there = end.place.spot, there.level == here.level else { continue }
            if let space = here.space, space == there.space,
                network.spaces[space].space?.isClear(from: here.point, to: there.point) ?? true
            {
                let piece = writer.walk(.space(space), here, to: there.point)
                consider(Cost(seconds: piece.seconds), index, [piece])
            }
            for first in joined.start.anchors {
                for last in end.place.anchors {
                    guard let pieces = along(first, last, here, there, writer) else { continue }
                    let seconds = pieces.reduce(0) { $0 + $1.seconds }
                    consider(Cost(seconds: seconds), index, pieces, along: first.arc)
                }
            }
        }
        return best
    }

    /// The way from one point of an arc to a later point of the same arc.
    private func along(
        _ first: PlaceAnchor, _ last: PlaceAnchor, _ here: PlaceSpot, _ there: PlaceSpot,
        _ writer: PieceWriter
    ) -> [RoutePiece]? {
        guard case .arc(let arc, let shares, let foot) = first.join,
            case .arc(arc, let others, let otherFoot) = last.join,
            shares.lowerBound <= others.upperBound
        else { return nil }
        return [
            writer.walk(.approach, here, to: foot),
            writer.part(of: arc, shares.lowerBound...others.upperBound),
            writer.walk(.approach, there, to: otherFoot).turned,
        ]
    }

    // MARK: Routes

    /// - Parameter hasLandmarks: whether the legs list the rooms that they pass.
    func route(_ way: Way, _ joined: JoinedEnds, hasLandmarks: Bool = true) -> IndoorRoute {
        let writer = LegWriter(network: network, costs: costs, hasLandmarks: hasLandmarks)
        let legs = writer.legs(way.pieces)
        let seconds = legs.reduce(0) { $0 + $1.seconds }
        let end = joined.ends[way.end]
        let arriveAt = query.departAt.advanced(byMicroseconds: Self.microseconds(seconds))
        return IndoorRoute(
            distanceMetres: legs.reduce(0) { $0 + $1.distanceMetres }, seconds: seconds,
            arriveAt: arriveAt,
            legs: legs, destination: end.destination,
            endRoom: end.place.room.map { network.site.room($0).id },
            approximateStart: joined.start.gap, approximateEnd: end.place.gap,
            shutEnd: shutEnd(
                end.destination, end.place.room, at: arriveAt, isReached: legs.isEmpty),
            costMilliseconds: way.cost.value)
    }

    /// The limit of a year keeps the sum from overflowing.
    private static func microseconds(_ seconds: Double) -> Int64 {
        Int64((min(max(0, seconds.isNaN ? 0 : seconds), 31_536_000) * 1e6).rounded())
    }

    func routeOfNothing(to end: Int, _ joined: JoinedEnds) -> IndoorRoute {
        route(Way(cost: .free, end: end, arcs: [], pieces: []), joined)
    }
}
