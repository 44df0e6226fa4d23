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

    private struct Generations {
        var young: ScanGeneration
        var old: ScanGeneration
    }

    private let generations: Mutex<Generations>

    /// - Parameter limit: ids in a generation, at least one; all of the memory is taken here, 64 to
    ///   128 bytes for each id of both generations.
    init(limit: Int = 131_072) {
        generations = Mutex(
            Generations(young: ScanGeneration(limit: limit), old: ScanGeneration(limit: limit)))
    }

    /// Notes the id with its content, unless it is known with other content.
    func note(_ id: EventID, contentHash: UInt64) -> Verdict {
        generations.withLock { generations in
            if let known = generations.young[id] ?? generations.old[id] {
                guard known.contentHash == contentHash else { return .conflict }
                return .repeated(acknowledged: known.isAcknowledged)
            }
            if generations.young.isFull {
                swap(&generations.old, &generations.young)
                generations.young.removeAll()
            }
            generations.young.insert(id, contentHash: contentHash)
            return .new
        }
    }

    /// The log has acknowledged these ids.
    func acknowledge(_ ids: [EventID]) {
        generations.withLock { generations in
            for id in ids where !generations.young.acknowledge(id) {
                _ = generations.old.acknowledge(id)
            }
        }
    }

    /// The append failed: what was noted says nothing about the log, so other content may come.
    func forget(_ ids: [EventID]) {
        generations.withLock { generations in
            for id in ids { generations.young.forgetUnacknowledged(id) }
        }
    }
}
