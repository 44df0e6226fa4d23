import Synchronization

/// Counts changes, so that a loop rests until there is work again.
///
/// The loop reads the count before it looks for work. So a change that comes while it works ends
/// the next rest at once.
public final class ChangeCounter: Sendable {
    /// How long a loop rests without a change. Then it finds changes that another process made.
    private static let longestRest = Duration.seconds(5)

    private let number = Mutex<UInt64>(0)
    private let change = TableChange()

    public init() {}

    public var count: UInt64 { number.withLock { $0 } }

    public func add() {
        number.withLock { $0 += 1 }
        change.changed()
    }

    /// Returns when there was a change since the count, after some seconds, or when the task is
    /// cancelled.
    public func rest(since count: UInt64) async {
        _ = await change.wait(atMost: Self.longestRest) { self.count > count }
    }
}
