import EventLog
import Events
import Retrying
import ServiceHost
import Site
import Synchronization
import Wayfinding
import Wire

/// The outages of each site: the topic `outages` in memory.
final class Outages: Sendable {
    private let log: any EventLog
    private let clock: EventClock
    private let notices: Notices
    private let known = Mutex<[SiteID: [WayOutage]]?>(nil)

    init(log: any EventLog, clock: EventClock, notices: Notices) {
        self.log = log
        self.clock = clock
        self.notices = notices
    }

    /// Present and planned outages; nil until the topic has been read.
    subscript(site: SiteID) -> [WayOutage]? {
        known.withLock { $0.map { $0[site] ?? [] } }
    }

    /// Reads until the task is cancelled.
    /// - Parameter onRead: is called each time the end of the topic has been reached.
    func run(onRead: @escaping @Sendable () -> Void) async {
        let table = LogTable<OutageTable>(
            log: log, topic: Topic.outages.name, initial: OutageTable(),
            apply: { [notices] table, record in
                if !table.apply(record) {
                    notices.onUnexpected("A record of \(record.topicPartition) is of no outage.")
                }
            },
            onChange: { [self] table in
                replace(with: table)
                onRead()
            },
            notices: notices)
        await table.run()
    }

    private func replace(with table: OutageTable) {
        let now = clock.now
        let outages = Dictionary(
            table.bySite.keys.map { site in
                (
                    site,
                    table.open(site, at: now).map {
                        WayOutage(
                            connection: $0.connection, from: $0.from, until: $0.until,
                            reason: $0.reason)
                    }
                )
            }, uniquingKeysWith: { first, _ in first })
        known.withLock { $0 = outages }
    }
}

extension OutageTable {
    /// Applies a record of `outages`; false for one that can't be read. A tombstone means that
    /// somebody removed a record by hand, and it changes nothing here.
    fileprivate mutating func apply(_ record: StoredRecord) -> Bool {
        if let event = try? OutageReported(record: record) {
            evolve(event)
        } else if let event = try? OutageEnded(record: record) {
            evolve(event)
        } else {
            return record.value == nil
        }
        return true
    }
}
