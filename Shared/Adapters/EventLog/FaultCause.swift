/// Whose fault a fault is, and so how a consumer answers it: the one table for all consumers.
public enum FaultCause: Hashable, Sendable {
    /// The record can't be read, the domain or the database refuses it, or its outcome is too large.
    /// It is set aside, alone.
    case record
    /// The database, the log or the way to them fails. The consumer tries again for ever; an alarm
    /// follows after 30 s.
    case world
    /// The program or its setup is wrong. The consumer stops and says so; nothing is set aside.
    case ours

    /// What is not known to be anybody else's is ours.
    public init(_ error: any Error) {
        switch error {
        case let error as any CausedFault: self = error.cause
        // The task ends; whoever comes after it tries again.
        case is CancellationError: self = .world
        default: self = .ours
        }
    }
}

/// An error that knows whose fault it is.
public protocol CausedFault: Error {
    var cause: FaultCause { get }
}

extension EventLogError: CausedFault {
    /// A log that answers in a way that we don't know is still the log's: it may be mended without
    /// us.
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

/// A consumer that can't go on by itself: somebody has to mend something.
public struct ConsumerStopped: Error, Hashable, CausedFault, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }

    public var cause: FaultCause { .ours }

    /// Throws where trying again can't help.
    static func throwIfOurs(_ error: any Error) throws(ConsumerStopped) {
        if let stop = error as? ConsumerStopped { throw stop }
        guard FaultCause(error) == .ours else { return }
        throw ConsumerStopped(String(describing: error))
    }
}
