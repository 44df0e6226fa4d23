import Events
import Geometry
import Positioning
import Site

/// A node's readings of one source, with the way between them.
struct NodeLink {
    let source: NodeSource
    let node: ScannerID
    let path: RadioPath
    /// The strength in dBm, also of the signals that were too weak to be heard.
    let rssi: Double
    /// The median of the hours' means, in dBm.
    let mean: Double
    /// The variance of that by what was missed, in squared dB.
    let variance: Double
    let readings: Int
    /// Whether the strength is at most this: the node never heard the source.
    var isBound = false
}

/// The links of a site that are good enough to fit.
struct NodeLinks {
    /// Fewer readings show little.
    static let fewestReadings = 20
    /// An hour with fewer readings is left out, where others have more.
    static let fewestOfHour = 5
    /// A source that is heard less often than this is heard by chance.
    static let leastShare = 0.05
    /// Nodes this far apart may miss each other for any reason.
    static let farthestMetres = 25.0
    /// A source that nobody heard this often may have been silent.
    static let fewestWindows = 100

    private let site: SiteIndex
    private let paths: RadioPaths
    private let places: [NodeSource: RadioPlace]
    /// Since when each is where it is.
    let stays: NodePlaces

    init(_ site: SiteIndex, _ stays: NodePlaces = NodePlaces()) {
        self.site = site
        self.stays = stays
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

    /// The links between nodes that hear each other, and between near ones that do not. Without
    /// the latter, only the lucky ones among the weak links would count.
    func links(_ hearings: [NodeHearing], but left: Set<ScannerID> = []) -> [NodeLink] {
        let pairs = NodePairs(hearings).all
        let heard = heardLinks(pairs)
        return heard + silentLinks(pairs, heard, hearings.windows, but: left)
    }

    private func silentLinks(
        _ pairs: [NodePairs.Pair], _ heard: [NodeLink], _ windows: [NodeSource: [Int: Int]],
        but left: Set<ScannerID>
    ) -> [NodeLink] {
        let weakest = heard.map(\.mean).sorted()
        guard let threshold = weakest.dropFirst(weakest.count / 20).first else { return [] }
        // A signal that is heard less often than the least share is weaker by this.
        let bound = threshold - NodeHearingModel.excess(share: Self.leastShare)
        struct Pair: Hashable {
            var source: NodeSource
            var node: ScannerID
        }
        var known: Set<Pair> = []
        for pair in pairs {
            let sum = pair.hours.reduce(0) { $0 + $1.windows }
            let readings = pair.hours.reduce(0) { $0 + $1.readings }
            if Double(readings) >= Self.leastShare * Double(sum) {
                known.insert(Pair(source: pair.source, node: pair.node))
            }
        }
        let nodes = Set(heard.map(\.node)).subtracting(left).sorted()
        var links: [NodeLink] = []
        // Nodes may hear beacons in scans of their own alone; others then never had the chance.
        for source in windows.keys.sorted() where source.isNode {
            for node in nodes
            where source != .node(node) && !known.contains(Pair(source: source, node: node)) {
                guard isNear(source, node),
                    chances(windows[source] ?? [:], of: node) >= Self.fewestWindows,
                    let path = path(source, node), path.floors <= 1
                else { continue }
                links.append(
                    NodeLink(
                        source: source, node: node, path: path, rssi: bound, mean: bound,
                        variance: 4, readings: 0, isBound: true))
            }
        }
        return links
    }

    /// The windows of a source since the node came to its place. It could hear no earlier ones.
    private func chances(_ windows: [Int: Int], of node: ScannerID) -> Int {
        let since = stays.since(.node(node))
        return windows.reduce(0) { $0 + ($1.key > since ? $1.value : 0) }
    }

    /// Whether they are within this many metres in plan, in the same building or not.
    func isNear(
        _ source: NodeSource, _ node: ScannerID, within metres: Double = Self.farthestMetres
    ) -> Bool {
        guard let start = places[.node(node)], let end = places[source] else { return false }
        return start.point.distance(to: end.point) <= metres
    }

    private func heardLinks(_ pairs: [NodePairs.Pair]) -> [NodeLink] {
        pairs.compactMap { pair in
            let readings = pair.hours.reduce(0) { $0 + $1.readings }
            let windows = pair.hours.reduce(0) { $0 + $1.windows }
            guard readings >= Self.fewestReadings,
                Double(readings) >= Self.leastShare * Double(windows),
                let path = path(pair.source, pair.node)
            else { return nil }
            let full = pair.hours.filter { $0.readings >= Self.fewestOfHour }
            let total = pair.hours.reduce(0) { $0 + $1.mean * Double($1.readings) }
            let middle = Self.median(full) ?? total / Double(readings)
            let missed = NodeHearingModel.excess(share: Double(readings) / Double(windows))
            return NodeLink(
                source: pair.source, node: pair.node, path: path, rssi: middle - missed,
                mean: middle, variance: missed * missed / 4, readings: readings)
        }
    }

    /// The median of the hours' means. Each counts by its windows, since some are of whole days.
    private static func median(_ hours: [NodeHearing]) -> Double? {
        var rest = hours.reduce(0) { $0 + $1.windows } / 2
        return hours.sorted { $0.mean < $1.mean }.first {
            rest -= $0.windows
            return rest < 0
        }?.mean
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
