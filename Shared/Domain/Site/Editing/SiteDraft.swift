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

    /// The draft after the edit; nil if the edit changes nothing. See `step`.
    ///
    /// - Parameter expectedRevision: the revision that the editor has seen; nil to skip the
    ///   comparison.
    public func decide(
        _ edit: SiteEdit, expectedRevision: Int?, at moment: Timestamp
    ) throws(SiteRefusal) -> SiteDraft? {
        try expect(expectedRevision)
        return try step(edit, at: moment)?.draft
    }

    public func expect(_ expectedRevision: Int?) throws(SiteRefusal) {
        if let expectedRevision, expectedRevision != revision {
            throw .revisionConflict(expected: expectedRevision, actual: revision)
        }
    }
}
