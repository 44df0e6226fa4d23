public import EventLog
public import Events
public import ScanSwitch
import Synchronization
import Wire

/// The requests for scans with their standing, from the topic `scan-requests`.
///
/// It has those of the last day whose scans are stored, and those of the last hour.
/// A request to several scanners is one standing for each.
public final class ScanRequestDirectory: Sendable {
    /// A device that makes scans, of one site.
    public struct ScannerKey: Hashable, Sendable {
        public var site: SiteID
        public var scanner: ScannerID

        public init(_ site: SiteID, _ scanner: ScannerID) {
            self.site = site
            self.scanner = scanner
        }
    }

    fileprivate struct State {
        var isReady = false
        var requests: [EventID: [ScannerKey: ScanRequestStanding]] = [:]
        /// The requests to a scanner that are open or were cancelled lately.
        var ofScanner: [ScannerKey: Set<EventID>] = [:]
        /// The requests whose scans are stored, and the others, which are forgotten sooner.
        var (stored, passing) = (Arrivals(), Arrivals())
    }

    /// Requests in the order of their arrival, with its time.
    fileprivate struct Arrivals {
        private var entries: [(key: ScanRequestKey, at: Timestamp)] = []
        private var forgotten = 0

        /// The oldest one.
        var first: (key: ScanRequestKey, at: Timestamp)? {
            forgotten < entries.count ? entries[forgotten] : nil
        }

        mutating func append(_ key: ScanRequestKey, at moment: Timestamp) {
            entries.append((key, moment))
        }

        mutating func removeFirst() {
            forgotten += 1
            if forgotten > 1_000, forgotten * 2 > entries.count {
                entries.removeFirst(forgotten)
                forgotten = 0
            }
        }
    }

    private let state = Mutex(State())

    public init() {}

    /// Whether the topic has been read to its end once.
    public var isReady: Bool { state.withLock { $0.isReady } }

    public func markReady() { state.withLock { $0.isReady = true } }

    /// The standings of the requests of this id, in no order; empty where it is not known.
    public func request(_ id: EventID) -> [ScanRequestStanding] {
        state.withLock { Array(($0.requests[id] ?? [:]).values) }
    }

    public func standing(_ key: ScanRequestKey) -> ScanRequestStanding? {
        state.withLock { $0.requests[key.id]?[ScannerKey(key.site, key.scanner)] }
    }

    /// The requests to a scanner that are open, and the newest of those that were cancelled lately,
    /// in the order of their ids.
    public func requests(
        to scanner: ScannerKey, at moment: Timestamp
    ) -> (open: [ScanRequestStanding], cancelled: [EventID]) {
        state.withLock { state in
            let standings = (state.ofScanner[scanner] ?? []).sorted().compactMap {
                state.requests[$0]?[scanner]
            }
            let open = standings.filter { $0.isOpen(at: moment) }
            let cancelled = standings.filter { $0.isCancelledLately(at: moment) }
            if open.count + cancelled.count < standings.count {
                let kept = (open + cancelled).map(\.requested.id)
                state.ofScanner[scanner] = kept.isEmpty ? nil : Set(kept)
            }
            return (open, Self.newest(cancelled))
        }
    }

    /// Askers choose the ids, so these don't tell which request was cancelled last.
    private static func newest(_ cancelled: [ScanRequestStanding]) -> [EventID] {
        guard cancelled.count > ScanRequestLimits.cancelledTold else {
            return cancelled.map(\.requested.id)
        }
        let dated = cancelled.compactMap { standing in
            standing.cancelledAt.map { (id: standing.requested.id, at: $0) }
        }
        return dated.sorted { $0.at > $1.at }.prefix(ScanRequestLimits.cancelledTold).map(\.id)
            .sorted()
    }

    /// Applies one record of the topic; nil where it can't be read.
    public func apply(_ record: StoredRecord, at moment: Timestamp) -> ScanRequestKey? {
        guard let name = record.headers["ce_type"], let type = try? EventType(name: name) else {
            return nil
        }
        switch type {
        case .scanRequested:
            guard let event = try? ScanRequested(record: record) else { return nil }
            add(event, at: moment)
            return event.key
        case .scanRequestCancelled:
            return evolve(try? ScanRequestCancelled(record: record), \.request) { $0.evolve($1) }
        case .scanRequestTaken:
            return evolve(try? ScanRequestTaken(record: record), \.request) { $0.evolve($1) }
        case .resultAwaited:
            return evolve(try? ResultAwaited(record: record), \.request) {
                $0.evolve($1, readAt: moment)
            }
        case .scanRequestDone:
            return evolve(try? ScanRequestDone(record: record), \.request) { $0.evolve($1) }
        default: return nil
        }
    }

    private func add(_ event: ScanRequested, at moment: Timestamp) {
        state.withLock { state in
            let scanner = ScannerKey(event.site, event.scanner)
            guard state.requests[event.id]?[scanner] == nil else { return }
            let standing = ScanRequestStanding(event)
            guard !standing.isForgotten(at: moment) else { return }
            state.requests[event.id, default: [:]][scanner] = standing
            state.ofScanner[scanner, default: []].insert(event.id)
            if event.store {
                state.stored.append(event.key, at: moment)
            } else {
                state.passing.append(event.key, at: moment)
            }
            state.forget(at: moment)
        }
    }

    private func evolve<Event>(
        _ event: Event?, _ key: (Event) -> ScanRequestKey,
        _ change: (inout ScanRequestStanding, Event) -> Void
    ) -> ScanRequestKey? {
        guard let event else { return nil }
        let key = key(event)
        state.withLock { state in
            let scanner = ScannerKey(key.site, key.scanner)
            guard var standing = state.requests[key.id]?[scanner] else { return }
            change(&standing, event)
            state.requests[key.id]?[scanner] = standing
        }
        return key
    }
}

extension ScanRequestDirectory.State {
    /// The longest time-out of a request.
    private static let longest: Int64 = 60_000_000

    /// Forgets the requests that are kept no longer.
    fileprivate mutating func forget(at moment: Timestamp) {
        while let oldest = stored.first, forget(oldest.key, arrivedAt: oldest.at, at: moment) {
            stored.removeFirst()
        }
        while let oldest = passing.first, forget(oldest.key, arrivedAt: oldest.at, at: moment) {
            passing.removeFirst()
        }
    }

    /// Forgets a request if its time has come; false for one that is still kept.
    private mutating func forget(
        _ key: ScanRequestKey, arrivedAt arrival: Timestamp, at moment: Timestamp
    ) -> Bool {
        let scanner = ScanRequestDirectory.ScannerKey(key.site, key.scanner)
        guard let standing = requests[key.id]?[scanner] else { return true }
        // A request from a clock that was ahead must not keep those behind it.
        let isOld = moment - arrival > standing.keptMicroseconds + Self.longest
        guard standing.isForgotten(at: moment) || isOld else { return false }
        requests[key.id]?[scanner] = nil
        if requests[key.id]?.isEmpty == true { requests[key.id] = nil }
        ofScanner[scanner]?.remove(key.id)
        if ofScanner[scanner]?.isEmpty == true { ofScanner[scanner] = nil }
        return true
    }
}
