import Accuracy
import Datasets
import Glibc
import Positioners
import Positioning

extension Command {
    /// Measures positioners on a data set.
    public static let accuracy = Command(
        name: "accuracy", summary: "measure positioners on a data set with true places",
        help: """
            whereabouts accuracy DATASET PATH [--positioner [OWN=]NAME|[OWN=]exec:COMMAND]...
                [--seed N] [--answer-seconds N] [--train-months 1 --test-months 2-12]
                [--hold-out KIND [--share SHARE]] [--map KIND] [--write FOLDER]
                [--tracks [--smoothed]] [--predictions FILE.csv] [--plot FILE.svg]
            whereabouts accuracy \(SimulatedDataset.name) [the same options]

              DATASET  \(alternatives(DatasetKind.allCases.map(\.rawValue), indent: 11))
              PATH     the data set as its publisher hands it out: a folder, a zip, a tar.gz, or a
                       folder of .csv or .csv.gz files;
                       \(SimulatedDataset.name) has no path: it makes a building of the seed

              --positioner     \(alternatives(PositionerRegistry.standard.names, indent: 19));
                               may be given several times
                               (default: \(PositionerRegistry.defaultName));
                               beacons:file=PATH uses the beacons that this document lists;
                               exec:COMMAND starts a program that follows
                               docs/positioner-protocol.md;
                               OWN= gives the positioner a name for the results
              --answer-seconds the most seconds that such a program may take for one scan
                               (default 5)
              --train-months   uji-library: one radio map of these months (default: one for each
                               month)
              --test-months    uji-library: the months to locate (default: all)
              --hold-out       \(alternatives(HeldOut.allCases.map(\.rawValue), indent: 19)):
                               use the training part alone. Some of its phones or places, or each
                               of its buildings or floors in turn, is located by the map of the
                               rest
              --share          the share of scans of the phones that are held out, to 1.5 times as
                               many (default 0.1), or of places (default 0.25)
              --map            \(alternatives(AccuracyRequest.maps, indent: 19)):
                               make a map of this kind of the training part, and locate scans
                               that it lacks; dense is for \(SimulatedDataset.name)
              --write          also write each part of the data set as a folder for jsonl, into a
                               new or empty folder
              --seed           the start of all random numbers: the paths that ms-indoor locates,
                               what is held out, derived maps, the simulator, random choices of
                               positioners, and the comparison's resampling
              --tracks         locate the scans of each path in their order, as those of one
                               device; for data sets with paths
              --smoothed       also smooth each position by those of the 15 seconds before and
                               after it, as the locator does for analysts
              --predictions    write each estimate beside the true place, in the columns below
              --plot           draw the errors, the calibration of the radii, and a map of each
                               floor

            Prints one JSON line for each positioner, and for each smoothed one. With several lines,
            a last one compares each with the first. Lengths are in metres as the data set reports
            them; hits, withins, located, locatedWrongly and honest are fractions; null stands for a
            figure that the data set does not allow. docs/accuracy.md defines them all.

            The columns of --predictions, after a line with their names:

              \(PredictionColumn.list(indent: 2))
            """,
        run: { invocation in
            try runAccuracy(
                arguments: invocation.arguments, output: invocation.output, note: invocation.note)
        })
}

/// Measures positioners on a data set; `Command.accuracy.help` describes the arguments.
///
/// - Parameters:
///   - output: receives the lines for programs.
///   - note: receives the lines for people.
///   - makeProgress: makes the progress display for this number of scans.
/// - Throws: `UsageFault`, `DatasetFault` or `ArchiveError`.
public func runAccuracy(
    arguments: [String], output: (String) -> Void, note: @escaping @Sendable (String) -> Void,
    makeProgress: (Int) -> ProgressReporter = {
        ProgressReporter("locating", unit: "scans", total: $0)
    }
) throws {
    let request = try AccuracyRequest(arguments, note: note)
    if let folder = request.writePath { try WrittenParts.makeEmptyFolder(folder) }
    let dataset = try request.dataset()
    if let folder = request.writePath { try WrittenParts.write(dataset, to: folder) }
    let run = try AccuracyRun(
        dataset, seed: request.seed, asTracks: request.isAsTracks)
    let predictions = try request.predictionsPath.map { path in
        let file = try WrittenFile(path)
        try file.put(PredictionColumn.header)
        return file
    }
    let picture = try request.plotPath.map { try WrittenFile($0) }
    let progress = makeProgress(dataset.tests.count * request.candidates.count)
    var results: [AccuracyRun.Result] = []
    for candidate in request.candidates {
        let result = try run.run(
            candidate.positioner, learnsConstant: !candidate.isProgram,
            preparing: { progress.hold("preparing \(candidate.positioner.name)") },
            located: { progress.advance() })
        for result in request.isSmoothed ? [result, run.smoothed(result)] : [result] {
            for prediction in result.predictions {
                try predictions?.put(PredictionColumn.line(of: prediction))
            }
            try predictions?.flush()
            results.append(result)
        }
    }
    progress.finish()
    if let picture {
        let plot = try AccuracyPlot(dataset, results, asTracks: request.isAsTracks)
        try picture.put(plot.svg())
        try picture.flush()
    }
    for positioner in request.candidates.map(\.positioner) {
        let unanswered = PositionerOption.unansweredScans(of: positioner)
        guard unanswered > 0 else { continue }
        note(
            "\(positioner.name) did not answer \(unanswered) of \(dataset.tests.count) scans; "
                + "they count as lost")
    }
    for result in results {
        output(AccuracyReport.line(dataset, result, heldOut: request.heldOut, map: request.map))
    }
    if results.count > 1 {
        output(AccuracyReport.comparison(dataset, results, seed: request.seed))
    }
}

/// A file that is replaced by the text put into it. Owns its stream, which `deinit` closes.
private final class WrittenFile {
    private let path: String
    private let stream: UnsafeMutablePointer<FILE>

    init(_ path: String) throws {
        guard let stream = fopen(path, "w") else {
            throw CommandFault("\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        self.path = path
        self.stream = stream
    }

    deinit { fclose(stream) }

    func put(_ text: String) throws {
        guard fputs(text, stream) >= 0 else { throw failure }
    }

    /// Writes all text that was put so far.
    func flush() throws {
        guard fflush(stream) == 0 else { throw failure }
    }

    private var failure: CommandFault {
        CommandFault("\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}
