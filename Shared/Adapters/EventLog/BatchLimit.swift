/// Limits the number of records that a processor works on in one transaction. The limit follows the
/// measured time per record, so that a transaction takes at most two seconds.
///
/// Kafka removes a member that has not polled for ten seconds and refuses its commit. The next
/// member reads the same records again. With the same batch size its commit would be refused too,
/// for ever.
struct BatchLimit {
    private static let longest = Duration.seconds(2)

    private let most: Int
    private(set) var now: Int

    init(_ most: Int) {
        self.most = most
        now = most
    }

    /// Adapts the limit to a batch's duration. The limit at most doubles at one call, but falls at
    /// once as far as needed.
    mutating func worked(_ records: Int, in duration: Duration) {
        guard records > 0, duration > .zero else { return }
        let fitting = Double(records) * (Self.longest / duration)
        now = max(1, Int(min(fitting, Double(2 * now), Double(most))))
    }
}
