/// How many records a processor works on in one transaction: so many that the work is done within
/// two seconds, whatever one of them costs.
///
/// Kafka drops a member that has not polled for ten seconds. What it was working on is refused
/// then, and read again; with the same number of records it would be refused for ever.
struct BatchLimit {
    private static let longest = Duration.seconds(2)

    private let most: Int
    private(set) var now: Int

    init(_ most: Int) {
        self.most = most
        now = most
    }

    /// At most twice as many from one time to the next, and at once as few as are right.
    mutating func worked(_ records: Int, in duration: Duration) {
        guard records > 0, duration > .zero else { return }
        let fitting = Double(records) * (Self.longest / duration)
        now = max(1, Int(min(fitting, Double(2 * now), Double(most))))
    }
}
