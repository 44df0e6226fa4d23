import Events

extension SiteDocument {
    /// The records that name the thing and would name nothing without it, in the order of the
    /// document.
    public func dependents(of thing: SiteThing) -> [SiteThing] {
        func found<Record: SiteRecord>(_: Record.Type) -> [SiteThing] {
            self[keyPath: Record.records].filter { $0.references.contains(thing) }.map(\.thing)
        }
        return RecordKind.all.flatMap { found($0) }
    }

    public func contains(_ thing: SiteThing) -> Bool {
        func has<Record: SiteRecord>(_: Record.Type) -> Bool {
            let record: Record? = record(thing)
            return record != nil
        }
        return RecordKind.all.contains { has($0) }
    }

    public func record<Record: SiteRecord>(_ thing: SiteThing) -> Record? {
        guard Record.kind.name == thing.kind else { return nil }
        return self[keyPath: Record.records].first { $0.idText == thing.id }
    }

    mutating func put<Record: SiteRecord>(_ record: Record) {
        let id = record.idText
        if let index = self[keyPath: Record.records].firstIndex(where: { $0.idText == id }) {
            self[keyPath: Record.records][index] = record
        } else {
            self[keyPath: Record.records].append(record)
        }
    }
}
