import Events

/// One kind of record in a site's document.
///
/// To add a kind: conform its struct to this protocol, give it a list in `SiteDocument` and an
/// entry in `RecordKind.all`. Then write its members in `Wire`.
public protocol SiteRecord: Hashable, Sendable {
    static var kind: RecordKind { get }
    /// The list of these records in a document.
    static var records: WritableKeyPath<SiteDocument, [Self]> { get }
    /// All fields except the id, in the order in which a merge reports them.
    static var fields: [RecordField<Self>] { get }

    /// The id as documents write it, unique among the records of its kind.
    var idText: String { get }
    /// The things that the record names, which must exist in the document.
    var references: [SiteThing] { get }
    /// The value that lists of records are filtered by, such as the kind of a room.
    var category: String? { get }
    /// The name or title in every language.
    var allNames: [String] { get }
    /// The number of corners of all outlines, holes included.
    var cornerCount: Int { get }

    /// The record without the removed things that it names; nil if it must be removed with them.
    func without(_ isGone: (SiteThing) -> Bool) -> Self?
    /// Adds the record's faults to the validation. The id is checked elsewhere.
    func check(_ validation: inout SiteValidation)
}

extension SiteRecord {
    public var thing: SiteThing { SiteThing(Self.kind, idText) }
    public var references: [SiteThing] { [] }
    public var category: String? { nil }
    public var allNames: [String] { [] }
    public var cornerCount: Int { 0 }
    public func without(_ isGone: (SiteThing) -> Bool) -> Self? { nil }

    /// The members that a record may have in documents.
    public static var memberNames: Set<String> {
        Set(fields.map(\.name)).union(["\(kind.key.member)"])
    }
}

extension Translations {
    /// The name followed by its translations.
    func all(with name: String?) -> [String] { (name.map { [$0] } ?? []) + byLanguage.values }
}
