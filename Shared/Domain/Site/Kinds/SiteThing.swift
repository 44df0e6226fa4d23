import Events

/// The kind and id of one record in a site's document.
public struct SiteThing: Hashable, Sendable {
    /// The name of the record's kind, such as `floor-plan`.
    public let kind: String
    /// The record's id as documents write it.
    public let id: String

    init(_ kind: RecordKind, _ id: String) {
        self.kind = kind.name
        self.id = id
    }
}
