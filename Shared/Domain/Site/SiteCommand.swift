public import Events

/// A change of a published site.
public enum SiteCommand: Hashable, Sendable {
    /// Replaces the published document. With an expected version, only if that is still the newest;
    /// 0 means that the site was never published.
    case replaceDocument(SiteDocument, expectedVersion: Int?)
}

/// The reason why a command was refused.
public enum SiteRefusal: Error, Hashable, Sendable {
    case invalid(SiteFaults)
    case versionConflict(expected: Int, actual: Int)
    case revisionConflict(expected: Int, actual: Int)
    /// The draft has no such record.
    case unknown(SiteThing)
    /// Other records name the record that was to be removed.
    case stillNamed(SiteThing, by: [SiteThing])
    /// There are no surveys of a thing of this kind.
    case notClearable(SiteThing)
    /// The two locations are the same, or on different floors, so no walk can join them.
    case notLinkable(LocationID, LocationID)
    /// Every remembered change of the draft has been undone already.
    case nothingToUndo
    /// Somebody changed the same members since, or the whole record came or went.
    case changedSince(DraftThing)
}

/// The state of a site, evolved from its events.
public struct SiteState: Hashable, Sendable {
    public let site: SiteID
    /// The version that was published last; 0 before the first publication.
    public private(set) var version: Int
    public private(set) var document: SiteDocument?

    /// A site before its first event.
    ///
    /// - Parameter version: the last version of an earlier site with this id that was removed.
    public init(site: SiteID, version: Int = 0) {
        self.site = site
        self.version = version
    }

    /// The event that follows from the command; nil if the same document is already published.
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

    /// Applies an event. Events of another site and versions already applied change nothing, since
    /// an outbox may deliver an event twice.
    public mutating func evolve(_ event: SitePublished) {
        guard event.site == site, event.version > version else { return }
        version = event.version
        document = event.document
    }
}
