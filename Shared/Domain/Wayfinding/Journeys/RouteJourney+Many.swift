import Events
import Site

extension RouteJourney {
    /// The best route to each room, in the order of the rooms. Each is the one that a query for
    /// that room alone gets, without the rooms that it passes.
    ///
    /// The labels of the start are computed once for all rooms. A query of its own follows where
    /// that is not enough: no way leads there, or a part of it closes too early. A room may also
    /// lie within one that only its visitors may enter.
    ///
    /// - Parameter alone: answers a query for the room alone.
    mutating func answers(
        to rooms: [RoomID], alone: (RoomID) -> RouteAnswer
    ) -> [RouteAnswer] {
        let plain = metric.metric
        let joiner = PlaceJoiner(
            network: network, costs: costs, isUsable: { !plain[$0].isClosed })
        guard let start = try? joiner.join(query.from, isStart: true)[0] else {
            return rooms.map(alone)
        }
        open(JoinedEnds(start, []))
        let journey = self
        let starts = start.anchors.map { ManyEndedSearch.End($0.node, $0.cost) }
        return finder.cache.withSearch { search in
            search.begin(from: starts, over: journey.metric)
            return rooms.map { room in
                guard let end = try? joiner.join(.room(room), isStart: false) else {
                    return alone(room)
                }
                let joined = JoinedEnds(start, end.map { (0, $0) })
                guard journey.opened([start] + end) == journey.openedSpaces else {
                    return alone(room)
                }
                if let end = joined.endAtStart {
                    return .found([journey.routeOfNothing(to: end, joined)])
                }
                let found = search.find(to: joined.targets, over: journey.metric)
                guard let way = journey.best(joined, found, search.arcs),
                    journey.closing(on: way, to: joined.ends[way.end].place).isEmpty
                else { return alone(room) }
                return .found([journey.route(way, joined, hasLandmarks: false)])
            }
        }
    }
}
