public import Events

/// One edit of a draft.
public enum SiteEdit: Sendable {
    /// Adds the record, or replaces the one with its id.
    case put(any SiteRecord)
    /// Removes the record.
    ///
    /// Without cascade, it is refused if another record names this one. With cascade, records that
    /// can't be without it are removed too, and surveys made there are discarded.
    case remove(SiteThing, isCascading: Bool)
    /// Discards the surveys made so far in a room, at a location or on a floor; the place stays.
    case clear(SiteThing)
    /// Joins the locations of each room by walks.
    case linkLocations
    /// Joins two locations by a walk.
    case link(LocationID, LocationID)
    /// Replaces the whole draft by another document as it is, such as a published one.
    case replace(SiteDocument)
    /// Replaces the whole draft by one that was edited by hand. The rises of changed ways are
    /// settled, and new facts fit their connections' kinds.
    case rewrite(SiteDocument)
}

/// A site as its editors are changing it. Others see it only after a publication.
public struct SiteDraft: Hashable, Sendable {
    public let site: SiteID
    /// The number of changes so far, undone ones included; 0 for the published document before the
    /// first edit.
    public let revision: Int
    public let document: SiteDocument

    public init(site: SiteID, revision: Int, document: SiteDocument) {
        self.site = site
        self.revision = revision
        self.document = document
    }

    /// The draft after the edit; nil if the edit changes nothing.
    ///
    /// The result has no fault that the draft did not have. So publishing an edited draft succeeds,
    /// and a site published under older, laxer rules can be repaired step by step.
    /// - Parameter expectedRevision: the revision that the editor has seen; nil to skip the
    ///   comparison.
    public func decide(
        _ edit: SiteEdit, expectedRevision: Int?, at moment: Timestamp
    ) throws(SiteRefusal) -> SiteDraft? {
        try expect(expectedRevision)
        var changed = document
        switch edit {
        case .put(let record):
            changed.put(record)
            if let way = record as? ConnectionRecord {
                try SiteDocument.checkFacts(of: [way], after: document)
                changed.settleRises(after: document)
            }
        case .remove(let thing, let isCascading):
            try changed.remove(thing, isCascading: isCascading, at: moment)
        case .clear(let place): try changed.clear(place, at: moment)
        case .linkLocations: changed.linkLocations()
        case .link(let one, let other): try changed.link(one, other)
        case .replace(let document): changed = document
        case .rewrite(let edited):
            changed = try edited.rewritten(after: document)
        }
        guard changed != document else { return nil }
        try changed.checkBorrowing(as: site)
        let faults = SiteValidation.faults(in: changed)
        if !faults.isEmpty {
            let before = Set(SiteValidation.faults(in: document))
            let new = faults.filter { !before.contains($0) }
            guard new.isEmpty else { throw .invalid(SiteFaults(new)) }
        }
        return SiteDraft(site: site, revision: revision + 1, document: changed)
    }

    /// The draft as it was before its last change. Undoing counts as a change.
    public func undone(
        to earlier: SiteDocument, expectedRevision: Int?
    ) throws(SiteRefusal) -> SiteDraft {
        try expect(expectedRevision)
        return SiteDraft(site: site, revision: revision + 1, document: earlier)
    }

    public func expect(_ expectedRevision: Int?) throws(SiteRefusal) {
        if let expectedRevision, expectedRevision != revision {
            throw .revisionConflict(expected: expectedRevision, actual: revision)
        }
    }
}
