import Glibc
public import ServiceRuntime

/// The free space of a file system.
public struct DiskSpace: Sendable, Hashable {
    public var freeBytes: Double
    public var sizeBytes: Double

    /// The part that is free, from 0 to 1.
    public var freeRatio: Double { sizeBytes > 0 ? freeBytes / sizeBytes : 0 }

    /// The file system that holds the path; nil if there is no such path here.
    public init?(path: String) {
        var answer = statvfs()
        guard statvfs(path, &answer) == 0 else { return nil }
        // f_bavail leaves out the part that only root may fill.
        freeBytes = Double(answer.f_bavail) * Double(answer.f_frsize)
        sizeBytes = Double(answer.f_blocks) * Double(answer.f_frsize)
    }

    /// The paths whose disks are watched, as a setting. In a container `/` is on the disk of the
    /// container engine, which usually holds the volumes as well.
    public static let setting = Setting(
        "WHEREABOUTS_DISKS", .checked(form), .defaultsTo("/"),
        help: "paths whose disks are watched for free space, with commas")

    private static let form = Setting.TextForm("/PATH,...") { text in
        paths(text).allSatisfy { $0.hasPrefix("/") }
            ? nil : "must be paths that begin with /, with commas between them"
    }

    public static func paths(_ text: String) -> [String] {
        text.split(separator: ",").map { String($0).trimmingSpaces }
    }
}

/// The machine on which this process runs, alike for all its processes.
enum Machine {
    /// Its name. Containers have names of their own, so there it is a part of the kernel's boot id,
    /// which all containers of a machine share.
    static let name: String = {
        let marks: [String] = ["/.dockerenv", "/run/.containerenv"]
        let isContainer = marks.contains { mark in access(mark, F_OK) == 0 }
        if isContainer, let boot = MachineBoot.current() { return String(boot.id.prefix(8)) }
        var text = [CChar](repeating: 0, count: 256)
        guard gethostname(&text, text.count - 1) == 0 else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }()
}

extension Host {
    private static let diskInterval = Duration.seconds(60)

    /// Measures the free space of the disks that the settings name.
    func diskWatch() -> any Component {
        let paths = DiskSpace.paths(configuration.text(DiskSpace.setting.name))
        return Loop("disks") { [self] in
            let start = ContinuousClock.now
            var forecasts: [String: DiskForecast] = [:]
            while !Task.isCancelled {
                for path in paths {
                    guard let space = DiskSpace(path: path) else { continue }
                    show(space, of: path, &forecasts[path, default: DiskForecast()], since: start)
                }
                try? await Task.sleep(for: Self.diskInterval)
            }
        }
    }

    private func show(
        _ space: DiskSpace, of path: String, _ forecast: inout DiskForecast,
        since start: ContinuousClock.Instant
    ) {
        func gauge(_ name: String, _ help: String) -> Gauge {
            context.metrics.gauge(
                name, help: help, labels: ["machine": Machine.name, "path": path])
        }
        gauge("whereabouts_disk_free_bytes", "Free bytes of the disk that holds the path.")
            .set(space.freeBytes)
        gauge("whereabouts_disk_free_ratio", "The free part of the disk, from 0 to 1.")
            .set(space.freeRatio)
        forecast.note(freeBytes: space.freeBytes, at: .now - start)
        gauge(
            "whereabouts_disk_full_in_seconds",
            "Seconds until the disk is full, if it goes on as in the last six hours."
        ).set(forecast.secondsUntilFull ?? .infinity)
    }
}
