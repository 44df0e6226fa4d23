import Events
import Geometry
import Glibc
import Positioning
import Site

/// A node's readings of one source, with the way between them.
struct NodeLink {
    let source: NodeSource
    let node: ScannerID
    let path: RadioPath
    /// The strength in dBm, also of the signals that were too weak to be heard.
    let rssi: Double
    /// The variance of that by what was missed, in squared dB.
    let variance: Double
    let readings: Int
}

/// The links of a site that are good enough to fit.
struct NodeLinks {
    /// Fewer readings show little.
    static let fewestReadings = 20
    /// An hour with fewer readings is left out, where others have more.
    static let fewestOfHour = 5
    /// A source that is heard less often than this is heard by chance.
    static let leastShare = 0.05
    /// The deviation of a link's readings over time, in dB.
    static let noiseDeviation = 4.0

    private let site: SiteIndex
    private let paths: RadioPaths
    private let places: [NodeSource: RadioPlace]

    init(_ site: SiteIndex) {
        self.site = site
        paths = RadioPaths(site)
        var places: [NodeSource: RadioPlace] = [:]
        for scanner in site.document.scanners {
            guard let floor = site.floorIndex(scanner.floor) else { continue }
            places[.node(scanner.id)] = RadioPlace(
                floor: floor, point: scanner.point,
                height: scanner.heightMetres ?? RadioPaths.usualHeightMetres)
        }
        for beacon in site.document.beacons {
            guard let floor = site.floorIndex(beacon.floor) else { continue }
            places[.beacon(beacon.id)] = RadioPlace(
                floor: floor, point: beacon.point, height: RadioPaths.usualHeightMetres)
        }
        self.places = places
    }

    var scanners: [ScannerID] { site.document.scanners.map(\.id) }

    /// Nil where one has no place, or they are in different buildings.
    func path(_ source: NodeSource, _ node: ScannerID) -> RadioPath? {
        guard let start = places[.node(node)], let end = places[source] else { return nil }
        return paths.path(from: start, to: end)
    }

    func links(_ hearings: [NodeHearing]) -> [NodeLink] {
        NodePairs(hearings).all.compactMap { pair in
            let readings = pair.hours.reduce(0) { $0 + $1.readings }
            let windows = pair.hours.reduce(0) { $0 + $1.windows }
            guard readings >= Self.fewestReadings,
                Double(readings) >= Self.leastShare * Double(windows),
                let path = path(pair.source, pair.node)
            else { return nil }
            let full = pair.hours.filter { $0.readings >= Self.fewestOfHour }
            let total = pair.hours.reduce(0) { $0 + $1.mean * Double($1.readings) }
            let means = full.map(\.mean).sorted()
            let middle = means.isEmpty ? total / Double(readings) : means[means.count / 2]
            let missed = Self.excess(share: Double(readings) / Double(windows))
            return NodeLink(
                source: pair.source, node: pair.node, path: path, rssi: middle - missed,
                variance: missed * missed / 4, readings: readings)
        }
    }

    /// The dB by which the mean of the readings is too high, because only strong signals are heard:
    /// the mean of a normal distribution of which only this upper share is left (A. C. Cohen,
    /// "Truncated and censored samples", 1991).
    static func excess(share: Double) -> Double {
        guard share < 1 else { return 0 }
        // The quantile by halving; the error function has no inverse in the C library.
        var (low, high) = (-6.0, 6.0)
        while high - low > 1e-6 {
            let middle = (low + high) / 2
            if erfc(middle / 2.0.squareRoot()) / 2 > share { low = middle } else { high = middle }
        }
        let density = exp(-low * low / 2) / (2 * Double.pi).squareRoot()
        return noiseDeviation * density / share
    }
}

/// Hearings by source and node.
struct NodePairs {
    struct Pair {
        let source: NodeSource
        let node: ScannerID
        let hours: ArraySlice<NodeHearing>
    }

    /// Ordered by source, then by node.
    let all: [Pair]

    init(_ hearings: [NodeHearing]) {
        let sorted = hearings.sorted {
            ($0.source, $0.node, $0.hour) < ($1.source, $1.node, $1.hour)
        }
        var all: [Pair] = []
        var start = 0
        for end in 1...max(1, sorted.count) where !sorted.isEmpty {
            let first = sorted[start]
            if end < sorted.count, sorted[end].source == first.source,
                sorted[end].node == first.node
            {
                continue
            }
            all.append(Pair(source: first.source, node: first.node, hours: sorted[start..<end]))
            start = end
        }
        self.all = all
    }
}
