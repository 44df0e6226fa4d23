import Glibc
import SwiftOverlayShims

/// A run of the machine, from its start to its end. No setting of the clock changes its time.
public struct MachineBoot: Sendable {
    /// The kernel makes it anew at each start, by chance.
    public let id: String
    /// Microseconds since the start, with those of sleep.
    public let microseconds: @Sendable () -> Int64

    public init(id: String, microseconds: @escaping @Sendable () -> Int64) {
        self.id = id
        self.microseconds = microseconds
    }

    /// The run of this machine; nil where the kernel tells no id.
    public static func current() -> MachineBoot? {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "r") else { return nil }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 36)
        guard fread(&text, 1, text.count, file) == text.count else { return nil }
        return MachineBoot(
            id: String(decoding: text, as: UTF8.self),
            microseconds: {
                var time = timespec()
                clock_gettime(CLOCK_BOOTTIME, &time)
                return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
            })
    }
}
