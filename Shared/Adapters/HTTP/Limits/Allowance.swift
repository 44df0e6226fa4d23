import Synchronization

/// The requests and the quota that a token or an address has left. Each process counts by itself.
public final class Allowance: Sendable {
    private struct State {
        var requests: TokenBucket?
        var quota: Quota?
        var records: TokenBucket?
        var bytes: TokenBucket?
    }

    private let state: Mutex<State>

    init(requests: TokenBucket?) { state = Mutex(State(requests: requests)) }

    /// Spends one request with so many bytes. Returns nil, or the exceeded limit and the seconds to
    /// wait.
    func spend(
        bytes: Int, quota: Quota?, at now: Int64
    ) -> (what: Problem.Overdrawn, seconds: Int)? {
        state.withLock { state in
            if state.requests?.spend(1, at: now) == false, let bucket = state.requests {
                let limit = Quota.inWords(bucket.perSecond, bucket.burst)
                return (.requests(limit: limit), bucket.secondsToWait(for: 1, at: now))
            }
            guard bytes > 0, let quota else { return nil }
            Self.set(quota, &state, now)
            guard state.bytes?.spend(Double(bytes), at: now) == false else { return nil }
            let limit = quota.bytesInWords
            let seconds = state.bytes?.secondsToWait(for: Double(bytes), at: now) ?? 1
            return (.bytes(limit: limit), seconds)
        }
    }

    /// Spends bytes whose number was not known before they came.
    func charge(bytes: Int, quota: Quota?, at now: Int64) {
        guard let quota else { return }
        state.withLock { state in
            Self.set(quota, &state, now)
            state.bytes?.charge(Double(bytes), at: now)
        }
    }

    /// Spends part of the quota for these records and returns how many are granted. If the quota
    /// could ever hold them all at once, it grants all or none, so that the client can repeat the
    /// request. Otherwise it grants as many as fit.
    public func spendRecords(_ count: Int, quota: Quota?) -> Int {
        guard let quota else { return count }
        let now = Moment.nanoseconds()
        return state.withLock { state in
            Self.set(quota, &state, now)
            return state.records?.spendRecords(count, at: now) ?? count
        }
    }

    /// The seconds until so many records fit, or until the quota is full.
    public func secondsUntil(records: Int, quota: Quota) -> Int {
        let now = Moment.nanoseconds()
        return state.withLock { state in
            Self.set(quota, &state, now)
            return state.records?.secondsToWait(for: Double(records), at: now) ?? 1
        }
    }

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

    /// Whether nothing was spent, so that the allowance may be forgotten.
    func isFull(at now: Int64) -> Bool {
        state.withLock { state in
            [state.requests, state.records, state.bytes].allSatisfy {
                $0?.isFull(at: now) ?? true
            }
        }
    }

    /// Sets the quota. A token that gets a new quota starts with a full one.
    private static func set(_ quota: Quota, _ state: inout State, _ now: Int64) {
        guard state.quota != quota else { return }
        state.quota = quota
        state.records = TokenBucket(
            perSecond: quota.recordsPerSecond, burst: quota.burst, nowNanoseconds: now)
        state.bytes = TokenBucket(
            perSecond: quota.bytesPerSecond, burst: quota.burstBytes, nowNanoseconds: now)
    }
}
