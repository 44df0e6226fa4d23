import Events
import Positioning
import Simulation
import Site

@testable import RadioMapCare

/// Nodes of a simulated building, and what they hear of each other.
struct SimulatedHearing {
    static let start = Timestamp(milliseconds: 1_700_000_000_000)
    let nodes: SimulatedNodes
    let published: PublishedSite

    init(seed: UInt64) throws {
        nodes = SimulatedNodes(in: SimulatedBuilding.make(seed: seed), seed: seed)
        published = PublishedSite(version: 1, index: try SiteIndex(nodes.document))
    }

    static func time(_ hours: Double) -> Timestamp {
        start.advanced(byMicroseconds: Int64(hours * 3.6e9))
    }

    /// A time in which the nodes hear each other.
    struct Span {
        var from = 0.0
        var hours: Double
        var seed: UInt64
        /// Nodes that hear nothing.
        var muted: Set<ScannerID> = []
    }

    /// Counted together, as in the database: a node that heard a source once and no more has hours
    /// without readings.
    func hearings(_ spans: Span...) -> [NodeHearing] {
        let references = NodeTally.References(published.index.document)
        var tally = NodeTally()
        for span in spans {
            for node in 0..<nodes.count {
                let scans = SimulatedSightings(
                    ofNode: node, heardBy: nodes, seed: span.seed, start: Self.time(span.from),
                    durationSeconds: span.hours * 3_600, muted: span.muted)
                for scan in scans { tally.add(scan.scan, references) }
            }
        }
        return tally.hearings
    }

    func calibration(
        _ hearings: [NodeHearing], before: NodesCalibrated? = nil, hours: Double
    ) -> NodesCalibrated? {
        NodeCalibrator.calibration(
            hearings, of: nodes.building.site, published, before: before, at: Self.time(hours))
    }
}
