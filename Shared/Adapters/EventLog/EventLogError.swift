/// What went wrong between us and the log.
public struct EventLogError: Error, Hashable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// The log is down, starting, or fails over. Nothing is known to be lost.
        case unavailable
        /// The log's disk is full. Nothing was taken.
        case storageFull
        /// The append may or may not have happened; the same ids may be sent again.
        case unknownOutcome
        /// Our own queue is full; nothing was taken.
        case backPressure
        /// The record is larger than the topic allows.
        case tooLarge
        case unknownTopic
        /// The topic exists with other partitions than asked for.
        case partitionMismatch
        /// The offset is no longer, or not yet, in the log.
        case offsetOutOfRange
        /// Another member owns the partitions now; what this one did was rolled back.
        case fenced
        case notAuthorized
        case closed
        case other
    }

    public var code: Code
    public var reason: String

    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The same call may succeed later without anything being changed.
    public var isRetriable: Bool {
        switch code {
        case .unavailable, .storageFull, .unknownOutcome, .backPressure: true
        default: false
        }
    }

    /// This client can't go on; it must be closed and made again.
    public var isFatal: Bool { code == .closed || code == .notAuthorized }

    public var description: String { "\(code.rawValue): \(reason)" }
}
