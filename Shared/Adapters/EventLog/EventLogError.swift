public struct EventLogError: Error, Hashable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// The log is down, starting, or failing over. No loss is known.
        case unavailable
        /// The log's disk is full. Nothing was appended.
        case storageFull
        /// The append may or may not have happened. The caller may send the same ids again.
        case unknownOutcome
        /// The queue in this process is full. Nothing was appended.
        case backPressure
        case tooLarge
        case unknownTopic
        /// The topic exists with a different number of partitions.
        case partitionMismatch
        /// The offset is no longer, or not yet, in the log.
        case offsetOutOfRange
        /// Another member owns the partitions now. This member's work was rolled back.
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

    /// The same call may succeed later without any change by an operator.
    public var isRetriable: Bool {
        switch code {
        case .unavailable, .storageFull, .unknownOutcome, .backPressure: true
        default: false
        }
    }

    /// This client can't work any more. The caller must close it and create a new one.
    public var isFatal: Bool { code == .closed || code == .notAuthorized }

    public var description: String { "\(code.rawValue): \(reason)" }
}
