/// The cause of a fault, which decides how a consumer reacts. All consumers use this table.
public enum FaultCause: Hashable, Sendable {
    /// The record can't be read, the domain or the database refuses it, or its outputs are too
    /// large. The consumer sets this one record aside.
    case record
    /// The database, the log or the network fails. The consumer retries for ever and raises an
    /// alarm after 30 s.
    case world
    /// The program or its configuration is wrong. The consumer stops and reports why; nothing is
    /// set aside.
    case ours

    /// An error of unknown cause counts as the program's own.
    public init(_ error: any Error) {
        switch error {
        case let error as any CausedFault: self = error.cause
        // The task ends, and its successor tries again.
        case is CancellationError: self = .world
        default: self = .ours
        }
    }
}

/// An error that states its cause.
public protocol CausedFault: Error {
    var cause: FaultCause { get }
}

extension EventLogError: CausedFault {
    /// An answer of the log that we don't recognize is still a fault of the log. An operator may
    /// repair the log without a change of this program.
    public var cause: FaultCause {
        switch code {
        case .tooLarge: .record
        case .partitionMismatch, .offsetOutOfRange: .ours
        case .unavailable, .storageFull, .unknownOutcome, .backPressure, .unknownTopic, .fenced,
            .notAuthorized, .closed, .other:
            .world
        }
    }
}

/// A consumer has stopped because retrying can't help. An operator has to repair something first.
public struct ConsumerStopped: Error, Hashable, CausedFault, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }

    public var cause: FaultCause { .ours }

    /// Throws `ConsumerStopped` for faults of the program itself, where a retry can't help.
    static func throwIfOurs(_ error: any Error) throws(ConsumerStopped) {
        if let stop = error as? ConsumerStopped { throw stop }
        guard FaultCause(error) == .ours else { return }
        throw ConsumerStopped(String(describing: error))
    }
}
