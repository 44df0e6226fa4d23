import Glibc
import SwiftOverlayShims
import Synchronization

/// A source of the current time. Services get it as an argument, so that tests control the time.
public protocol TimeSource: Sendable {
    /// Microseconds since 1970, UTC.
    var nowMicroseconds: Int64 { get }
    /// Nanoseconds from an arbitrary start. They never go back.
    var monotonicNanoseconds: Int64 { get }
}

/// The machine's clocks.
public struct SystemTimeSource: TimeSource {
    public init() {}

    public var nowMicroseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    public var monotonicNanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// A clock that stands still until it is moved.
public final class ManualTimeSource: TimeSource {
    private let microseconds: Atomic<Int64>

    public init(microseconds: Int64 = 0) { self.microseconds = Atomic(microseconds) }

    public var nowMicroseconds: Int64 { microseconds.load(ordering: .relaxed) }
    public var monotonicNanoseconds: Int64 { nowMicroseconds * 1_000 }

    public func advance(by duration: Duration) {
        microseconds.add(duration.wholeMilliseconds * 1_000, ordering: .relaxed)
    }
}
