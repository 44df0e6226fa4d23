import Events
import Synchronization

/// Remembers the ids that were lately accepted. The same id with other content is refused, and a
/// retry of an acknowledged scan needs no second append.
///
/// Forgetting an id is harmless: the locator drops duplicates for 24 hours. Ids are kept in two
/// generations of bounded size instead of in exact order of age. When the younger is full it
/// becomes the older, and the older is emptied.
final class RecentScans: Sendable {
    enum Verdict: Equatable {
        case new
        /// The same id with the same content; `acknowledged` when the log certainly has it.
        case repeated(acknowledged: Bool)
        /// The id was used for other content.
        case conflict
    }

    private struct Generations {
        var young: ScanGeneration
        var old: ScanGeneration
    }

    private let generations: Mutex<Generations>

    /// - Parameter limit: ids in a generation, at least one. All memory is allocated here: 64 to
    ///   128 bytes for each id of both generations.
    init(limit: Int = 131_072) {
        generations = Mutex(
            Generations(young: ScanGeneration(limit: limit), old: ScanGeneration(limit: limit)))
    }

    /// Notes the id with its content, unless the id is there with other content.
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

    /// Notes that the log has acknowledged these ids.
    func acknowledge(_ ids: [EventID]) {
        generations.withLock { generations in
            for id in ids where !generations.young.acknowledge(id) {
                _ = generations.old.acknowledge(id)
            }
        }
    }

    /// Forgets ids whose append failed: the log may not have them, so other content may come.
    func forget(_ ids: [EventID]) {
        generations.withLock { generations in
            for id in ids { generations.young.forgetUnacknowledged(id) }
        }
    }
}
