public import Events
import Positioning
public import Site

/// Calibrates the nodes of a site by what they hear of each other and of fixed beacons, and finds
/// those that have become deaf.
public enum NodeCalibrator {
    /// Hours of history that count.
    public static let historyHours = 7 * 24
    /// A node with fewer links keeps the usual figures.
    static let fewestLinks = 2
    /// More unknowns would take minutes; the nodes of larger sites are fitted floor by floor.
    static let mostNodesAtOnce = 400
    /// As many nodes again, and as many beacons.
    static let mostSourcesAtOnce = 800

    /// The result of a calibration.
    public struct Findings: Sendable {
        /// Nil where no node has enough links.
        public let calibration: NodesCalibrated?
        /// Nodes that seem deaf, and are too many at once to believe it.
        public let doubted: [ScannerID]
    }

    /// - Parameters:
    ///   - hearings: those of the last `historyHours`.
    ///   - places: those of the same site; empty if nothing ever moved.
    ///   - before: the calibration before; nil for none.
    public static func findings(
        _ hearings: [NodeHearing], of id: SiteID, _ published: PublishedSite,
        places: NodePlaces = NodePlaces(), before: NodesCalibrated?, at now: Timestamp
    ) -> Findings {
        let links = NodeLinks(published.index, places)
        let hour = Int(now.microseconds / 3_600_000_000)
        let recent = hearings.filter { $0.hour > hour - historyHours && places.cover($0) }
        let deaf = NodeDeafness(recent, links, before: before, at: now)
        // An hour in which one node alone heard the source says nothing about strengths.
        let usable = recent.filter { $0.windows > 0 && !deaf.outdates($0) }
        let fitted = links.links(usable, but: Set(deaf.since.keys))
        let nodes = nodes(fitted)
        var calibration = NodesCalibrated(
            site: id, siteVersion: published.version, calibratedAt: now,
            level: NodeHearingModel.usualLevel, wallLoss: NodeHearingModel.usualWallLoss,
            floorLoss: NodeHearingModel.usualFloorLoss,
            deviation: NodeHearingModel.usualDeviation, nodes: [])
        let ordered = ordered(nodes, published.index)
        for start in stride(from: 0, to: ordered.count, by: mostNodesAtOnce) {
            let part = Set(ordered[start..<min(start + mostNodesAtOnce, ordered.count)])
            let own = fitted.filter { part.contains($0.node) }
            fit(strongest(own), isFirst: start == 0, &calibration)
        }
        calibration.add(deaf)
        return Findings(
            calibration: calibration.nodes.isEmpty ? nil : calibration, doubted: deaf.doubted)
    }

    /// - Returns: nil where no node has enough links.
    public static func calibration(
        _ hearings: [NodeHearing], of id: SiteID, _ published: PublishedSite,
        before: NodesCalibrated?, at now: Timestamp
    ) -> NodesCalibrated? {
        findings(hearings, of: id, published, before: before, at: now).calibration
    }

    /// The nodes with enough links.
    private static func nodes(_ links: [NodeLink]) -> Set<ScannerID> {
        var counts: [ScannerID: Int] = [:]
        for link in links where !link.isBound { counts[link.node, default: 0] += 1 }
        return Set(counts.filter { $0.value >= fewestLinks }.keys)
    }

    /// The nodes by building and floor.
    private static func ordered(_ nodes: Set<ScannerID>, _ site: SiteIndex) -> [ScannerID] {
        site.document.scanners.filter { nodes.contains($0.id) }.map { scanner in
            let floor = site.floor(scanner.floor)
            return (floor?.building.text ?? "", floor?.ordinal ?? 0, scanner.id)
        }.sorted { $0 < $1 }.map(\.2)
    }

    /// The links of as many sources as can be fitted at once: nodes first, then beacons, and those
    /// with the most readings of each.
    static func strongest(_ links: [NodeLink]) -> [NodeLink] {
        var readings: [NodeSource: Int] = [:]
        for link in links { readings[link.source, default: 0] += link.readings }
        guard readings.count > mostSourcesAtOnce else { return links }
        // Sources that no node hears come last: without the others there would be nothing to fit.
        func rank(_ source: NodeSource, _ count: Int) -> (Int, Int, NodeSource) {
            (count == 0 ? 2 : source.isNode ? 0 : 1, -count, source)
        }
        let kept = Set(
            readings.sorted { rank($0.key, $0.value) < rank($1.key, $1.value) }
                .prefix(mostSourcesAtOnce).map(\.key))
        return links.filter { kept.contains($0.source) }
    }

    /// Fits these links. The first nodes give the site's figures; the level of others goes into
    /// their offsets.
    private static func fit(
        _ links: [NodeLink], isFirst: Bool, _ calibration: inout NodesCalibrated
    ) {
        let fit = NodeFit(links)
        if isFirst {
            calibration.level = fit.level
            calibration.wallLoss = fit.wallLoss
            calibration.floorLoss = fit.floorLoss
            calibration.deviation = fit.deviation
        }
        let beyond = fit.level - calibration.level
        calibration.nodes += fit.nodes.enumerated().map { number, node in
            let own = links.filter { $0.node == node && !$0.isBound }
            return NodesCalibrated.Node(
                scanner: node, offset: fit.offsets[number] + beyond,
                offsetError: fit.offsetErrors[number],
                exponent: fit.exponent + fit.ownExponents[number],
                exponentError: fit.exponentErrors[number], links: own.count,
                readings: own.reduce(0) { $0 + $1.readings })
        }
    }
}

extension NodesCalibrated {
    /// dB and exponents; smaller changes are within the errors of the fit, and not worth an event.
    private static let leastOffsetChange = 2.0
    private static let leastExponentChange = 0.2

    /// Notes the deaf nodes; one that could not be fitted gets the usual figures.
    fileprivate mutating func add(_ deaf: NodeDeafness) {
        for (scanner, since) in deaf.since {
            let index = nodes.firstIndex { $0.scanner == scanner }
            if index == nil {
                nodes.append(
                    Node(
                        scanner: scanner, offset: 0, offsetError: NodeHearingModel.offsetDeviation,
                        exponent: NodeHearingModel.usualExponent, exponentError: 0, links: 0,
                        readings: 0))
            }
            let number = index ?? nodes.count - 1
            nodes[number].state = .deaf
            nodes[number].deafSince = since
        }
        nodes.sort { $0.scanner < $1.scanner }
    }

    /// Whether it says something new: a node more or less, a node that became deaf or is back, or
    /// another figure.
    public func isNews(after other: NodesCalibrated?) -> Bool {
        guard let other, siteVersion == other.siteVersion, nodes.count == other.nodes.count else {
            return true
        }
        return abs(level - other.level) >= Self.leastOffsetChange
            || zip(nodes, other.nodes).contains { node, before in
                node.scanner != before.scanner || node.state != before.state
                    || abs(node.offset - before.offset) >= Self.leastOffsetChange
                    || abs(node.exponent - before.exponent) >= Self.leastExponentChange
            }
    }

    /// The nodes that became deaf since the calibration before.
    public func newlyDeaf(after other: NodesCalibrated?) -> [ScannerID] {
        let known = Set((other?.nodes ?? []).filter { $0.state == .deaf }.map(\.scanner))
        return nodes.filter { $0.state == .deaf && !known.contains($0.scanner) }.map(\.scanner)
    }
}
