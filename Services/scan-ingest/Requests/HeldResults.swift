import Events
import Synchronization
import Wire

/// The results that wait in this process for their askers. They are in no topic and no file.
final class HeldResults: Sendable {
    struct Held: Sendable {
        var result: HandedResult
        /// The position as JSON, once it was located.
        var position: [UInt8]?
        var since: Timestamp
    }

    /// How long a result is kept, so that a connection that broke can ask once more.
    static let keptMicroseconds: Int64 = 10_000_000
    /// At this number the oldest go.
    private static let most = 10_000

    private let held = Mutex<[ScanRequestKey: Held]>([:])

    func put(_ result: HandedResult, for key: ScanRequestKey, at moment: Timestamp) {
        held.withLock { held in
            held = held.filter { !Self.isOver($0.value, at: moment) }
            if held.count >= Self.most,
                let oldest = held.min(by: { $0.value.since < $1.value.since })
            {
                held[oldest.key] = nil
            }
            held[key] = Held(result: result, since: moment)
        }
    }

    func result(for key: ScanRequestKey, at moment: Timestamp) -> Held? {
        held.withLock { held in
            guard let found = held[key] else { return nil }
            if Self.isOver(found, at: moment) {
                held[key] = nil
                return nil
            }
            return found
        }
    }

    func note(position: [UInt8], for key: ScanRequestKey) {
        held.withLock { $0[key]?.position = position }
    }

    /// Gives a result away, to another copy.
    func remove(_ key: ScanRequestKey) -> HandedResult? {
        held.withLock { $0.removeValue(forKey: key)?.result }
    }

    /// Forgets the results that nobody has asked for.
    func sweep(at moment: Timestamp) {
        held.withLock { held in held = held.filter { !Self.isOver($0.value, at: moment) } }
    }

    private static func isOver(_ held: Held, at moment: Timestamp) -> Bool {
        moment - held.since > keptMicroseconds
    }
}
