import EventLog
import Events
import LogViews
import Retrying
import ServiceHost
import Site
import Wire

/// Everything that site-editor owns, as the log has it.
struct LoggedState: Sendable {
    struct LoggedSite: Sendable {
        var event: SitePublished
        /// How the document lies on the log.
        var announced: SiteAnnounced
    }

    var trust = TrustTable()
    var sites: [SiteID: LoggedSite] = [:]
    /// All announced sites with their versions. Those whose document can't be read are not in
    /// `sites`.
    var versions: [SiteID: Int] = [:]
    /// Sites whose last record can't be read, for instance one of a later release.
    var unreadable: Set<SiteID> = []
    var outages: [EventID: OutageStore.Row] = [:]
    private var unreadOutages: Set<[UInt8]> = []
    var erased: [DeviceErased] = []
    /// The outbox's newest number; 0 for none.
    var newest: Int64 = 0

    /// The number of last records that can't be read. Keys of sessions don't count: people sign in
    /// again anyway.
    var unread: Int { unreadable.count + unreadOutages.count + unreadTrust }

    /// Those of them that are of tokens and people.
    var unreadTrust: Int { trust.unreadable.count { !Self.isSessionKey($0) } }

    static func isSessionKey(_ key: [UInt8]) -> Bool {
        key.starts(with: SessionKeyMade.keyPrefix.utf8)
    }

    init() {}

    /// Reads the topics to their ends.
    ///
    /// - Parameter note: gets sentences about what can't be read.
    init(_ log: any EventLog, note: @escaping @Sendable (String) -> Void) async throws {
        trust = try await TrustTable.read(in: log)
        try await readSites(log, note)
        try await read(.outages, log) { state, record in
            guard let key = record.key else { return }
            state.unreadOutages.remove(key)
            if let ended = try? OutageEnded(record: record) {
                state.outages[ended.outage.id] = .init(reported: ended.outage, ended: ended)
            } else if let reported = try? OutageReported(record: record) {
                state.outages[reported.id] = .init(reported: reported)
            } else if record.value != nil {
                state.unreadOutages.insert(key)
            }
        }
        try await read(.erasures, log) { state, record in
            if let erased = try? DeviceErased(record: record) { state.erased.append(erased) }
        }
        try await read(.tokens, log) { _, _ in }
    }

    private mutating func read(
        _ topic: Topic, _ log: any EventLog, _ apply: (inout LoggedState, StoredRecord) -> Void
    ) async throws {
        var copy = self
        try await log.readRange(log.ranges(of: [topic.name])) { records in
            for record in records {
                copy.newest = max(
                    copy.newest,
                    OutboxNumber.of(record.headers, in: SiteEditorSchema.name) ?? 0)
                apply(&copy, record)
            }
        }
        self = copy
    }

    private mutating func readSites(
        _ log: any EventLog, _ note: @escaping @Sendable (String) -> Void
    ) async throws {
        var announcements = SiteAnnouncements()
        try await read(.site, log) { _, record in _ = announcements.apply(record) }
        unreadable = announcements.unreadable
        let published = try await Host.publishedSites(in: log, note: note)
        for (site, publication) in announcements.newest {
            versions[site] = publication.version
            switch publication.content {
            case .announced(let announced):
                guard let found = published[site], found.version == announced.version else {
                    continue
                }
                let event = SitePublished(
                    site: site, version: announced.version, publishedAt: announced.publishedAt,
                    document: found.index.document)
                sites[site] = LoggedSite(event: event, announced: announced)
            case .whole(let record):
                guard let event = try? SitePublished(record: record) else { continue }
                sites[site] = LoggedSite(
                    event: event, announced: SiteAnnounced(event, document: event.document.json))
            case nil: continue
            }
        }
    }
}
