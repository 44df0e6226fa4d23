import Events
import Positioning

/// Finds nodes that hear far less than their neighbours' transmissions should give.
///
/// The last hours are compared with the history of each node. Where a node has none, they are
/// compared with sources so near that any node hears them. A source that nobody hears says nothing.
struct NodeDeafness {
    /// The last hours, the present one included.
    static let recentHours = 2
    /// The smallest number of readings to expect, and of sources to expect them from.
    static let fewestExpected = 30.0
    static let fewestSources = 2
    /// The shares of the expected readings at which a node becomes deaf, and is back.
    static let deafShare = 0.3
    static let backShare = 0.7
    /// dB; a node that hears all its sources weaker by this is deaf, too.
    static let deafDrop = 15.0
    /// The number of windows that make a history.
    static let fewestWindows = 20
    /// A source that was heard less often is no neighbour.
    static let neighbourShare = 0.5
    /// dBm; a source this strong is heard by any node that works.
    static let certainLevel = -75.0

    /// The deaf nodes, and when each was first found so.
    let since: [ScannerID: Timestamp]
    /// Nodes that would be newly deaf, but are more than half of the site's. Then the cause is
    /// rather one for all, such as a server or a channel.
    let doubted: [ScannerID]

    init(
        _ hearings: [NodeHearing], _ links: NodeLinks, before: NodesCalibrated?,
        at now: Timestamp
    ) {
        let first = Int(now.microseconds / 3_600_000_000) - Self.recentHours + 1
        var known: [ScannerID: Timestamp] = [:]
        let placed = Set(links.scanners)
        for node in before?.nodes ?? []
        where node.state == .deaf && placed.contains(node.scanner) {
            known[node.scanner] = node.deafSince ?? now
        }
        var comparisons: [ScannerID: Comparison] = [:]
        for pair in NodePairs(Self.complete(hearings, links)).all where placed.contains(pair.node) {
            let end = known[pair.node].map { min(first, Self.hour($0)) } ?? first
            comparisons[pair.node, default: Comparison()].add(
                history: pair.hours.filter { $0.hour < end },
                recent: pair.hours.filter { $0.hour >= first },
                isCertain: Self.isCertain(pair, links))
        }
        var since: [ScannerID: Timestamp] = [:]
        for (node, comparison) in comparisons {
            if comparison.isDeaf(wasDeaf: known[node] != nil) { since[node] = known[node] ?? now }
        }
        // Where all sources are silent nothing can be said, so that deaf nodes stay deaf.
        for (node, time) in known where comparisons[node] == nil { since[node] = time }
        let new = since.keys.filter { known[$0] == nil }.sorted()
        doubted = 2 * new.count > placed.count ? new : []
        for node in doubted { since[node] = nil }
        self.since = since
    }

    /// Whether a reading may come from the time in which its node was deaf.
    func outdates(_ hearing: NodeHearing) -> Bool {
        since[hearing.node].map { hearing.hour >= Self.hour($0) - Self.recentHours } ?? false
    }

    private static func hour(_ time: Timestamp) -> Int {
        Int(time.microseconds / 3_600_000_000)
    }

    /// The hearings with those of nodes that never heard a source which any node there would hear.
    private static func complete(_ hearings: [NodeHearing], _ links: NodeLinks) -> [NodeHearing] {
        var heard: [NodeSource: Set<ScannerID>] = [:]
        var windows: [NodeSource: [Int: Int]] = [:]
        for hearing in hearings {
            heard[hearing.source, default: []].insert(hearing.node)
            windows[hearing.source, default: [:]][hearing.hour] = max(
                hearing.windows, windows[hearing.source]?[hearing.hour] ?? 0)
        }
        var complete = hearings
        // Nodes may hear beacons in scans of their own alone; others then never had the chance.
        for (source, hours) in windows where source.isNode {
            for node in links.scanners where heard[source]?.contains(node) == false {
                guard source != .node(node), isCertain(links.path(source, node)) else { continue }
                complete += hours.map {
                    NodeHearing(
                        source: source, node: node, hour: $0.key, windows: $0.value, readings: 0,
                        mean: 0)
                }
            }
        }
        return complete
    }

    private static func isCertain(_ pair: NodePairs.Pair, _ links: NodeLinks) -> Bool {
        isCertain(links.path(pair.source, pair.node))
    }

    private static func isCertain(_ path: RadioPath?) -> Bool {
        guard let path else { return false }
        let model = NodeHearingModel(nil)
        return model.usualRSSI(path) >= certainLevel
    }

    /// The readings that a node should have had lately, and those that it had.
    private struct Comparison {
        private var expected = 0.0
        private var found = 0.0
        private var sources = 0
        /// Whether it ever heard a source well enough to compare.
        private var hasHistory = false
        /// The number of sources that it hears now.
        private var heard = 0
        private var drops: [Double] = []

        mutating func add(
            history: [NodeHearing], recent: [NodeHearing], isCertain: Bool
        ) {
            let before = Sum(history)
            let now = Sum(recent)
            guard now.windows > 0 else { return }
            if now.readings > 0,
                Double(now.readings) >= NodeLinks.leastShare * Double(now.windows)
            {
                heard += 1
            }
            var share = isCertain ? 1.0 : 0
            if before.windows >= NodeDeafness.fewestWindows {
                share = Double(before.readings) / Double(before.windows)
                if share >= NodeDeafness.neighbourShare { hasHistory = true }
                if before.readings > 0, now.readings > 0 { drops.append(before.mean - now.mean) }
            }
            guard share >= NodeDeafness.neighbourShare else { return }
            expected += share * Double(now.windows)
            found += Double(now.readings)
            sources += 1
        }

        func isDeaf(wasDeaf before: Bool) -> Bool {
            // Without a history to return to, it is back once it hears anything.
            let wasDeaf = before && (hasHistory || heard < NodeDeafness.fewestSources)
            guard expected >= NodeDeafness.fewestExpected, sources >= NodeDeafness.fewestSources
            else { return wasDeaf }
            let share = found / expected
            if share < (wasDeaf ? NodeDeafness.backShare : NodeDeafness.deafShare) { return true }
            let sorted = drops.sorted()
            return sorted.count >= NodeDeafness.fewestSources
                && sorted[sorted.count / 2] >= NodeDeafness.deafDrop
        }
    }

    private struct Sum {
        var windows = 0
        var readings = 0
        private var total = 0.0

        var mean: Double { total / Double(max(1, readings)) }

        init(_ hearings: [NodeHearing]) {
            for hearing in hearings {
                windows += hearing.windows
                readings += hearing.readings
                total += hearing.mean * Double(hearing.readings)
            }
        }
    }
}
