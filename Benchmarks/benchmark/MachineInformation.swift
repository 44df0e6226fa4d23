import Foundation

/// The machine that a figure was measured on.
enum MachineInformation {
    static var description: String {
        let load = text("/proc/loadavg").split(separator: " ").prefix(3).joined(separator: " ")
        let cores = ProcessInfo.processInfo.processorCount
        return "machine: \(processor), \(cores) cores, \(text("/proc/sys/kernel/ostype")) "
            + "\(text("/proc/sys/kernel/osrelease")), load \(load)"
    }

    private static var processor: String {
        let line = text("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = line?.split(separator: ":").last.map(String.init) ?? "unknown processor"
        return name.trimmingCharacters(in: .whitespaces)
    }

    private static func text(_ path: String) -> String {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
