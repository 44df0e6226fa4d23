public import Events

/// The outages of all sites that are not ended, evolved from the topic `outages`.
public struct OutageTable: Hashable, Sendable {
    public private(set) var bySite: [SiteID: [EventID: OutageReported]] = [:]

    public init() {}

    public mutating func evolve(_ event: OutageReported) {
        bySite[event.site, default: [:]][event.id] = event
    }

    public mutating func evolve(_ event: OutageEnded) {
        bySite[event.outage.site]?[event.outage.id] = nil
    }

    /// The outages of a site that are not over, in the order of their ids, which is that of their
    /// reports.
    public func open(_ site: SiteID, at moment: Timestamp) -> [OutageReported] {
        (bySite[site] ?? [:]).values.filter { !$0.isOver(at: moment) }.sorted { $0.id < $1.id }
    }
}
