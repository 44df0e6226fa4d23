extension RouteJourney {
    /// The same places, but an end without connections is moved to the nearest place that a route
    /// can reach. Nil if both ends have connections, or nothing is near.
    func nearby(_ joined: JoinedEnds) -> JoinedEnds? {
        let metric = metric.metric
        let joiner = PlaceJoiner(
            network: network, costs: costs, isUsable: { !metric[$0].isClosed })
        let startParts = parts(joined.start)
        let isStartLost = startParts.isEmpty
        var ends: [(destination: Int, place: JoinedPlace)] = []
        var endParts: Set<Int> = []
        for end in joined.ends {
            let parts = parts(end.place)
            endParts.formUnion(parts)
            if !parts.isEmpty {
                if isStartLost { ends.append(end) }
                continue
            }
            let near = joiner.nearby(end.place, isStart: false) { node in
                isStartLost
                    ? network.isOnMainland[node.value]
                    : startParts.contains(network.partOfNode[node.value])
            }
            if let near { ends.append((end.destination, near)) }
        }
        guard !ends.isEmpty else { return nil }
        guard isStartLost else { return JoinedEnds(joined.start, ends) }
        let start = joiner.nearby(joined.start, isStart: true) { node in
            endParts.isEmpty
                ? network.isOnMainland[node.value]
                : endParts.contains(network.partOfNode[node.value])
        }
        return start.map { JoinedEnds($0, ends) }
    }

    /// The large connected parts of the network that the place has links to; empty for a place
    /// without.
    private func parts(_ place: JoinedPlace) -> Set<Int> {
        Set(
            place.anchors.map(\.node.value).filter { network.isOnMainland[$0] }.map {
                network.partOfNode[$0]
            })
    }
}
