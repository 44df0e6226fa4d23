import Synchronization

/// A number that only grows. Adding is one atomic operation. Look the handle up once and keep it.
public final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    public func increment(by amount: Int = 1) {
        value.wrappingAdd(amount, ordering: .relaxed)
    }
    public var current: Int { value.load(ordering: .relaxed) }
}

/// A number that goes up and down.
public final class Gauge: Sendable {
    private let bits = Atomic<UInt64>(0)

    public func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
    public func add(_ amount: Double) { bits.addDouble(amount) }
    public var current: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }
}

/// Counts observations in fixed buckets. Each bucket includes its upper bound.
public final class Histogram: Sendable {
    /// Bounds in seconds from a millisecond to ten, for requests and commits.
    public static let secondsBuckets: [Double] = [
        0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10,
    ]

    public let bounds: [Double]
    /// One count more than there are bounds: the last one counts values above all bounds.
    private let counts: [AtomicCount]
    private let sumBits = Atomic<UInt64>(0)

    init(bounds: [Double]) {
        precondition(zip(bounds, bounds.dropFirst()).allSatisfy(<), "bounds must grow")
        self.bounds = bounds
        counts = (0...bounds.count).map { _ in AtomicCount() }
    }

    public func observe(_ value: Double) {
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        counts[index].value.wrappingAdd(1, ordering: .relaxed)
        sumBits.addDouble(value)
    }

    public func observe(_ duration: Duration) {
        observe(duration / .seconds(1))
    }

    /// The count of each bucket, not cumulative. The last one counts values above every bound.
    public var bucketCounts: [Int] { counts.map { $0.value.load(ordering: .relaxed) } }
    public var sum: Double { Double(bitPattern: sumBits.load(ordering: .relaxed)) }
}

/// An atomic count that an array can hold.
private final class AtomicCount: Sendable {
    let value = Atomic<Int>(0)
}

extension Atomic where Value == UInt64 {
    /// Adds to the double whose bits are stored here.
    fileprivate borrowing func addDouble(_ amount: Double) {
        var old = load(ordering: .relaxed)
        while true {
            let sum = (Double(bitPattern: old) + amount).bitPattern
            let (exchanged, original) = weakCompareExchange(
                expected: old, desired: sum, ordering: .relaxed)
            if exchanged { return }
            old = original
        }
    }
}
