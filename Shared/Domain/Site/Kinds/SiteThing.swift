import Events

/// Names one record of a site's document.
public struct SiteThing: Hashable, Sendable {
    /// The name of its kind, such as `floor-plan`.
    public let kind: String
    /// As documents write it.
    public let id: String

    init(_ kind: RecordKind, _ id: String) {
        self.kind = kind.name
        self.id = id
    }
}
