import Events
public import Site

extension SiteDocument {
    /// The same records, with those of each kind sorted by id. It is for formats that lose the
    /// order, since they spread records of one kind over several files.
    public var inOrderOfIDs: SiteDocument {
        var sorted = self
        func sort<Record: SiteRecord>(_: Record.Type) {
            // The texts of addresses all have the same length, so they sort like the addresses
            // themselves.
            sorted[keyPath: Record.records].sort { $0.idText < $1.idText }
        }
        for type in RecordKind.all { sort(type) }
        return sorted
    }
}
