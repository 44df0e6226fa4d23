import Synchronization

/// What one sender, a token or an address, may still do. It is counted by process.
public final class Allowance: Sendable {
    private struct State {
        var requests: TokenBucket?
        var quota: Quota?
        var records: TokenBucket?
        var bytes: TokenBucket?
    }

    private let state: Mutex<State>

    init(requests: TokenBucket?) { state = Mutex(State(requests: requests)) }

    /// Takes one request of that many bytes; nil, or what is over and for how many seconds.
    func take(
        bytes: Int, quota: Quota?, at now: Int64
    ) -> (what: Problem.Overdrawn, seconds: Int)? {
        state.withLock { state in
            if state.requests?.take(1, at: now) == false {
                return (.requests, state.requests?.secondsToWait(for: 1, at: now) ?? 1)
            }
            guard bytes > 0, let quota else { return nil }
            Self.set(quota, &state, now)
            guard state.bytes?.take(Double(bytes), at: now) == false else { return nil }
            return (.bytes, state.bytes?.secondsToWait(for: Double(bytes), at: now) ?? 1)
        }
    }

    /// Takes bytes whose number was not known before they came.
    func charge(bytes: Int, quota: Quota?, at now: Int64) {
        guard let quota else { return }
        state.withLock { state in
            Self.set(quota, &state, now)
            state.bytes?.charge(Double(bytes), at: now)
        }
    }

    /// Takes these records from the quota, and says how many of them: all or none where they can
    /// come at once, so that they are sent again as they are, and else as many as there is room
    /// for.
    public func takeRecords(_ count: Int, quota: Quota?) -> Int {
        guard let quota else { return count }
        let now = Moment.nanoseconds()
        return state.withLock { state in
            Self.set(quota, &state, now)
            return state.records?.takeRecords(count, at: now) ?? count
        }
    }

    /// Until so many records, or the most that can come at once, are there again.
    public func secondsUntil(records: Int, quota: Quota) -> Int {
        let now = Moment.nanoseconds()
        return state.withLock { state in
            Self.set(quota, &state, now)
            return state.records?.secondsToWait(for: Double(records), at: now) ?? 1
        }
    }

    /// What is left of the quota.
    public func left(of quota: Quota) -> QuotaLeft {
        let now = Moment.nanoseconds()
        return state.withLock { state in
            Self.set(quota, &state, now)
            let records = state.records?.left(at: now) ?? 0
            let bytes = state.bytes?.left(at: now) ?? 0
            let seconds =
                [
                    records > 0 ? 0 : state.records?.secondsToWait(for: 1, at: now) ?? 0,
                    bytes > 0 ? 0 : state.bytes?.secondsToWait(for: 1, at: now) ?? 0,
                ].max() ?? 0
            return QuotaLeft(quota: quota, records: records, bytes: bytes, seconds: seconds)
        }
    }

    /// Nothing is lost by forgetting it.
    func isFull(at now: Int64) -> Bool {
        state.withLock { state in
            [state.requests, state.records, state.bytes].allSatisfy {
                $0?.isFull(at: now) ?? true
            }
        }
    }

    /// A token that is given another quota begins it full.
    private static func set(_ quota: Quota, _ state: inout State, _ now: Int64) {
        guard state.quota != quota else { return }
        state.quota = quota
        state.records = TokenBucket(
            perSecond: quota.recordsPerSecond, burst: quota.burst, nowNanoseconds: now)
        state.bytes = TokenBucket(
            perSecond: quota.bytesPerSecond, burst: quota.burstBytes, nowNanoseconds: now)
    }
}
