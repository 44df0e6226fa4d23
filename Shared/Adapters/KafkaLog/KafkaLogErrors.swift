import EventLog
import Kafka

extension EventLogError {
    /// Maps an error of the Kafka client to an error of the log.
    init(_ error: KafkaError) {
        self.init(Self.code(of: error), error.description)
    }

    /// Maps a failed delivery to an error of the log.
    init(_ failure: Delivery.Failure) {
        var code = Self.code(of: failure.error)
        switch code {
        case .unavailable, .other:
            if failure.mayBePersisted { code = .unknownOutcome }
        default: break
        }
        self.init(code, failure.error.description)
    }

    static func closed(_ what: String) -> EventLogError {
        EventLogError(.closed, "\(what) is closed")
    }

    private static func code(of error: KafkaError) -> Code {
        switch error.code {
        case .queueFull: .backPressure
        case .offsetReset, .offsetOutOfRange: .offsetOutOfRange
        case .purgedFromQueue, .purgedInFlight, .fenced: .unavailable
        case let code where KafkaError.Code.tooLarge.contains(code): .tooLarge
        case let code where KafkaError.Code.unknownTopic.contains(code): .unknownTopic
        case let code where KafkaError.Code.notAuthorized.contains(code): .notAuthorized
        case let code where KafkaError.Code.lostMembership.contains(code): .fenced
        // Even a fatal error is retriable: it ends one producer, and the log creates another.
        default: error.isRetriable || error.isFatal ? .unavailable : .other
        }
    }
}

/// Runs calls of the Kafka client and maps their errors to errors of the log.
func asLogErrors<Result>(
    _ body: () throws(KafkaError) -> Result
) throws(EventLogError) -> Result {
    do throws(KafkaError) { return try body() } catch { throw EventLogError(error) }
}
