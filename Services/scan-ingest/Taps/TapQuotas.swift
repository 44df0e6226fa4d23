import Events
import HTTP
import ServiceHost

/// The taps that each sender may still send, beside the quota that it has for everything.
///
/// Anybody can begin many sessions without an account, so their taps also count by address. Each
/// process counts by itself, and begins anew when it starts.
final class TapQuotas: Sendable {
    /// The most taps at a time, or in a minute, and in a day.
    struct Limit: Hashable, Sendable {
        var ofMinute: Double
        var ofDay: Double

        fileprivate var ofTime: [SenderBuckets.Limit] {
            [
                SenderBuckets.Limit(perSecond: ofMinute / 60, burst: ofMinute),
                SenderBuckets.Limit(perSecond: ofDay / 86_400, burst: ofDay),
            ]
        }

        fileprivate var inWords: String { "\(Int(ofMinute)) taps a minute and \(Int(ofDay)) a day" }
    }

    /// More than somebody says who walks from room to room.
    static let ofSender = Limit(ofMinute: 6, ofDay: 100)
    /// Some visitors may share an address.
    static let ofAddress = Limit(ofMinute: 60, ofDay: 1_000)
    /// Both limits, for people.
    static let limits =
        "\(ofSender.inWords); senders without an account, \(ofAddress.inWords) from one address"

    private let buckets: SenderBuckets

    init(mostSenders: Int = SenderBuckets.mostSenders) {
        buckets = SenderBuckets(most: mostSenders)
    }

    /// Spends one tap of the caller's. Returns nil, or the seconds to wait.
    ///
    /// - Parameter address: counts for visitors without an account.
    func secondsToWait(_ caller: Caller, _ address: String, at moment: Timestamp) -> Int? {
        buckets.secondsToWait(
            for: caller, at: address, ofCaller: Self.ofSender.ofTime,
            ofAddress: Self.ofAddress.ofTime, moment: moment)
    }
}
