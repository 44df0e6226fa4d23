/// Whose fault a fault is, and so what a consumer does about it: the one table for all consumers.
///
/// | cause | what it is | what is done |
/// |---|---|---|
/// | the record's | it can't be read, the domain refuses it, the database takes no such value, what it makes is too large | it is set aside, alone |
/// | the world's | the database, the log, or the way to them | tried again for ever; an alarm after 30 s |
/// | ours | a mistake in the program or in how it was set up | the consumer stops and says so; nothing is set aside |
public enum FaultCause: Hashable, Sendable {
    case record
    case world
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
    /// A log that answers in a way that we don't know is still the log's: it may be mended without us.
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
