import Events

/// One field of a record, for comparing and merging.
public struct RecordField<Record>: Sendable {
    /// The member of documents that has the field's value.
    public let name: String
    /// The group of fields that is merged as one, because their values only make sense together.
    /// Nil for a field that is never merged.
    public let group: String?
    public let value: @Sendable (Record) -> any Hashable
    public let isSame: @Sendable (Record, Record) -> Bool
    public let copy: @Sendable (_ from: Record, _ to: inout Record) -> Void
    /// Set for texts in languages: each language is merged by itself.
    public let languages: (any WritableKeyPath<Record, Translations> & Sendable)?

    init(
        _ name: String,
        _ path: any WritableKeyPath<Record, some Hashable & SendableMetatype> & Sendable,
        with group: String? = nil
    ) {
        self.init(name, path, group: group ?? name)
    }

    init(_ name: String, languages path: any WritableKeyPath<Record, Translations> & Sendable) {
        self.init(name, path, group: name, languages: path)
    }

    init(
        unmerged name: String,
        _ path: any WritableKeyPath<Record, some Hashable & SendableMetatype> & Sendable
    ) {
        self.init(name, path, group: nil)
    }

    private init(
        _ name: String,
        _ path: any WritableKeyPath<Record, some Hashable & SendableMetatype> & Sendable,
        group: String?,
        languages: (any WritableKeyPath<Record, Translations> & Sendable)? = nil
    ) {
        self.name = name
        self.group = group
        self.languages = languages
        value = { $0[keyPath: path] }
        isSame = { $0[keyPath: path] == $1[keyPath: path] }
        copy = { $1[keyPath: path] = $0[keyPath: path] }
    }
}
