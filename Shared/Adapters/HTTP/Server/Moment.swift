import Glibc

/// The two clocks that the server reads.
enum Moment {
    /// A clock that never jumps, for deadlines and rates.
    static func nanoseconds() -> Int64 { read(CLOCK_MONOTONIC) }

    /// Microseconds since 1970.
    static func microsecondsSince1970() -> Int64 { read(CLOCK_REALTIME) / 1000 }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
