import Foundation
import Wayfinding

/// The contraction hierarchy of a graph, and the times to build, customise and change it.
struct RoutePreparation {
    let metric: CustomisedMetric
    let buildSeconds: Double
    /// The median of several runs.
    let customiseMilliseconds: Double
    /// The times to close single arcs and to open them again; ascending.
    let changeMilliseconds: [Double]

    init(_ pedestrian: PedestrianGraph, changes: Int) throws {
        let start = processorSeconds()
        let hierarchy = try RouteHierarchy(pedestrian.graph)
        buildSeconds = processorSeconds() - start
        var metric = CustomisedMetric(hierarchy, pedestrian.metric)
        customiseMilliseconds = median(
            (0..<15).map { _ in
                let start = processorSeconds()
                metric = CustomisedMetric(hierarchy, pedestrian.metric)
                return (processorSeconds() - start) * 1e3
            })
        self.metric = metric
        var changed = metric
        var milliseconds: [Double] = []
        for number in 0..<changes {
            let arc = ArcIndex(number * pedestrian.graph.arcs.count / changes)
            for cost in [Cost.closed, pedestrian.metric[arc]] {
                let start = processorSeconds()
                changed.change([(arc, cost)])
                milliseconds.append((processorSeconds() - start) * 1e3)
            }
        }
        changeMilliseconds = milliseconds.sorted()
    }

    /// The size of the hierarchy and its memory, as text.
    var sizes: String {
        let arcs = Double(metric.hierarchy.graph.arcs.count)
        return String(
            format:
                "hierarchy: %d arcs, height %d; %.0f bytes an arc of the graph for the hierarchy "
                + "and %.0f for each metric",
            metric.hierarchy.arcCount, metric.hierarchy.height,
            Double(metric.hierarchy.byteCount) / arcs, Double(metric.byteCount) / arcs)
    }
}

/// One measurement: all queries, answered one after the other.
struct RouteRun {
    /// The time of each query, ascending.
    let microseconds: [Double]
    let queriesPerSecond: Double
    let costSum: UInt64
    let arcsPerRoute: Double

    init(_ metric: CustomisedMetric, _ queries: [(start: NodeIndex, end: NodeIndex)]) {
        var search = RouteSearch()
        var microseconds: [Double] = []
        microseconds.reserveCapacity(queries.count)
        var (sum, arcs) = (UInt64(0), 0)
        let start = processorSeconds()
        for query in queries {
            let began = ContinuousClock.now
            let cost = search.find(from: query.start, to: query.end, over: metric)
            microseconds.append((ContinuousClock.now - began) / .microseconds(1))
            sum += UInt64(cost?.value ?? 0)
            arcs += search.arcs.count
        }
        queriesPerSecond = Double(queries.count) / (processorSeconds() - start)
        self.microseconds = microseconds.sorted()
        costSum = sum
        arcsPerRoute = Double(arcs) / Double(queries.count)
    }
}

extension [Double] {
    /// The value that this share of the values does not exceed; NaN for no values. The values must
    /// ascend.
    func share(_ share: Double) -> Double {
        isEmpty ? .nan : self[Swift.min(count - 1, Int(Double(count) * share))]
    }
}
