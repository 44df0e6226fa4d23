import Events

/// A record that a site's document holds a list of.
///
/// A new kind conforms to this beside its struct, gets its list in `SiteDocument` and its place in
/// `RecordKind.all` there, and says in `Wire` how its members are written.
public protocol SiteRecord: Hashable, Sendable {
    static var kind: RecordKind { get }
    /// Where a document keeps the records of this kind.
    static var records: WritableKeyPath<SiteDocument, [Self]> { get }
    /// All of them but the id, in the order in which a merge reports them.
    static var fields: [RecordField<Self>] { get }

    /// Unique among the records of its kind; as documents write it.
    var idText: String { get }
    /// The things that the record names, which therefore have to be there.
    var references: [SiteThing] { get }
    /// By which a list of records is asked for, such as the kind of a room.
    var category: String? { get }
    /// Its name or title in every language.
    var allNames: [String] { get }
    /// How many corners its outlines have, holes included.
    var cornerCount: Int { get }

    /// The rest of the record when things that it names are gone; nil when it goes with them.
    func without(_ isGone: (SiteThing) -> Bool) -> Self?
    /// Adds what is wrong with the record, apart from its id.
    func check(_ validation: inout SiteValidation)
}

extension SiteRecord {
    public var thing: SiteThing { SiteThing(Self.kind, idText) }
    public var references: [SiteThing] { [] }
    public var category: String? { nil }
    public var allNames: [String] { [] }
    public var cornerCount: Int { 0 }
    public func without(_ isGone: (SiteThing) -> Bool) -> Self? { nil }

    /// The members that documents may have of a record.
    public static var memberNames: Set<String> {
        Set(fields.map(\.name)).union(["\(kind.key.member)"])
    }
}

extension Translations {
    /// The name and its translations.
    func all(with name: String?) -> [String] { (name.map { [$0] } ?? []) + byLanguage.values }
}
