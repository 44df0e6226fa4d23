/// Somebody asks a scanner for a scan (topic `scan-requests`, key `site/scanner`). A request to
/// several scanners is one event for each, with the same id.
public struct ScanRequested: Hashable, Sendable {
    public var site: SiteID
    /// A UUID of version 7, made by the asker or by site-editor.
    public var id: EventID
    public var scanner: ScannerID
    /// The id of the account, session or token that asks. It gets the result.
    public var asker: String
    /// Where the scanner is, by the asker's word; nil where the scan is not a survey.
    public var place: SurveyPlace?
    public var room: RoomID?
    /// Whether the scan is kept. Otherwise it goes to the asker alone.
    public var store: Bool
    public var askedAt: Timestamp
    /// A scan that was made later is no answer.
    public var until: Timestamp

    public init(
        site: SiteID, id: EventID, scanner: ScannerID, asker: String, place: SurveyPlace? = nil,
        room: RoomID? = nil, store: Bool, askedAt: Timestamp, until: Timestamp
    ) {
        self.site = site
        self.id = id
        self.scanner = scanner
        self.asker = asker
        self.place = place
        self.room = room
        self.store = store
        self.askedAt = askedAt
        self.until = until
    }
}

/// A request to one scanner, by which the later events name it.
public struct ScanRequestKey: Hashable, Sendable {
    public var site: SiteID
    public var id: EventID
    public var scanner: ScannerID

    public init(site: SiteID, id: EventID, scanner: ScannerID) {
        self.site = site
        self.id = id
        self.scanner = scanner
    }
}

extension ScanRequested {
    public var key: ScanRequestKey { ScanRequestKey(site: site, id: id, scanner: scanner) }
}
