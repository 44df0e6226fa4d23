import Events

/// The faults that an edit adds. An edit of one room in thousands does not check the others again.
extension SiteValidation {
    /// The faults of a document that another one did not have; every record is checked.
    static func faults(from before: SiteDocument, to after: SiteDocument) -> [SiteFault] {
        let found = faults(in: after)
        return found.isEmpty ? [] : new(found, since: faults(in: before))
    }

    /// The same, where these changes lead from one document to the other. Only records are checked
    /// that the changes may have spoilt. These are the changed ones, and those that name a record
    /// that is gone or lies elsewhere.
    static func faults(
        of changes: [DraftChange], from before: SiteDocument, to after: SiteDocument
    ) -> [SiteFault] {
        guard let spoilt = SpoiltRecords(changes) else { return faults(from: before, to: after) }
        let found = faults(in: after, spoilt)
        return found.isEmpty ? [] : new(found, since: faults(in: before, spoilt))
    }

    private static func new(_ found: [SiteFault], since known: [SiteFault]) -> [SiteFault] {
        let known = Set(known)
        return found.filter { !known.contains($0) }
    }

    private static func faults(
        in document: SiteDocument, _ spoilt: SpoiltRecords
    ) -> [SiteFault] {
        var validation = SiteValidation(document, isFirstOfEach: false)
        validation.checkSize()
        guard validation.faults.isEmpty else { return validation.faults }
        for type in RecordKind.all { validation.check(type, spoilt) }
        if spoilt.discardsChange { validation.checkSurveyDiscards() }
        return validation.faults
    }

    private mutating func check<Record: SiteRecord>(_: Record.Type, _ spoilt: SpoiltRecords) {
        let kind = Record.kind
        let ids = spoilt.ids[kind.name] ?? []
        // Floors are compared with each other.
        let isWhole = kind.name == FloorRecord.kind.name && !ids.isEmpty
        guard isWhole || !ids.isEmpty || !spoilt.named.isEmpty else { return }
        for record in document[keyPath: Record.records] {
            let id = record.idText
            guard
                isWhole || ids.contains(id)
                    || !spoilt.named.isEmpty
                        && record.references.contains(where: spoilt.named.contains)
            else { continue }
            subject = "\(kind.title) \(shown(id))"
            if case .id = kind.key, !isWellFormedIdentifier(id) { addMalformedIdentifier() }
            record.check(&self)
        }
    }
}

/// The records that an edit may have spoilt.
private struct SpoiltRecords {
    /// The most changes whose records are looked for one by one.
    private static let most = 500

    /// The ids of changed records by the names of their kinds.
    var ids: [String: Set<String>] = [:]
    /// Records that are gone, and rooms that lie on another floor: others may name them.
    var named: Set<SiteThing> = []
    var discardsChange = false

    /// Nil where every record has to be checked: after many changes, and after those of the site
    /// itself, whose frame all records share.
    init?(_ changes: [DraftChange]) {
        guard changes.count <= Self.most else { return nil }
        for change in changes {
            switch change.thing {
            case .site:
                guard change.members == ["surveyDiscards"] else { return nil }
                discardsChange = true
            case .record(let thing):
                ids[thing.kind, default: []].insert(thing.id)
                if change.after == nil || change.movesRoom { named.insert(thing) }
            }
        }
    }
}

extension DraftChange {
    fileprivate var movesRoom: Bool {
        guard case .record(let one)? = before, case .record(let other)? = after,
            let room = one as? RoomRecord, let moved = other as? RoomRecord
        else { return false }
        return room.floor != moved.floor
    }
}
