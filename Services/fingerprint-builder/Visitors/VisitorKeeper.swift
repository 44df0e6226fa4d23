import EventLog
import Events
import LogViews
import Positioning
import Privacy
import RadioMapCare
import Retrying
import ServiceHost
import Site
import Synchronization
import Threads
import Wire

/// Looks in the scans of the last days for access points that have changed, at sites whose rules
/// name their networks.
///
/// The log has the scans, so nothing of them is stored, and a restart loses nothing. One site after
/// the other is looked at, each by one keeper.
struct VisitorKeeper: Sendable {
    private static let longWork = LongWork("visitors")
    /// The time between two looks at the same site.
    static let pause = Duration.seconds(3_600)
    /// The time between two looks, since each reads much of the log.
    private static let tick = Duration.seconds(300)
    /// A look that takes longer is given up, so that it does not hold up other sites.
    private static let mostTime = Duration.seconds(600)
    /// The most records of a day that are read.
    static let mostRecords: Int64 = 20_000
    /// If a day has more, this many pieces of it are read.
    private static let pieces: Int64 = 8
    private static let microsecondsOfDay: Int64 = 86_400_000_000

    let sites: SiteDirectory
    let log: any EventLog
    let clock: EventClock
    let notices: Notices
    let maps: RadioMapStore
    let store: VisitorStore
    /// A log that lost its sites would seem to have removed them.
    let guarding: OutboxGuard

    func run() async {
        await attemptUntilDone("Comparing visitors' scans with surveys", notices: notices) {
            retry in
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.tick)
                try await lookAtNext()
                retry.ended()
            }
        }
    }

    /// Looks at the site whose turn it is, if any. Forgets findings of sites that have no map, or
    /// whose rules name no networks any more. A site that fails is reported, and has its next
    /// turn after the pause.
    ///
    /// - Throws: also where the log can't be read; the site keeps its turn.
    func lookAtNext(pause: Duration = VisitorKeeper.pause) async throws {
        guard sites.isReady, guarding.fits, try await store.hasTables() else { return }
        let named = sites.all.filter { ReadingScreen($0.value.index.document).namesNetworks }
        try await store.keepOnly(named.keys.sorted())
        for site in try await store.inTurn(named.keys.sorted()) {
            guard let published = named[site] else { continue }
            guard let newest = try await maps.newest(site) else {
                try await store.keep([], of: site)
                continue
            }
            guard try await store.claim(site, pause: pause) else { continue }
            do {
                let hash = try RadioMapAnnounced(json: newest.event).hash
                guard let map = try await maps.map(hash) else {
                    try await store.keep([], of: site)
                    continue
                }
                try await look(at: site, published.index, map)
            } catch let error as EventLogError {
                // The log is at fault, not the site.
                try await store.release(site)
                throw error
            } catch {
                if Task.isCancelled { throw error }
                notices.onUnexpected(
                    "The visitors' scans of \(site) can't be compared with its surveys: \(error)")
            }
            return
        }
    }

    private func look(at site: SiteID, _ index: SiteIndex, _ map: RadioMap) async throws {
        let erased = try await store.erasures(at: site)
        let made = await Self.longWork.run { Evidence(VisitorEvidence(map, site: index)) }
        guard let evidence = made else { return }
        let end = ContinuousClock.now + Self.mostTime
        let today = clock.now.microseconds / Self.microsecondsOfDay
        for day in (0..<Int64(VisitorEvidence.days)).map({ today - $0 }) {
            for piece in try await pieces(of: day) {
                let onStall = { (_: [TopicPartition: Int64]) in
                    guard .now < end else { throw TookTooLong() }
                }
                try await log.readRange(piece, onStall: onStall) { records in
                    guard .now < end else { throw TookTooLong() }
                    let isDone: Void? = await Self.longWork.run {
                        evidence.add(records, of: site, erased)
                    }
                    if isDone == nil { throw CancellationError() }
                }
            }
            _ = await Self.longWork.run { evidence.endDay(isOver: day != today) }
        }
        let changes = await Self.longWork.run { evidence.changes.map(\.json) }
        guard let changes else { throw CancellationError() }
        try await store.keep(changes, of: site)
    }

    /// The records of a day: all of them, or pieces of it, each of one partition, so that each has
    /// several scans of a device.
    private func pieces(of day: Int64) async throws -> [[TopicPartition: Range<Int64>]] {
        let topic = Topic.scans.name
        let bounds = try await log.ranges(of: [topic])
        let starts = try await log.offsets(
            of: topic, atMicroseconds: day * Self.microsecondsOfDay)
        let ends = try await log.offsets(
            of: topic, atMicroseconds: (day + 1) * Self.microsecondsOfDay)
        let ranges = zip(starts, ends).enumerated().map { number, both in
            let bound = bounds[TopicPartition(topic, number)] ?? 0..<0
            return (both.0..<max(both.0, both.1)).clamped(to: bound)
        }
        return Self.pieces(of: ranges, most: Self.mostRecords).map { piece in
            Dictionary(
                uniqueKeysWithValues: piece.map { (TopicPartition(topic, $0.key), $0.value) })
        }
    }

    /// - Parameter ranges: the offsets of a day by partition.
    static func pieces(of ranges: [Range<Int64>], most: Int64) -> [[Int: Range<Int64>]] {
        let all = ranges.reduce(0) { $0 + Int64($1.count) }
        guard all > most else { return [Dictionary(uniqueKeysWithValues: zip(0..., ranges))] }
        // A partition that is much larger than others has the more pieces.
        return (0..<pieces).map { number in
            var skipped = all * (2 * number + 1) / (2 * pieces)
            var partition = 0
            while skipped >= ranges[partition].count {
                skipped -= Int64(ranges[partition].count)
                partition += 1
            }
            let range = ranges[partition]
            let start = range.lowerBound + skipped
            let end = min(range.upperBound, start + most / pieces)
            return [partition: max(range.lowerBound, end - most / pieces)..<end]
        }
    }
}

/// A look has used up its time.
private struct TookTooLong: Error, CustomStringConvertible {
    let description = "it takes more than ten minutes"
}

/// The evidence of a look, which one thread after the other adds to.
private final class Evidence: Sendable {
    private let evidence: Mutex<VisitorEvidence>

    init(_ evidence: VisitorEvidence) { self.evidence = Mutex(evidence) }

    var changes: [NoticedChange] { evidence.withLock { $0.changes } }

    func endDay(isOver: Bool) { evidence.withLock { $0.endDay(isOver: isOver) } }

    /// Reads only scans that count. One that can't be read is the locator's to set aside.
    func add(_ records: [StoredRecord], of site: SiteID, _ erased: [DeviceID: Timestamp]) {
        evidence.withLock { evidence in
            for record in records {
                guard let key = record.key.flatMap(DeviceKey.init(recordKey:)), key.site == site,
                    evidence.wants(key.device), let scan = try? ScanRecorded(record: record),
                    erased[key.device].map({ min(scan.correctedAt, scan.receivedAt) > $0 }) ?? true
                else { continue }
                evidence.add(scan)
            }
        }
    }
}
