import Events

/// The effect of an edit on one thing of a draft. The journal keeps these instead of documents.
public struct DraftChange: Sendable {
    public var thing: DraftThing
    /// Nil where the edit added the record.
    public var before: DraftValue?
    /// Nil where the edit removed the record.
    public var after: DraftValue?
    /// The record's place in the list of its kind, where the edit added or removed it. So an undo
    /// gives the same document, also in its order.
    public var place: Int?

    public init(_ thing: DraftThing, before: DraftValue?, after: DraftValue?, place: Int? = nil) {
        self.thing = thing
        self.before = before
        self.after = after
        self.place = place
    }

    /// The members that differ, as an edit of others may touch them; nil where the whole record
    /// came or went.
    ///
    /// Members whose values only make sense together are one, by the name of their group. A text in
    /// languages is one member for each language, such as `names/de`.
    public var members: Set<String>? {
        switch (before, after) {
        case (.record(let before)?, .record(let after)?): before.differingMembers(from: after)
        case (.site(let before)?, .site(let after)?):
            RecordField.differing(SiteDocument.fields, before, after)
        default: nil
        }
    }

    /// The name of the record after the edit, or before it where the record is gone.
    public var name: String? {
        switch after ?? before {
        case .record(let record)?: record.allNames.first
        case .site(let site)?: site.name
        case nil: nil
        }
    }
}

extension DraftChange {
    /// The differences between two documents: the kinds in the order of documents, then the site
    /// itself.
    public static func between(_ old: SiteDocument, _ new: SiteDocument) -> [DraftChange] {
        var changes: [DraftChange] = []
        for type in RecordKind.all { changes += between(type, old, new) }
        return changes + [ofSite(old, new)].compactMap(\.self)
    }

    private static func between<Record: SiteRecord>(
        _: Record.Type, _ old: SiteDocument, _ new: SiteDocument
    ) -> [DraftChange] {
        let (old, new) = (old[keyPath: Record.records], new[keyPath: Record.records])
        guard old != new else { return [] }
        let before = Dictionary(old.map { ($0.idText, $0) }) { first, _ in first }
        let after = Set(new.map(\.idText))
        var changes: [DraftChange] = []
        for (place, record) in old.enumerated() where !after.contains(record.idText) {
            changes.append(
                DraftChange(
                    .record(record.thing), before: .record(record), after: nil, place: place))
        }
        for (place, record) in new.enumerated() {
            guard let known = before[record.idText] else {
                changes.append(
                    DraftChange(
                        .record(record.thing), before: nil, after: .record(record), place: place))
                continue
            }
            guard known != record else { continue }
            changes.append(
                DraftChange(.record(record.thing), before: .record(known), after: .record(record)))
        }
        return changes
    }

    /// The change of the site itself; nil where there is none.
    static func ofSite(_ old: SiteDocument, _ new: SiteDocument) -> DraftChange? {
        var (before, after) = (old.bare, new.bare)
        if old.surveyDiscards != new.surveyDiscards {
            let (known, left) = (Set(old.surveyDiscards), Set(new.surveyDiscards))
            before.surveyDiscards = old.surveyDiscards.filter { !left.contains($0) }
            after.surveyDiscards = new.surveyDiscards.filter { !known.contains($0) }
        }
        guard before != after else { return nil }
        return DraftChange(.site, before: .site(before), after: .site(after))
    }
}

extension SiteRecord {
    /// The members in which another record of the same kind differs; nil for another kind.
    func differingMembers(from other: any SiteRecord) -> Set<String>? {
        (other as? Self).map { RecordField.differing(Self.fields, self, $0) }
    }
}

extension RecordField {
    /// The name under which a merge knows the field.
    var merged: String { group ?? name }

    static func differing(
        _ fields: [RecordField], _ one: Record, _ other: Record
    ) -> Set<String> {
        var members: Set<String> = []
        for field in fields where !field.isSame(one, other) {
            guard let path = field.languages else {
                members.insert(field.merged)
                continue
            }
            let texts = (one[keyPath: path].byLanguage, other[keyPath: path].byLanguage)
            for language in Set(texts.0.keys).union(texts.1.keys)
            where texts.0[language] != texts.1[language] {
                members.insert("\(field.merged)/\(language)")
            }
        }
        return members
    }
}
