import Events
import Glibc
import Positioning

/// Finds nodes that hear far less than their neighbours' transmissions should give.
///
/// The last hours are compared with the history of each node. Where a node has none, they are
/// compared with sources so near that any node hears them. A source that nobody hears says nothing.
///
/// A node may hear what nobody else could, and then the others would seem deaf. So windows in which
/// one alone heard a source count only if there is nothing else to judge by. They also count only
/// for nodes that used to hear the source.
///
/// A new node makes windows of several out of those in which one alone heard a source. Where one
/// has come, the history is the share of all windows, so that weak nodes don't seem deaf for it.
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
    /// No source farther away than this is that strong.
    private static let certainMetres = pow(
        10,
        (NodeHearingModel.usualLevel - certainLevel) / (10 * NodeHearingModel.usualExponent))

    /// The deaf nodes, and when each was first found so.
    let since: [ScannerID: Timestamp]
    /// Nodes that would be newly deaf, but are more than half of the site's. Then the cause is
    /// rather one for all, such as a server or a channel.
    let doubted: [ScannerID]

    init(
        _ hearings: [NodeHearing], _ links: NodeLinks, before: NodesCalibrated?,
        at now: Timestamp
    ) {
        let first = Self.hour(now) - Self.recentHours + 1
        let placed = Set(links.scanners)
        let known = Self.known(before, placed, links.stays, at: now)
        var comparisons: [ScannerID: Comparison] = [:]
        let pairs = NodePairs(Self.complete(hearings, links)).all
        let joined = Self.joined(pairs, recentFrom: first)
        for pair in pairs where placed.contains(pair.node) {
            let end = known[pair.node].map { min(first, Self.hour($0)) } ?? first
            comparisons[pair.node, default: Comparison()].add(
                history: pair.hours.filter { $0.hour < end },
                recent: pair.hours.filter { $0.hour >= first },
                isCertain: Self.isCertain(pair.source, pair.node, links),
                isJoined: joined.contains(pair.source))
        }
        var since: [ScannerID: Timestamp] = [:]
        for (node, comparison) in comparisons where known[node] == nil && comparison.isDeaf {
            since[node] = now
        }
        let sources = Set(hearings.map(\.source))
        for (node, time) in known {
            let offered = Self.offered(sources, to: node, links)
            // Where all sources are silent nothing can be said, so that a deaf node stays deaf. But
            // without any source to hear in all hours it would be so for ever.
            if comparisons[node]?.staysDeaf(offered: offered) ?? (offered > 0) {
                since[node] = time
            }
        }
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

    /// The nodes that were deaf, but for those that hang elsewhere now.
    private static func known(
        _ before: NodesCalibrated?, _ placed: Set<ScannerID>, _ stays: NodePlaces,
        at now: Timestamp
    ) -> [ScannerID: Timestamp] {
        var known: [ScannerID: Timestamp] = [:]
        for node in before?.nodes ?? []
        where node.state == .deaf && placed.contains(node.scanner) {
            let time = node.deafSince ?? now
            if hour(time) > stays.since(.node(node.scanner)) { known[node.scanner] = time }
        }
        return known
    }

    /// The number of other nodes around it that anybody heard.
    private static func offered(
        _ sources: Set<NodeSource>, to node: ScannerID, _ links: NodeLinks
    ) -> Int {
        sources.count(where: {
            $0.isNode && $0 != .node(node) && links.isNear($0, node) && links.path($0, node) != nil
        })
    }

    /// The hearings with those of nodes that never heard a source which any node there would hear.
    private static func complete(_ hearings: [NodeHearing], _ links: NodeLinks) -> [NodeHearing] {
        var heard: [NodeSource: Set<ScannerID>] = [:]
        for hearing in hearings { heard[hearing.source, default: []].insert(hearing.node) }
        var complete = hearings
        let scanners = links.scanners
        // Nodes may hear beacons in scans of their own alone; others then never had the chance.
        for (source, hours) in hearings.windows where source.isNode {
            for node in scanners
            where source != .node(node) && isCertain(source, node, links)
                && heard[source]?.contains(node) == false
            {
                complete += hours.map {
                    NodeHearing(
                        source: source, node: node, hour: $0.key, windows: $0.value, readings: 0,
                        mean: 0)
                }.filter(links.stays.cover)
            }
        }
        return complete
    }

    /// The sources that some node hears now, and did not at the beginning of the history.
    private static func joined(
        _ pairs: [NodePairs.Pair], recentFrom first: Int
    ) -> Set<NodeSource> {
        var beginnings: [NodeSource: Int] = [:]
        for pair in pairs {
            guard let hour = pair.hours.first?.hour else { continue }
            beginnings[pair.source] = min(beginnings[pair.source] ?? hour, hour)
        }
        let joining = pairs.filter { pair in
            let now = Sum(pair.hours.filter { $0.hour >= first })
            let began = pair.hours.first { $0.readings + $0.loneReadings > 0 }?.hour
            guard let began, now.readings > 0,
                Double(now.readings) >= NodeLinks.leastShare * Double(now.windows)
            else { return false }
            return began > beginnings[pair.source] ?? began
        }
        return Set(joining.map(\.source))
    }

    /// Whether any node at this place hears the source.
    private static func isCertain(
        _ source: NodeSource, _ node: ScannerID, _ links: NodeLinks
    ) -> Bool {
        // A path takes long, and most nodes are too far away.
        guard links.isNear(source, node, within: certainMetres),
            let path = links.path(source, node)
        else { return false }
        return NodeHearingModel(nil).usualRSSI(path) >= certainLevel
    }

    /// The readings that a node should have had lately, and those that it had.
    private struct Evidence {
        var expected = 0.0
        var found = 0.0
        var sources = 0

        /// - Parameter share: the expected share of the windows. A small one is left out.
        mutating func add(share: Double, of windows: Int, _ readings: Int) {
            guard windows > 0, share >= NodeDeafness.neighbourShare else { return }
            expected += share * Double(windows)
            found += Double(readings)
            sources += 1
        }

        func suffices(_ fewestSources: Int) -> Bool {
            expected >= NodeDeafness.fewestExpected && sources >= fewestSources
        }
    }

    /// The last hours of a node beside its history.
    private struct Comparison {
        /// By the windows in which several nodes heard a source.
        private var ofSeveral = Evidence()
        /// With those in which one alone did.
        private var ofAll = Evidence()
        /// Whether it ever heard a source well enough to compare.
        private var hasHistory = false
        /// The sources that it hears now, and those that any node hears of which it ever heard.
        private var heard = 0
        private var present = 0
        private var drops: [Double] = []

        /// - Parameter isJoined: whether a node hears the source that did not all the time.
        mutating func add(
            history: [NodeHearing], recent: [NodeHearing], isCertain: Bool, isJoined: Bool
        ) {
            let before = Sum(history)
            let now = Sum(recent)
            guard now.allWindows > 0 else { return }
            present += 1
            if now.allReadings > 0,
                Double(now.allReadings) >= NodeLinks.leastShare * Double(now.allWindows)
            {
                heard += 1
            }
            if before.windows >= NodeDeafness.fewestWindows, before.readings > 0, now.readings > 0 {
                drops.append(before.mean - now.mean)
            }
            let shareOfAll = Self.share(before.allReadings, of: before.allWindows)
            var share = Self.share(before.readings, of: before.windows)
            if isJoined, let known = share { share = min(known, shareOfAll ?? known) }
            ofSeveral.add(share: share ?? (isCertain ? 1 : 0), of: now.windows, now.readings)
            ofAll.add(share: shareOfAll ?? 0, of: now.allWindows, now.allReadings)
            if max(share ?? 0, shareOfAll ?? 0) >= NodeDeafness.neighbourShare { hasHistory = true }
        }

        /// Nil for too few windows to be a history.
        private static func share(_ readings: Int, of windows: Int) -> Double? {
            windows < NodeDeafness.fewestWindows ? nil : Double(readings) / Double(windows)
        }

        /// Whether a node that worked has become deaf.
        var isDeaf: Bool {
            judged(NodeDeafness.deafShare, fewestSources: NodeDeafness.fewestSources) ?? false
        }

        /// Whether a node that was deaf still is.
        ///
        /// - Parameter offered: the number of nodes that it could hear. If that is one, one does.
        func staysDeaf(offered: Int) -> Bool {
            let fewest = max(1, min(NodeDeafness.fewestSources, max(offered, present)))
            // Without a history to return to, it is back once it hears anything.
            let isSilent = hasHistory || heard < fewest
            let limit = isSilent ? NodeDeafness.backShare : NodeDeafness.deafShare
            return judged(limit, fewestSources: fewest) ?? isSilent
        }

        /// Whether it hears less than this share; nil if there is too little to judge by.
        private func judged(_ limit: Double, fewestSources: Int) -> Bool? {
            let evidence = ofSeveral.suffices(fewestSources) ? ofSeveral : ofAll
            guard evidence.suffices(fewestSources) else { return nil }
            if evidence.found < limit * evidence.expected { return true }
            let sorted = drops.sorted()
            return sorted.count >= NodeDeafness.fewestSources
                && sorted[sorted.count / 2] >= NodeDeafness.deafDrop
        }
    }

    private struct Sum {
        var windows = 0
        var readings = 0
        /// With those in which one node alone heard the source.
        var allWindows = 0
        var allReadings = 0
        private var total = 0.0

        var mean: Double { total / Double(max(1, readings)) }

        init(_ hearings: [NodeHearing]) {
            for hearing in hearings {
                windows += hearing.windows
                readings += hearing.readings
                allWindows += hearing.windows + hearing.loneWindows
                allReadings += hearing.readings + hearing.loneReadings
                total += hearing.mean * Double(hearing.readings)
            }
        }
    }
}
