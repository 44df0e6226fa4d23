internal import Numbers
internal import Spool
internal import Wire

/// Decides what happens to a batch after its answer. It has no clock and no network.
struct SendingRules: Sendable {
    static let mostRecords = 500
    static let mostBytes = 900_000
    /// Pauses after failures, in seconds: from one to five minutes.
    private static let pauses = 1.0...300.0
    /// How often a refused token is tried again.
    static let refusedPauseSeconds = 600.0
    /// The pause after a batch of which some records are put off and find no room in the spool.
    static let noRoomPauseSeconds = 60.0
    /// The longest pause that a server is granted.
    private static let longestAskedSeconds = 600
    /// The pause before a part of a batch that was refused as a whole.
    private static let halvingSeconds = 0.2

    struct Decision: Hashable, Sendable {
        /// Whether the batch is over. Otherwise it is sent again with the same ids.
        var isSettled = false
        /// Indexes of records that go back to the end of the queue.
        var again: [Int] = []
        /// The server's code for each record that it refused, by the record's index.
        var codes: [Int: String] = [:]
        var pauseSeconds = 0.0
        /// The fault that holds from now on; nil for none.
        var fault: String?

        /// Records that the server refused, by its code.
        var refused: [String: Int] { codes.values.reduce(into: [:]) { $0[$1, default: 0] += 1 } }

        /// The decision on the records before the first one that goes back to the queue.
        var untilAgain: Decision {
            let first = again.min() ?? 0
            var decision = self
            decision.again = []
            decision.codes = codes.filter { $0.key < first }
            return decision
        }
    }

    /// The most records of the next batch of queues whose last batch was refused as a whole.
    private var halved: [SpoolQueue: Int] = [:]
    private var failures = 0
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// The most records of the next batch.
    func batchRecords(of queue: SpoolQueue) -> Int { halved[queue] ?? Self.mostRecords }

    /// The pause that a server asks for, in seconds, so far as it is granted.
    static func granted(_ retryAfter: Int?) -> Double {
        Double(min(retryAfter ?? 0, longestAskedSeconds))
    }

    /// - Parameters:
    ///   - queue: the queue of the batch. A bad record of one makes the batches of the others no
    ///     smaller.
    ///   - isBatch: whether our server answers by a list of refused records. An answer without one
    ///     is then that of somebody else, such as a proxy without the server behind it. Nothing may
    ///     be deleted for it.
    mutating func decide(
        _ reply: ServerReply, count: Int, of queue: SpoolQueue = .droppable, isBatch: Bool = true
    ) -> Decision {
        switch reply {
        case .lost(let reason):
            return later(nil, "the server is not reached: \(reason)")
        case .answered(let status, let body, let retryAfter):
            return decide(status, BatchReply(json: body), retryAfter, count, queue, isBatch)
        }
    }

    private mutating func decide(
        _ status: Int, _ reply: BatchReply, _ retryAfter: Int?, _ count: Int, _ queue: SpoolQueue,
        _ isBatch: Bool
    ) -> Decision {
        switch status {
        case 200...299:
            guard let rejections = reply.rejections ?? (isBatch ? nil : []) else {
                return later(retryAfter, "an answer is not the server's (\(status))")
            }
            return settled(rejections, count, queue)
        // Each scan has a fault of its own, such as another site's name; others may pass.
        case 403 where reply.rejections?.isEmpty == false:
            return settled(reply.rejections ?? [], count, queue)
        case 401, 403:
            failures += 1
            return Decision(
                pauseSeconds: Self.refusedPauseSeconds,
                fault: "the server refuses this scanner's token (\(status) \(reply.code ?? ""))")
        case 408, 425, 429, 500...599:
            return later(retryAfter, "the server asks to wait (\(status) \(reply.code ?? ""))")
        default:
            if let rejections = reply.rejections { return settled(rejections, count, queue) }
            let isOurs = [400, 413, 422].contains(status) && reply.code != nil || !isBatch
            // The fault may be one record's: the batch is sent in halves until it is found. A proxy
            // that permits shorter bodies than our server answers 413, too, without a code.
            if count > 1, isOurs || status == 413 {
                halved[queue] = max(1, count / 2)
                return Decision(pauseSeconds: Self.halvingSeconds)
            }
            guard isOurs else {
                return later(retryAfter, "the server does not know this path (\(status))")
            }
            failures = 0
            halved[queue] = nil
            return Decision(isSettled: true, codes: [0: reply.code ?? "status-\(status)"])
        }
    }

    private mutating func settled(
        _ rejections: [BatchReply.Rejection], _ count: Int, _ queue: SpoolQueue
    ) -> Decision {
        var decision = Decision(isSettled: true)
        for rejection in rejections where rejection.index < count {
            if rejection.mayPass {
                decision.again.append(rejection.index)
            } else {
                decision.codes[rejection.index] = rejection.code
            }
        }
        halved[queue] = nil
        if decision.again.count == count, count > 0 {
            var waiting = later(nil, "the server puts all scans off")
            (waiting.isSettled, waiting.again) = (true, decision.again)
            waiting.codes = decision.codes
            return waiting
        }
        failures = 0
        return decision
    }

    private mutating func later(_ retryAfter: Int?, _ fault: String) -> Decision {
        let pause = pause()
        return Decision(pauseSeconds: max(pause, Self.granted(retryAfter)), fault: fault)
    }

    /// The pause after one more failure. It doubles, shortened at random by up to a half, so that
    /// scanners that failed together do not come back together.
    mutating func pause() -> Double {
        let grown = Self.pauses.lowerBound * Double(1 << min(failures, 20))
        failures += 1
        return min(Self.pauses.upperBound, grown) * Double.random(in: 0.5...1, using: &random)
    }

    mutating func reset() { failures = 0 }

    /// Whether the last attempt did not fail.
    var isWell: Bool { failures == 0 }
}
