import CMalloc
import Glibc
import SwiftOverlayShims

/// Figures of the operating system about this process, under Prometheus' usual names.
public enum ProcessMetrics {
    public static func register(in registry: MetricsRegistry, time: any TimeSource) {
        let start = Double(time.nowMicroseconds) / 1e6
        registry.gaugeReading(
            "process_start_time_seconds", help: "Start of the process in seconds since 1970."
        ) { start }
        registry.counterReading(
            "process_cpu_seconds_total", help: "Processor time used, user and system."
        ) { cpuSeconds }
        registry.gaugeReading(
            "process_resident_memory_bytes", help: "Resident memory in bytes."
        ) { Double(residentBytes) }
        registry.gaugeReading(
            "whereabouts_allocated_bytes",
            help:
                "Allocated memory in bytes, without memory that is free but still resident."
        ) { Double(allocatedBytes) }
        registry.gaugeReading("process_open_fds", help: "Open file descriptors.") {
            Double(openFileDescriptors)
        }
    }

    /// User and system time of all threads, in seconds.
    public static var cpuSeconds: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double {
            Double(time.tv_sec) + Double(time.tv_usec) / 1e6
        }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The resident memory. 0 where /proc is not mounted.
    public static var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = fread(&buffer, 1, buffer.count, file)
        // The second number is the resident memory in pages.
        let words = buffer[..<count].split(separator: UInt8(ascii: " "))
        guard words.count > 1, let text = String(validating: words[1], as: UTF8.self),
            let pages = Int(text)
        else { return 0 }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The bytes allocated on the heap and in separately mapped blocks (glibc's mallinfo2).
    public static var allocatedBytes: Int {
        let info = mallinfo2()
        return Int(clamping: info.uordblks) + Int(clamping: info.hblkhd)
    }

    /// The number of open file descriptors. 0 where /proc is not mounted.
    public static var openFileDescriptors: Int {
        guard let directory = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // Without the two dot entries and the descriptor that reads this directory.
        return max(0, count - 3)
    }
}
