import Events

/// The differences between two versions of a site, record by record.
public struct SiteComparison: Hashable, Sendable {
    /// A record that is in both versions, with differences.
    public struct Change: Hashable, Sendable {
        public var thing: SiteThing
        /// The members that differ, as documents name them; sorted.
        public var fields: [String]

        public init(thing: SiteThing, fields: [String]) {
            self.thing = thing
            self.fields = fields
        }
    }

    public var added: [SiteThing] = []
    public var removed: [SiteThing] = []
    public var changed: [Change] = []
    /// The members of the site itself that differ, such as its name or its frame.
    public var siteFields: [String] = []

    public var isEmpty: Bool {
        added.isEmpty && removed.isEmpty && changed.isEmpty && siteFields.isEmpty
    }

    public init(from old: SiteDocument, to new: SiteDocument) {
        for type in RecordKind.all { compare(type, old, new) }
        siteFields = Self.differing(SiteDocument.fields, old, new)
    }

    private mutating func compare<Record: SiteRecord>(
        _: Record.Type, _ old: SiteDocument, _ new: SiteDocument
    ) {
        let (old, new) = (old[keyPath: Record.records], new[keyPath: Record.records])
        guard old != new else { return }
        let before = Dictionary(old.map { ($0.idText, $0) }) { first, _ in first }
        let after = Set(new.map(\.idText))
        removed += old.filter { !after.contains($0.idText) }.map(\.thing)
        for record in new {
            guard let known = before[record.idText] else {
                added.append(record.thing)
                continue
            }
            if known != record {
                changed.append(
                    Change(
                        thing: record.thing,
                        fields: Self.differing(Record.fields, known, record)))
            }
        }
    }

    private static func differing<Value>(
        _ fields: [RecordField<Value>], _ old: Value, _ new: Value
    ) -> [String] {
        fields.filter { !$0.isSame(old, new) }.map(\.name).sorted()
    }
}
