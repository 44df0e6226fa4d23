import EventLog
import Events
import Retrying
import Site
import Wire

/// Collects the newest document of each announced site in memory.
struct SiteCollection {
    /// Up to this number of documents are looked for one by one, each where it was appended. More
    /// are found in passes over the topic.
    private static let fewDocuments = 4
    /// The most bytes of documents that one pass finds, unless one document has more: all of them
    /// may be half there at the same time.
    private static let bytesOfPass = 32 << 20
    /// Missing pieces are reported after this time, because an announcement may be read a moment
    /// before its pieces.
    private static let quietWait = Duration.seconds(2)

    private struct Wait {
        var since = ContinuousClock.now
        var retry: Retry
    }

    private let log: any EventLog
    private let notices: Notices
    private var announcements = SiteAnnouncements()
    private(set) var sites: [SiteID: PublishedSite] = [:]
    /// All sites that the topic has, also those whose documents can't be read.
    private(set) var announced: Set<SiteID> = []
    /// Sites whose last record is a tombstone.
    private(set) var removed: Set<SiteID> = []
    /// When each site was removed last.
    var removedAt: [SiteID: Timestamp] { announcements.removedAt }
    /// Sites whose newest document had a fault.
    private var faulty: Set<SiteID> = []
    /// Sites whose newest document is not complete.
    private var waits: [SiteID: Wait] = [:]

    init(log: any EventLog, notices: Notices) {
        self.log = log
        self.notices = notices
    }

    /// Whether no announced document is missing.
    var isWhole: Bool { waits.isEmpty }

    /// The pause until `collect` is due again without a new record.
    var pause: Duration {
        guard let newest = waits.values.map(\.since).max() else { return .seconds(1) }
        return .now - newest < Self.quietWait ? .milliseconds(50) : Self.quietWait
    }

    mutating func note(_ records: [StoredRecord]) {
        for record in records where !announcements.apply(record) {
            notices.onUnexpected(
                "A record of \(record.topicPartition) is not a site and is left out.")
        }
    }

    /// Collects the documents that are new and complete. The result is whether anything has
    /// changed.
    mutating func collect() async throws -> Bool {
        let before = (announced, removed)
        (announced, removed) = (announcements.announced, announcements.removed)
        var hasChanged = before != (announced, removed)
        for site in sites.keys where announcements.newest[site] == nil {
            sites[site] = nil
            hasChanged = true
        }
        for site in waits.keys where announcements.newest[site] == nil { endWait(of: site) }
        var pieces: [SiteDocumentSearch.Wanted] = []
        for (site, publication) in announcements.newest {
            switch publication.content {
            case nil: continue
            case .whole(let record):
                use(site, publication.version) { try SitePublished(record: record) }
                hasChanged = true
            case .announced(let announced):
                pieces.append(
                    SiteDocumentSearch.Wanted(
                        announced: announced,
                        appendedAtMicroseconds: publication.appendedAtMicroseconds))
            }
        }
        for portion in Self.portions(of: pieces) where try await collect(portion) {
            hasChanged = true
        }
        return hasChanged
    }

    /// The documents of each pass over the topic, in the order in which they were appended.
    static func portions(
        of wanted: [SiteDocumentSearch.Wanted]
    ) -> [[SiteDocumentSearch.Wanted]] {
        guard wanted.count > fewDocuments else { return wanted.map { [$0] } }
        var portions: [[SiteDocumentSearch.Wanted]] = []
        var byteCount = 0
        for one in wanted.sorted(by: { $0.appendedAtMicroseconds < $1.appendedAtMicroseconds }) {
            byteCount += one.announced.byteCount
            if portions.isEmpty || byteCount > bytesOfPass {
                portions.append([])
                byteCount = one.announced.byteCount
            }
            portions[portions.count - 1].append(one)
        }
        return portions
    }

    private mutating func collect(_ wanted: [SiteDocumentSearch.Wanted]) async throws -> Bool {
        var found: Set<SiteID> = []
        try await SiteDocumentSearch(log: log).find(wanted) { assembly in
            let announced = assembly.announced
            use(announced.site, announced.version) { try assembly.published() }
            endWait(of: announced.site)
            found.insert(announced.site)
        }
        for publication in wanted where !found.contains(publication.announced.site) {
            wait(for: publication.announced)
        }
        return !found.isEmpty
    }

    /// Replaces the site's version, unless the document has a fault. In both cases this version is
    /// not read again.
    private mutating func use(
        _ site: SiteID, _ version: Int, _ read: () throws -> SitePublished
    ) {
        do {
            sites[site] = try PublishedSite(try read())
            if faulty.remove(site) != nil {
                notices.onRecovery("The site \(site) can be used again, in version \(version).")
            }
        } catch {
            faulty.insert(site)
            notices.onUnexpected(
                "Version \(version) of the site \(site) can't be used, and the one before stays. "
                    + "Publish the site again: \(error)")
        }
        announcements.forgetContent(of: site)
    }

    private mutating func wait(for announced: SiteAnnounced) {
        let site = announced.site
        var wait =
            waits[site]
            ?? Wait(retry: Retry(of: "Reading the site \(site)", notices: notices, isWatched: true))
        if .now - wait.since >= Self.quietWait { wait.retry.failed(PiecesMissing(of: announced)) }
        waits[site] = wait
    }

    private mutating func endWait(of site: SiteID) {
        waits[site]?.retry.ended()
        waits[site] = nil
    }

    /// Ends the alarms, because the reading begins anew or ends.
    mutating func forgetWaits() {
        for site in waits.keys { waits[site]?.retry.forgotten() }
        waits = [:]
    }
}

private struct PiecesMissing: CausedFault, CustomStringConvertible {
    let cause = FaultCause.world
    let description: String

    init(of announced: SiteAnnounced) {
        description =
            "pieces of version \(announced.version) are missing on \(Topic.siteDocuments.name); "
            + "the version before stays. If site-editor works, publish the site again"
    }
}
