import Events

extension SiteDocument {
    /// Removes the thing; with cascade also what can't be without it.
    ///
    /// A connection goes with a place that it leads to, but a lift that still has two stops only
    /// loses the stop. Zones and directory entries lose the place and stay, unless nothing of a
    /// zone is left. Entries below a removed entry come to the top.
    mutating func remove(
        _ thing: SiteThing, isCascading: Bool, at moment: Timestamp
    ) throws(SiteRefusal) {
        guard contains(thing) else { throw .unknown(thing) }
        if !isCascading {
            let dependents = dependents(of: thing)
            guard dependents.isEmpty else { throw .stillNamed(thing, by: dependents) }
        }
        if isCascading, let discards = surveyDiscards(of: thing, before: moment) { add(discards) }
        removeRecord(thing)
        // A record that goes may be named by others: each round removes those that name the last
        // ones.
        var gone: Set = [thing]
        while !gone.isEmpty {
            var next: Set<SiteThing> = []
            for type in RecordKind.all { next.formUnion(release(type, from: gone)) }
            gone = next
        }
    }

    private mutating func removeRecord(_ thing: SiteThing) {
        func cut<Record: SiteRecord>(_: Record.Type) {
            guard Record.kind.name == thing.kind else { return }
            self[keyPath: Record.records].removeAll { $0.idText == thing.id }
        }
        for type in RecordKind.all { cut(type) }
    }

    /// Leaves of each record what there is without the things, and answers which records went.
    private mutating func release<Record: SiteRecord>(
        _: Record.Type, from gone: Set<SiteThing>
    ) -> [SiteThing] {
        var lost: [SiteThing] = []
        let left = self[keyPath: Record.records].compactMap { record -> Record? in
            guard record.references.contains(where: gone.contains) else { return record }
            let left = record.without(gone.contains)
            if left == nil { lost.append(record.thing) }
            return left
        }
        self[keyPath: Record.records] = left
        return lost
    }
}
