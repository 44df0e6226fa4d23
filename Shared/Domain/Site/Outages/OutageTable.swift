public import Events

/// The outages of all sites that may still stop somebody, as the topic tells them.
public struct OutageTable: Hashable, Sendable {
    public private(set) var bySite: [SiteID: [EventID: OutageReported]] = [:]

    public init() {}

    public mutating func take(_ event: OutageReported) {
        bySite[event.site, default: [:]][event.id] = event
    }

    public mutating func take(_ event: OutageEnded) {
        bySite[event.outage.site]?[event.outage.id] = nil
    }

    /// What is not over, in the order of its report.
    public func open(_ site: SiteID, at moment: Timestamp) -> [OutageReported] {
        (bySite[site] ?? [:]).values.filter { !$0.isOver(at: moment) }.sorted { $0.id < $1.id }
    }
}
