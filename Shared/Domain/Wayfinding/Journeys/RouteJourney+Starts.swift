extension RouteJourney {
    /// The most pairs of a start and an end between which ways without the network are looked for.
    private static let mostPairs = 2_000

    /// The start from which an end is reached at the lowest cost, such as the nearest of all
    /// toilets. If no way leads on from any of them, it is the first.
    ///
    /// All starts are searched from at once. Ways that need no network, such as those within one
    /// room, are compared with what that search found.
    func nearest(
        of starts: [JoinedPlace], to ends: [(destination: Int, place: JoinedPlace)],
        over metric: CustomisedMetric
    ) -> JoinedPlace {
        guard starts.count > 1 else { return starts[0] }
        let all = starts.map { JoinedEnds($0, ends) }
        if let there = all.first(where: { $0.endAtStart != nil }) { return there.start }
        let anchors = all.enumerated().flatMap { index, joined in
            joined.starts.map { (start: index, end: $0) }
        }
        let found = finder.cache.withSearch { search in
            search.find(from: anchors.map(\.end), to: all[0].targets, over: metric)
        }
        var best = found.map { (start: anchors[$0.start].start, cost: $0.cost) }
        guard starts.count * ends.count <= Self.mostPairs else {
            return starts[best?.start ?? 0]
        }
        for (index, joined) in all.enumerated() {
            guard let way = direct(joined), way.cost < best?.cost ?? .closed else { continue }
            best = (index, way.cost)
        }
        return starts[best?.start ?? 0]
    }
}
