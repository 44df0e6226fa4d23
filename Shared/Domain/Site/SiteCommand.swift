public import Events

/// What can be asked of a site.
public enum SiteCommand: Hashable, Sendable {
    /// Put the document in place of the published one. With an expected version, only if that is
    /// still the newest; 0 stands for a site that was never published.
    case replaceDocument(SiteDocument, expectedVersion: Int?)
}

/// Why a command was refused.
public enum SiteRefusal: Error, Hashable, Sendable {
    case invalid(SiteFaults)
    case versionConflict(expected: Int, actual: Int)
    case revisionConflict(expected: Int, actual: Int)
    /// The draft has no such record.
    case unknown(SiteThing)
    /// Others name what was to be removed.
    case stillNamed(SiteThing, by: [SiteThing])
    /// Nothing can be surveyed in such a thing.
    case notClearable(SiteThing)
    /// One location, or two on different floors: a walk can't join them.
    case notLinkable(LocationID, LocationID)
    /// All that is remembered of the draft's past has been taken back.
    case nothingToUndo
}

/// A site as its events have made it.
public struct SiteState: Hashable, Sendable {
    public let site: SiteID
    /// 0 before the first publication.
    public private(set) var version: Int
    public private(set) var document: SiteDocument?

    /// A site before its first event.
    ///
    /// - Parameter version: how many versions a site of this id had that was removed.
    public init(site: SiteID, version: Int = 0) {
        self.site = site
        self.version = version
    }

    /// What the command makes happen; nil when the same document is published already.
    public func decide(
        _ command: SiteCommand, at moment: Timestamp
    ) throws(SiteRefusal) -> SitePublished? {
        switch command {
        case .replaceDocument(let document, let expectedVersion):
            if let expectedVersion, expectedVersion != version {
                throw .versionConflict(expected: expectedVersion, actual: version)
            }
            let faults = SiteValidation.faults(in: document)
            guard faults.isEmpty else { throw .invalid(SiteFaults(faults)) }
            try document.checkBorrowing(as: site)
            guard document != self.document else { return nil }
            return SitePublished(
                site: site, version: version + 1, publishedAt: moment, document: document)
        }
    }

    /// Takes the event in. Events of another site, and versions already seen, change nothing, so
    /// that an outbox may deliver twice.
    public mutating func evolve(_ event: SitePublished) {
        guard event.site == site, event.version > version else { return }
        version = event.version
        document = event.document
    }
}
