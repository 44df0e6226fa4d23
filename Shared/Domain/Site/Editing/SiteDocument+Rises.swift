import Events
import Geometry

extension SiteDocument {
    /// The document that was edited by hand, in place of the former: the rises of changed ways are
    /// settled.
    ///
    /// - Throws: a refusal of new facts that don't fit their connections' kinds.
    public func rewritten(after former: SiteDocument) throws(SiteRefusal) -> SiteDocument {
        try checkFacts(after: former)
        var settled = self
        settled.settleRises(after: former)
        return settled
    }

    /// Settles the rises that a grid of heights gave, after ways were changed by hand. A slope with
    /// a rise came from a grid, and the next grid replaces it. One without was stated.
    ///
    /// - A slope that was changed, while its rise was not, is stated: the rise goes.
    /// - A stated slope that was not changed gets no rise.
    /// - A way whose line or stops were changed keeps both, until the next grid. Between other
    ///   stops the rise is at most the slope times the length.
    /// - A way that no grid measures any more has no rise.
    /// - A way that was only turned round has both turned round.
    ///
    /// The same edit once more changes nothing: its editor may not know that it was settled.
    mutating func settleRises(after former: SiteDocument) {
        // Few sites have rises, and an edit changes few ways, so most need no table.
        guard connections.contains(where: { $0.riseMetres != nil }) else { return }
        var before: [ConnectionID: ConnectionRecord] = [:]
        for way in former.connections { before[way.id] = way }
        for index in connections.indices where connections[index].riseMetres != nil {
            guard let way = before[connections[index].id], way != connections[index] else {
                continue
            }
            connections[index].riseMetres = connections[index].settledRise(after: way)
        }
    }
}

extension ConnectionRecord {
    /// Whether a grid of heights gives the way its slope: an outdoor walk or ramp.
    public var isOnOpenGround: Bool {
        (kind == .walk || kind == .ramp)
            && stops.allSatisfy { $0.floor == nil && $0.room == nil }
    }

    /// The rise after the edit of the former record. Given its own answer as the former, it answers
    /// the same.
    fileprivate func settledRise(after former: ConnectionRecord) -> Double? {
        guard let rise = riseMetres else { return nil }
        // An editor that turns a way and its slope round may know nothing of the rise.
        let isTurned = slope == former.slope.map({ -$0 }) && stops == former.stops.reversed()
        guard let known = former.riseMetres else {
            return slope == former.slope || isTurned ? nil : rise
        }
        guard rise == known else {
            // Another rise is stated with its slope, unless it was turned or limited before.
            let isSettled = known == -rise || known == limited(rise)
            let isSame = slope == former.slope && stops == former.stops
            return isSame && isSettled ? known : rise
        }
        if former.isOnOpenGround, !isOnOpenGround { return nil }
        if isTurned { return rise == 0 ? rise : -rise }
        guard slope == former.slope else { return nil }
        return stops == former.stops ? rise : limited(rise)
    }

    /// The rise, at most the slope times the length.
    private func limited(_ rise: Double) -> Double {
        guard let slope else { return rise }
        let most = abs(slope) * drawnMetres
        return abs(rise) <= most ? rise : ((rise < 0 ? -most : most) * 100).rounded() / 100
    }

    private var drawnMetres: Double {
        let ends = stops.map(\.point)
        return (ends.count == 2 ? [ends[0]] + line + [ends[1]] : ends).lengthMetres
    }
}
