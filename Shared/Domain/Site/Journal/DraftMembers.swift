/// The members of a record that an edit touches, and whether two edits touch the same ones.
public enum DraftMembers {
    /// - Parameters:
    ///   - one: nil for an edit of the whole record.
    ///   - other: the same.
    public static func overlap(_ one: Set<String>?, _ other: Set<String>?) -> Bool {
        guard let one, let other else { return true }
        if !one.isDisjoint(with: other) { return true }
        // A patch may take away all languages of a text at once.
        return one.contains { reaches($0, into: other) }
            || other.contains { reaches($0, into: one) }
    }

    private static func reaches(_ whole: String, into parts: Set<String>) -> Bool {
        parts.contains { $0.hasPrefix(whole + "/") }
    }

    /// The members that a patch touches, as `DraftChange.members` names them.
    ///
    /// - Parameters:
    ///   - kind: the kind's name; `site` for the site itself.
    ///   - named: the members that the patch names, such as `x`; of a text in languages also the
    ///     language, such as `names/de`.
    public static func touched(of kind: String, _ named: Set<String>) -> Set<String> {
        func touched<Record>(_ fields: [RecordField<Record>]) -> Set<String> {
            let groups = Dictionary(
                fields.map { ($0.name, $0.languages == nil ? $0.merged : nil) }
            ) { first, _ in first }
            return Set(
                named.map { name in
                    let member = String(name.prefix { $0 != "/" })
                    guard let group = groups[member] else { return member }
                    return group ?? name
                })
        }
        func ofRecord<Record: SiteRecord>(_: Record.Type) -> Set<String> { touched(Record.fields) }
        guard kind != DraftThing.siteKind else { return touched(SiteDocument.fields) }
        return RecordKind.named(kind).map { ofRecord($0) } ?? named
    }
}

/// A change that an edit of somebody made, as far as later edits are compared with it.
public struct EarlierChange: Sendable {
    public var revision: Int
    /// Nil where the whole record came or went.
    public var members: Set<String>?

    public init(revision: Int, members: Set<String>?) {
        self.revision = revision
        self.members = members
    }

    public init(_ change: DraftChange, revision: Int) {
        self.init(revision: revision, members: change.members)
    }
}

extension Sequence<EarlierChange> {
    /// The last of these changes that conflicts with an edit; nil where none does.
    ///
    /// - Parameters:
    ///   - members: those that the edit touches; nil for all of the record.
    ///   - revision: that at which its sender read the record; nil for any.
    public func conflicting(with members: Set<String>?, basedOn revision: Int?) -> EarlierChange? {
        guard let revision else { return nil }
        return filter { $0.revision > revision && DraftMembers.overlap($0.members, members) }
            .max { $0.revision < $1.revision }
    }
}
