import HTTP
import ServiceHost
import ServiceRuntime
import Synchronization
import Wire

/// Counts the streams of a process, whatever they send, and limits them.
final class StreamPlaces: Sendable {
    private struct State {
        var all = 0
        var byToken: [String: Int] = [:]
    }

    private let streams: Int
    private let streamsOfToken: Int
    private let state = Mutex(State())

    /// - Parameter limits: the most streams of all clients, and of one token.
    init(_ limits: StreamHub.Limits) {
        streams = limits.streams
        streamsOfToken = limits.streamsOfToken
    }

    /// - Throws: a `Problem` when a limit is reached.
    func enter(token: String) throws(Problem) {
        let problem = state.withLock { state -> Problem? in
            if state.all >= streams { return .tooManyStreams(streams) }
            if state.byToken[token, default: 0] >= streamsOfToken {
                return .tooManyStreamsOfToken(streamsOfToken)
            }
            state.all += 1
            state.byToken[token, default: 0] += 1
            return nil
        }
        if let problem { throw problem }
    }

    func leave(token: String) {
        state.withLock { state in
            state.all -= 1
            let left = (state.byToken[token] ?? 1) - 1
            state.byToken[token] = left > 0 ? left : nil
        }
    }

    /// Shows the number of streams as metrics.
    func show(in metrics: MetricsRegistry) {
        let open = { @Sendable [weak self] in Double(self?.state.withLock { $0.all } ?? 0) }
        metrics.gaugeReading(
            "whereabouts_streams", help: "Clients that follow positions, groups or batteries now.",
            read: open)
        metrics.gaugeReading(
            "whereabouts_streams_ratio", help: "The part of the permitted streams that is open."
        ) { [streams] in open() / Double(streams) }
    }
}

extension Problem {
    fileprivate static func tooManyStreams(_ limit: Int) -> Problem {
        Problem(
            .tooManyStreams, "\(limit) clients follow events already; try later.",
            retryAfterSeconds: 10)
    }

    fileprivate static func tooManyStreamsOfToken(_ limit: Int) -> Problem {
        Problem(
            .tooManyStreamsOfToken,
            "This token follows events \(limit) times already; end some of these streams.",
            retryAfterSeconds: 10)
    }
}
