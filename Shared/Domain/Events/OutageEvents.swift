/// Somebody reported that a connection can't be used (topic `outages`, key `site/connection/id`).
public struct OutageReported: Hashable, Sendable {
    public var site: SiteID
    /// A UUID of version 7, made by the sender or by site-editor.
    public var id: EventID
    public var connection: ConnectionID
    public var from: Timestamp
    /// The time at which the outage ends by itself; nil if it lasts until somebody ends it.
    public var until: Timestamp?
    public var reason: String
    /// The person or system that noticed the outage, in words for people. Events since names were
    /// taken off the log repeat `reporter`.
    public var reportedBy: String
    public var reportedAt: Timestamp
    /// The id of the account or token that sent the report, who need not be `reportedBy`. Nil in
    /// older events.
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

    /// The event as the log has it: with the account or token in place of a person's name.
    public var withoutNames: OutageReported {
        var event = self
        event.reportedBy = reporter ?? "unknown"
        return event
    }

    /// Whether the connection can't be used at this time, going by this report alone.
    public func isActive(at moment: Timestamp) -> Bool {
        from <= moment && !isOver(at: moment)
    }

    public func isOver(at moment: Timestamp) -> Bool {
        if let until { until <= moment } else { false }
    }
}

/// Somebody ended an outage (topic `outages`, key `site/connection/id`). The event repeats the
/// report, since compaction removes the record of the report.
public struct OutageEnded: Hashable, Sendable {
    public var outage: OutageReported
    public var endedAt: Timestamp
    /// The person or system that ended it, in words for people.
    public var endedBy: String
    /// The id of the account or token that ended it; nil in older events.
    public var ender: String?

    /// The event as the log has it: with accounts or tokens in place of people's names.
    public var withoutNames: OutageEnded {
        OutageEnded(
            outage: outage.withoutNames, endedAt: endedAt, endedBy: ender ?? "unknown",
            ender: ender)
    }

    public init(
        outage: OutageReported, endedAt: Timestamp, endedBy: String, ender: String? = nil
    ) {
        self.outage = outage
        self.endedAt = endedAt
        self.endedBy = endedBy
        self.ender = ender
    }
}
