import Events

extension SiteDocument {
    /// Drops the rises that a grid of heights gave before ways were changed by hand.
    ///
    /// A way keeps no rise if its slope, stops or line changed and its rise did not. The rise was
    /// measured along another line, or belongs to another slope. The slope then counts as stated,
    /// so that no grid replaces it. A way that was only turned round keeps its rise.
    mutating func dropStaleRises(after former: SiteDocument) {
        // Few sites have rises, and an edit changes few ways, so most need no table.
        guard former.connections.contains(where: { $0.riseMetres != nil }) else { return }
        var before: [ConnectionID: ConnectionRecord] = [:]
        for way in former.connections where way.riseMetres != nil { before[way.id] = way }
        for index in connections.indices where connections[index].riseMetres != nil {
            guard let way = before[connections[index].id],
                connections[index].hasStaleRise(after: way)
            else { continue }
            connections[index].riseMetres = nil
        }
    }
}

extension ConnectionRecord {
    fileprivate func hasStaleRise(after former: ConnectionRecord) -> Bool {
        guard riseMetres == former.riseMetres, !isMeasured(as: former) else { return false }
        var turned = former
        turned.reverse()
        return !isMeasured(as: turned)
    }

    private func isMeasured(as other: ConnectionRecord) -> Bool {
        slope == other.slope && stops == other.stops && line == other.line
            && riseMetres == other.riseMetres
    }
}
