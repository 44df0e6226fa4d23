/// Somebody reported that a connection can't be used (topic `outages`, key `site/connection/id`).
public struct OutageReported: Hashable, Sendable {
    public var site: SiteID
    /// Of version 7, as the sender or site-editor made it.
    public var id: EventID
    public var connection: ConnectionID
    public var from: Timestamp
    /// When it is over by itself; nil until somebody ends it.
    public var until: Timestamp?
    public var reason: String
    /// Who found out, in words for people.
    public var reportedBy: String
    public var reportedAt: Timestamp
    /// The id of the account or token that reported it, whoever it says found out; nil where that
    /// was not noted.
    public var reporter: String?

    public init(
        site: SiteID, id: EventID, connection: ConnectionID, from: Timestamp, until: Timestamp?,
        reason: String, reportedBy: String, reportedAt: Timestamp, reporter: String? = nil
    ) {
        self.site = site
        self.id = id
        self.connection = connection
        self.from = from
        self.until = until
        self.reason = reason
        self.reportedBy = reportedBy
        self.reportedAt = reportedAt
        self.reporter = reporter
    }

    /// Whether the connection can't be used at the moment, as far as this report says.
    public func isActive(at moment: Timestamp) -> Bool {
        from <= moment && !isOver(at: moment)
    }

    public func isOver(at moment: Timestamp) -> Bool {
        if let until { until <= moment } else { false }
    }
}

/// Somebody ended an outage (topic `outages`, key `site/connection/id`). It says again what was
/// reported: compaction leaves this record only, and who looks back wants to know both.
public struct OutageEnded: Hashable, Sendable {
    public var outage: OutageReported
    public var endedAt: Timestamp
    /// Who ended it, in words for people.
    public var endedBy: String
    /// The id of the account or token that ended it; nil where that was not noted.
    public var ender: String?

    public init(
        outage: OutageReported, endedAt: Timestamp, endedBy: String, ender: String? = nil
    ) {
        self.outage = outage
        self.endedAt = endedAt
        self.endedBy = endedBy
        self.ender = ender
    }
}
