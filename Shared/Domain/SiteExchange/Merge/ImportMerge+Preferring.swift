import Events
public import Site

extension ImportMerge {
    /// Merges a file that counts wherever it differs from the site. Records that it lacks are
    /// removed, unless its format can't say them, or others still name them.
    ///
    /// - Parameter echo: the site as the format of the file says it.
    public init(preferring imported: SiteDocument, echo: SiteDocument, current: SiteDocument) {
        var base = echo
        // The echo is rounded. A removed record would count as edited by people.
        func adopt<Record: SiteRecord>(_: Record.Type) {
            let inFile = Set(imported[keyPath: Record.records].map(\.idText))
            let present = Dictionary(
                current[keyPath: Record.records].map { ($0.idText, $0) },
                uniquingKeysWith: { first, _ in first })
            base[keyPath: Record.records] = base[keyPath: Record.records].map { record in
                inFile.contains(record.idText) ? record : present[record.idText] ?? record
            }
        }
        for type in RecordKind.all { adopt(type) }
        self.init(base: base, imported: imported, current: current)
    }
}
