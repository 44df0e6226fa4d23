public import Retrying
import Synchronization

/// Collects the reports of long-running work.
public final class Told: Sendable {
    private let sentences = Mutex<(unexpected: [String], recoveries: [String])>(([], []))

    public init() {}

    public var unexpected: [String] { sentences.withLock { $0.unexpected } }
    public var recoveries: [String] { sentences.withLock { $0.recoveries } }
    public var notices: Notices {
        Notices(
            onUnexpected: { sentence in self.sentences.withLock { $0.unexpected.append(sentence) }
            },
            onRecovery: { sentence in self.sentences.withLock { $0.recoveries.append(sentence) } })
    }
}
