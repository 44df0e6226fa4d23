import Foundation
import JSON

/// The figures of this project and of a peer, measured alternately.
struct Comparison {
    let benchmark: String
    let unit: String
    let peerName: String
    private var pairs: [(ours: Double, peer: Double)] = []

    init(_ benchmark: String, unit: String, peerName: String) {
        self.benchmark = benchmark
        self.unit = unit
        self.peerName = peerName
    }

    mutating func add(ours: Double, peer: Double) {
        pairs.append((ours, peer))
        note(
            String(
                format: "%2d  ours %.6g, %@ %.6g %@, ratio %.3f", pairs.count, ours, peerName, peer,
                unit, ours / peer))
    }

    /// Whether exactly one pair has been measured.
    var isFirst: Bool { pairs.count == 1 }

    /// The median over the pairs of ours / peer.
    var ratio: Double { median(pairs.map { $0.ours / $0.peer }) }

    /// One line of JSON on stdout, and the machine on stderr.
    func report() {
        note(MachineInformation.description)
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("benchmark", benchmark)
        writer.field("unit", unit)
        writer.field("ours", median(pairs.map(\.ours)), decimals: 3)
        writer.field("peer", median(pairs.map(\.peer)), decimals: 3)
        writer.field("peerName", peerName)
        writer.field("ratio", ratio, decimals: 3)
        writer.field("pairs", pairs.count)
        writer.endObject()
        print(writer.finishText())
        // Another program may read this through a pipe; without flushing it would wait.
        fflush(nil)
    }
}

/// The middle value, or the mean of the two middle ones.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
        ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}
