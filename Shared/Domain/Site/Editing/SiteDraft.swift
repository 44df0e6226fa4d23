public import Events

/// What can be done to a draft.
public enum SiteEdit: Sendable {
    /// Adds the record, or puts it in the place of the one with its id.
    case put(any SiteRecord)
    /// Takes the record away. Without cascade only if nothing names it; with it, what can't be
    /// without it goes too, and so do the surveys that were made there.
    case remove(SiteThing, isCascading: Bool)
    /// Discards the surveys made so far in a room, at a location or on a floor; the place stays.
    case clear(SiteThing)
    /// Joins the locations of every room by walks.
    case linkLocations
    /// Joins two locations by a walk.
    case link(LocationID, LocationID)
    /// Puts another document in place of the whole draft.
    case replace(SiteDocument)
}

/// A site as its editors have it before them; only a publication shows it to anyone else.
public struct SiteDraft: Hashable, Sendable {
    public let site: SiteID
    /// Grows with each change, also with one that is taken back; 0 for what was published when
    /// nobody had edited yet.
    public let revision: Int
    public let document: SiteDocument

    public init(site: SiteID, revision: Int, document: SiteDocument) {
        self.site = site
        self.revision = revision
        self.document = document
    }

    /// The draft after the edit; nil when it changes nothing.
    ///
    /// The result has no fault that the draft did not have: so that publishing an edited draft
    /// succeeds, and a site that was published under laxer rules can be mended step by step.
    /// - Parameter expectedRevision: what the editor has seen; nil for whatever it is now.
    public func decide(
        _ edit: SiteEdit, expectedRevision: Int?, at moment: Timestamp
    ) throws(SiteRefusal) -> SiteDraft? {
        try expect(expectedRevision)
        var changed = document
        switch edit {
        case .put(let record): changed.put(record)
        case .remove(let thing, let isCascading):
            try changed.remove(thing, isCascading: isCascading, at: moment)
        case .clear(let place): try changed.clear(place, at: moment)
        case .linkLocations: changed.linkLocations()
        case .link(let one, let other): try changed.link(one, other)
        case .replace(let document): changed = document
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

    /// The draft as it was before its last change, as a change of its own.
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
