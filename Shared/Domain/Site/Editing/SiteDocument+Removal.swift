import Events

extension SiteDocument {
    /// Removes a record; with cascade also the records that can't be without it.
    ///
    /// A record that names a removed one goes too, or stays without the reference. Its kind decides
    /// that in `SiteRecord.without`.
    mutating func remove(
        _ thing: SiteThing, isCascading: Bool, at moment: Timestamp
    ) throws(SiteRefusal) {
        guard contains(thing) else { throw .unknown(thing) }
        if !isCascading {
            let dependents = dependents(of: thing)
            guard dependents.isEmpty else { throw .stillNamed(thing, by: dependents) }
        }
        if isCascading, let discards = surveyDiscards(of: thing, before: moment) { add(discards) }
        removeAll([thing])
    }

    /// Removes records, and those that can't be without them.
    public mutating func removeAll(_ things: Set<SiteThing>) {
        for type in RecordKind.all { cut(type, things) }
        // A removed record may be named by others. Each round removes the records that name those
        // of the last round.
        var gone = things
        while !gone.isEmpty {
            var next: Set<SiteThing> = []
            for type in RecordKind.all { next.formUnion(release(type, from: gone)) }
            gone = next
        }
    }

    private mutating func cut<Record: SiteRecord>(_: Record.Type, _ things: Set<SiteThing>) {
        guard things.contains(where: { $0.kind == Record.kind.name }) else { return }
        self[keyPath: Record.records].removeAll { things.contains($0.thing) }
    }

    /// Removes the things from all records of one kind that name them. Returns the records that
    /// can't be without them and were removed.
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
