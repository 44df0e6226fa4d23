import Foundation
import Positioning

/// Measures the time of a query and the memory of a fingerprint in radio maps of several sizes.
struct LocateSizes {
    private static let sizes = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
    private static let queries = 300

    private let set: LocateSet
    /// The positioner that is chosen for UJIIndoorLoc, for maps of all sizes: choosing one for each
    /// map would take too long.
    private let positioner: any Positioner

    init(_ set: LocateSet) {
        self.set = set
        positioner = ChosenPositioner.following(PositionerChoice(for: set.map).positioner)
    }

    /// Prints a table to stderr for each way in which a map grows.
    func printTables() {
        for growth in RepeatedMap.Growth.allCases {
            note("\(growth.rawValue):")
            note(
                "fingerprints  access points  microseconds a query  bytes a fingerprint  ready in s"
            )
            for size in Self.sizes { printLine(size, growth) }
        }
    }

    private func printLine(_ size: Int, _ growth: RepeatedMap.Growth) {
        let before = residentBytes()
        let start = ContinuousClock.now
        let map = RepeatedMap(set.map, fingerprints: size, growth: growth, seed: 1).map
        let prepared = positioner.prepare(map, site: set.site)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let bytes = Double(residentBytes() - before) / Double(size)
        let step = max(1, set.scans.count / Self.queries)
        let scans = stride(from: 0, to: set.scans.count, by: step).map { set.scans[$0] }
        _ = LocateRun(prepared, scans)
        let run = LocateRun(prepared, scans)
        note(
            String(
                format: "%12d  %13d  %20.1f  %19.0f  %10.1f", size, map.transmitters.count,
                1e6 / run.queriesPerSecond, bytes, seconds))
    }

    /// The resident memory of this process.
    private func residentBytes() -> Int {
        giveBackFreeMemory()
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Returns free memory to the kernel, so that temporary memory does not count. Swift does not
    /// import malloc_trim, so it is looked up by its name.
    private func giveBackFreeMemory() {
        guard let function = dlsym(dlopen(nil, RTLD_NOW), "malloc_trim") else { return }
        _ = unsafeBitCast(function, to: (@convention(c) (Int) -> Int32).self)(0)
    }
}
