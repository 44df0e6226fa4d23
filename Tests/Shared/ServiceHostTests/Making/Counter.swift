import Synchronization

/// A number that several tasks count up.
final class Counter: Sendable {
    private let count = Atomic(0)
    var now: Int { count.load(ordering: .acquiring) }
    func add() -> Int { count.add(1, ordering: .acquiringAndReleasing).newValue }
}
