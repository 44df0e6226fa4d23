import Events
import Synchronization

/// Remembers the ids that were lately accepted, so that the same id with other content is refused
/// and a retry of an acknowledged scan needs no second append. Forgetting is harmless: the locator
/// drops duplicates for 24 hours.
///
/// Two generations of bounded size take the place of an exact order of age: when the younger is
/// full it becomes the older, and the older is forgotten.
final class RecentScans: Sendable {
    enum Verdict: Equatable {
        case new
        /// The same content again; `acknowledged` when the log has it for certain.
        case repeated(acknowledged: Bool)
        /// The id was used for something else.
        case conflict
    }

    private struct Entry {
        var contentHash: UInt64
        var isAcknowledged: Bool
    }

    private struct Generations {
        var young: [EventID: Entry] = [:]
        var old: [EventID: Entry] = [:]
    }

    private let limit: Int
    private let generations = Mutex(Generations())

    /// - Parameter limit: ids in a generation; at 56 bytes each the default takes about 15 MB.
    ///   The memory is taken at the start, so that it does not grow in service.
    init(limit: Int = 131_072) {
        self.limit = limit
        generations.withLock { generations in
            generations.young.reserveCapacity(limit)
            generations.old.reserveCapacity(limit)
        }
    }

    /// Notes the id with its content, unless it is known with other content.
    func note(_ id: EventID, contentHash: UInt64) -> Verdict {
        generations.withLock { generations in
            if let known = generations.young[id] ?? generations.old[id] {
                guard known.contentHash == contentHash else { return .conflict }
                return .repeated(acknowledged: known.isAcknowledged)
            }
            if generations.young.count >= limit {
                swap(&generations.old, &generations.young)
                generations.young.removeAll(keepingCapacity: true)
            }
            generations.young[id] = Entry(contentHash: contentHash, isAcknowledged: false)
            return .new
        }
    }

    /// The log has acknowledged these ids.
    func acknowledge(_ ids: [EventID]) {
        generations.withLock { generations in
            for id in ids {
                generations.young[id]?.isAcknowledged = true
                generations.old[id]?.isAcknowledged = true
            }
        }
    }

    /// The append failed: what was noted says nothing about the log, so other content may come.
    func forget(_ ids: [EventID]) {
        generations.withLock { generations in
            for id in ids where generations.young[id]?.isAcknowledged == false {
                generations.young[id] = nil
            }
        }
    }
}
