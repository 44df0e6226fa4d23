import Accuracy
import Archive
import Datasets
import Glibc
import Positioners
import Positioning
import ServiceHost
import ServiceRuntime

extension Command {
    /// Measures positioners on a data set.
    public static let accuracy = Command(
        name: "accuracy", summary: "measure positioners on a data set with true places",
        help: """
            whereabouts accuracy DATASET PATH [--positioner [OWN=]NAME|[OWN=]exec:COMMAND]...
                [--seed N] [--answer-seconds N] [--train-months 1 --test-months 2-12]
                [--tracks [--smoothed]] [--predictions FILE.csv] [--plot FILE.svg]

              DATASET  \(alternatives(DatasetKind.allCases.map(\.rawValue), indent: 11))
              PATH     the data set as its publisher hands it out: a folder, a zip, a tar.gz, or a
                       folder of .csv or .csv.gz files

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
              --seed           the start of all random numbers: the paths that ms-indoor locates,
                               random choices of positioners, and the comparison's resampling
              --tracks         locate the scans of each path in their order, as those of one
                               device; for data sets with paths
              --smoothed       also smooth each position by those of the 15 seconds before and
                               after it, as the locator does for analysts
              --predictions    write each estimate beside the true place
              --plot           draw the errors, the calibration of the radii, and a map of each
                               floor

            Prints one JSON line for each positioner, and for each smoothed one. With several lines,
            a last one compares each with the first. Lengths are in metres as the data set reports
            them; hits and withins are fractions; null stands for a figure that the data set does
            not allow.
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
    let archive = ArchiveReader(path: request.path)
    let dataset = try request.kind.read(archive, options: request.options)
    let run = try AccuracyRun(
        dataset, seed: request.options.seed, asTracks: request.isAsTracks)
    let predictions = try request.predictionsPath.map { path in
        let file = try WrittenFile(path)
        try file.put(AccuracyReport.predictionHeader)
        return file
    }
    let picture = try request.plotPath.map { try WrittenFile($0) }
    let progress = makeProgress(dataset.tests.count * request.positioners.count)
    var results: [AccuracyRun.Result] = []
    for positioner in request.positioners {
        let result = try run.run(positioner) { progress.advance() }
        for result in request.isSmoothed ? [result, run.smoothed(result)] : [result] {
            for prediction in result.predictions {
                try predictions?.put(AccuracyReport.prediction(prediction))
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
    for positioner in request.positioners {
        let unanswered = PositionerOption.unansweredScans(of: positioner)
        guard unanswered > 0 else { continue }
        note(
            "\(positioner.name) did not answer \(unanswered) of \(dataset.tests.count) scans; "
                + "they count as lost")
    }
    for result in results { output(AccuracyReport.line(dataset: dataset.name, result)) }
    if results.count > 1 {
        output(AccuracyReport.comparison(dataset, results, seed: request.options.seed))
    }
}

/// The arguments of `accuracy`, checked.
private struct AccuracyRequest {
    let kind: DatasetKind
    let path: String
    let options: DatasetOptions
    let positioners: [any Positioner]
    let predictionsPath: String?
    let plotPath: String?
    let isAsTracks: Bool
    let isSmoothed: Bool

    init(
        _ arguments: [String], note: @escaping @Sendable (String) -> Void
    ) throws(UsageFault) {
        let reader = try ArgumentReader(
            arguments,
            options: [
                "--positioner", "--answer-seconds", "--train-months", "--test-months", "--seed",
                "--predictions", "--plot",
            ], flags: ["--tracks", "--smoothed"])
        guard reader.positional.count == 2 else {
            throw UsageFault("accuracy needs a data set and a path")
        }
        guard let kind = DatasetKind(rawValue: reader.positional[0]) else {
            let known = DatasetKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageFault("\(reader.positional[0]) is not a data set; known are \(known)")
        }
        self.kind = kind
        path = reader.positional[1]
        options = DatasetOptions(
            trainMonths: try reader.numbers("--train-months"),
            testMonths: try reader.numbers("--test-months"),
            seed: try reader.unsigned("--seed") ?? 1)
        let names = reader.all("--positioner")
        let answerSeconds = try reader.number("--answer-seconds", in: 0.1...3_600) ?? 5
        let programs = ProgramPositioner.Settings.measuring(
            answerLimit: .seconds(answerSeconds),
            mayUseNetwork: ServiceProgram.programsMayUseNetwork())
        do throws(PositionerOptionFault) {
            var positioners: [any Positioner] = []
            for name in names.isEmpty ? [PositionerRegistry.defaultName] : names {
                positioners.append(
                    try PositionerOption(name).positioner(settings: programs, note: note))
            }
            self.positioners = positioners
        } catch {
            throw UsageFault(error.description)
        }
        predictionsPath = reader.last("--predictions")
        plotPath = reader.last("--plot")
        isAsTracks = reader.has("--tracks")
        isSmoothed = reader.has("--smoothed")
        guard isAsTracks || !isSmoothed else {
            throw UsageFault("--smoothed needs --tracks: only the positions of a path are smoothed")
        }
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
