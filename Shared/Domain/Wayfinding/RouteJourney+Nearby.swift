import Routing

extension RouteJourney {
    /// The same question with ends that no way leads to moved to what is nearest to them: first one end,
    /// which is led to what hangs together with the other, then both.
    func nearby(_ joined: JoinedEnds) -> [JoinedEnds] {
        let metric = metric.metric
        let joiner = PlaceJoiner(
            network: network, costs: costs, isUsable: { !metric[$0].isClosed })
        let startParts = Set(joined.starts.map { network.partOfNode[$0.node.value] })
        let endParts = Set(joined.targets.map { network.partOfNode[$0.node.value] })
        func ends(_ isReached: (NodeIndex) -> Bool) -> [(destination: Int, place: JoinedPlace)] {
            joined.ends.compactMap { end in
                joiner.nearby(end.place, isStart: false, isReached: isReached).map {
                    (end.destination, $0)
                }
            }
        }
        func start(_ isReached: (NodeIndex) -> Bool) -> JoinedPlace? {
            joiner.nearby(joined.start, isStart: true, isReached: isReached)
        }
        var found: [JoinedEnds] = []
        if !startParts.isEmpty {
            let near = ends { startParts.contains(network.partOfNode[$0.value]) }
            if !near.isEmpty { found.append(JoinedEnds(joined.start, near)) }
        }
        if !endParts.isEmpty {
            let near = start { endParts.contains(network.partOfNode[$0.value]) }
            if let near { found.append(JoinedEnds(near, joined.ends)) }
        }
        // One who starts where nothing leads on is not helped by another island.
        let isStartLost = !joined.starts.contains { network.isOnMainland[$0.node.value] }
        if isStartLost { found.reverse() }
        let isOnMainland = { (node: NodeIndex) in network.isOnMainland[node.value] }
        let near = ends(isOnMainland)
        if let start = start(isOnMainland), !near.isEmpty { found.append(JoinedEnds(start, near)) }
        return found
    }
}
