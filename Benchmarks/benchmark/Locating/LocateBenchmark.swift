import Datasets
import Foundation
import Positioning
import Site

/// Measures single queries on one core, one after the other, with the positioner that is chosen
/// for the radio map, or `--positioner`. Each query is answered without a state. The peers are
/// scikit-learn and numpy with the same fingerprints and queries.
///
/// Processor time is measured, so that other work on the machine changes the figures less.
struct LocateBenchmark {
    /// The queries of one measurement of scikit-learn: few, because it is slow.
    private static let scikitLearnQueries = 120
    /// One measurement of this project repeats all queries this often, because it is fast.
    private static let repetitions = 3

    let options: BenchmarkOptions

    func run() async throws {
        guard let set = try LocateSet(path: options.path) else { return }
        let processor = ProcessInfo.processInfo.processorCount - 1
        let directory = try LocateSet.temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        try PinnedProgram.stay(on: processor, in: directory)
        try set.write(to: directory)

        let start = ContinuousClock.now
        let name = options.positioner ?? ChosenPositioner().name
        guard let positioner = PositionerRegistry.standard[name] else {
            throw BenchmarkFault("there is no positioner \(name)")
        }
        let prepared = positioner.prepare(set.map, site: set.site)
        let preparing = (ContinuousClock.now - start) / .seconds(1)
        let warm = LocateRun(prepared, set.scans)
        let judged = set.judge(warm.estimates)
        note("\(set.map.fingerprints.count) fingerprints, \(set.scans.count) queries")
        note(
            String(
                format: "\(name): mean %.2f m, floor %.4f; chosen and prepared in %.1f s",
                judged.meanMetres, judged.floorHit ?? .nan, preparing))

        var numpy = comparison(with: "numpy, k=9 Sorensen over received access points")
        var scikitLearn = comparison(with: "scikit-learn KNeighborsRegressor, brute force")
        for _ in 0..<options.pairs {
            let first = LocateRun(prepared, set.scans, repetitions: Self.repetitions)
            let vectors = try LocatePeer.answer(
                "numpy", queries: set.scans.count, processor: processor, in: directory)
            numpy.add(ours: first.queriesPerSecond, peer: vectors.queriesPerSecond)
            let second = LocateRun(prepared, set.scans, repetitions: Self.repetitions)
            let brute = try LocatePeer.answer(
                "sklearn", queries: Self.scikitLearnQueries, processor: processor, in: directory)
            scikitLearn.add(ours: second.queriesPerSecond, peer: brute.queriesPerSecond)
            if numpy.isFirst {
                note("numpy: \(vectors.text(set)); scikit-learn: \(brute.text(set))")
            }
        }
        LocateSizes(set).printTables()
        note("ratio: how many queries we answer while the peer answers one")
        scikitLearn.report()
        numpy.report()
    }

    private func comparison(with peer: String) -> Comparison {
        Comparison("locate", unit: "queries per second of processor time", peerName: peer)
    }
}

/// One measurement: all queries, answered one after the other.
struct LocateRun {
    /// The estimates of the first repetition.
    private(set) var estimates: [Estimate] = []
    /// Processor time of all repetitions.
    private(set) var seconds = 0.0
    let queriesPerSecond: Double

    init(_ prepared: any PreparedPositioner, _ scans: [RadioScan], repetitions: Int = 1) {
        var scratch = PositionerScratch()
        var estimates: [Estimate] = []
        estimates.reserveCapacity(scans.count)
        let start = processorSeconds()
        for repetition in 0..<repetitions {
            for scan in scans {
                let answer = prepared.locate(scan, state: .empty, seed: 1, scratch: &scratch)
                if repetition == 0 { estimates.append(answer.estimate) }
            }
        }
        seconds = processorSeconds() - start
        queriesPerSecond = Double(scans.count * repetitions) / seconds
        self.estimates = estimates
    }
}

/// The processor time that the calling thread has used.
func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
