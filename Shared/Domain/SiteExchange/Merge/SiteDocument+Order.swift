import Events
public import Site

extension SiteDocument {
    /// The same records, those of each kind in the order of their ids: what is left where a format
    /// has records of one kind in several files, and cannot say how they stood.
    public var inOrderOfIDs: SiteDocument {
        var sorted = self
        func sort<Record: SiteRecord>(_: Record.Type) {
            // The lengths of addresses are equal, so their texts stand in the order of their
            // numbers.
            sorted[keyPath: Record.records].sort { $0.idText < $1.idText }
        }
        for type in RecordKind.all { sort(type) }
        return sorted
    }
}
