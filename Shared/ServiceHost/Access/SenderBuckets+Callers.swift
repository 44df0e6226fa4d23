public import Events
public import HTTP

extension SenderBuckets {
    /// Spends one token of the caller, and of their address if they have no account.
    ///
    /// - Parameters:
    ///   - work: a name that keeps limits of different works apart.
    ///   - ofCaller: the limits of each caller.
    ///   - ofAddress: the limits of each address.
    ///   - moment: a time of this century, so that its nanoseconds fit.
    /// - Returns: nil, or the seconds to wait where one of them has none left.
    public func secondsToWait(
        for caller: Caller, at address: String, work: String = "", ofCaller: [Limit],
        ofAddress: [Limit], moment: Timestamp
    ) -> Int? {
        let prefix = work.isEmpty ? "" : "\(work) "
        return secondsToWait(
            Sender(prefix + caller.id, ofCaller),
            address: caller.countsByAddress ? Sender(prefix + address, ofAddress) : nil,
            nowNanoseconds: moment.microseconds &* 1_000)
    }
}
