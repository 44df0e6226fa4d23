import Archive
import Datasets
import Positioners
import Positioning
import ServiceRuntime

/// The arguments of `accuracy`, checked.
struct AccuracyRequest {
    /// The kinds of maps that `--map` makes.
    static let maps = DerivedMap.allCases.map(\.rawValue) + [denseMap]
    /// The simulator's dense map.
    static let denseMap = "dense"

    struct Candidate {
        let positioner: any Positioner
        /// A program is not prepared for parts of a map: each would start a process.
        let isProgram: Bool
    }

    let candidates: [Candidate]
    let predictionsPath: String?
    let plotPath: String?
    /// The folder for the parts of the data set.
    let writePath: String?
    let isAsTracks: Bool
    let isSmoothed: Bool
    let seed: UInt64
    let heldOut: HeldOut?
    /// The kind of derived map, as in the arguments.
    let map: String?
    private let source: Source
    private let share: Double?

    private enum Source {
        case published(DatasetKind, path: String, DatasetOptions)
        case simulator
    }

    init(
        _ arguments: [String], note: @escaping @Sendable (String) -> Void
    ) throws(UsageFault) {
        let reader = try ArgumentReader(
            arguments,
            options: [
                "--answer-seconds", "--train-months", "--test-months", "--seed",
                "--predictions", "--plot", "--hold-out", "--share", "--map", "--write",
            ], lists: ["--positioner"], flags: ["--tracks", "--smoothed"])
        seed = try reader.unsigned("--seed") ?? 1
        source = try Self.source(reader, seed: seed)
        candidates = try Self.candidates(reader, note: note)
        predictionsPath = reader.last("--predictions")
        plotPath = reader.last("--plot")
        writePath = reader.last("--write")
        isAsTracks = reader.has("--tracks")
        isSmoothed = reader.has("--smoothed")
        guard isAsTracks || !isSmoothed else {
            throw UsageFault("--smoothed needs --tracks: only the positions of a path are smoothed")
        }
        heldOut = try reader.last("--hold-out").map { text throws(UsageFault) in
            guard let kind = HeldOut(rawValue: text) else {
                let known = HeldOut.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageFault("\(text) can't be held out; known are \(known)")
            }
            return kind
        }
        share = try reader.number("--share", in: 0.01...0.5)
        guard share == nil || heldOut?.usualShare != nil else {
            throw UsageFault("--share needs --hold-out phones or --hold-out places")
        }
        map = reader.last("--map")
        guard let map else { return }
        guard Self.maps.contains(map) else {
            let known = Self.maps.joined(separator: ", ")
            throw UsageFault("\(map) is not a kind of map; known are \(known)")
        }
        if case .published = source, map == Self.denseMap {
            throw UsageFault(
                "--map \(map) needs the simulator: accuracy \(SimulatedDataset.name) --map \(map)")
        }
    }

    private static func source(
        _ reader: ArgumentReader, seed: UInt64
    ) throws(UsageFault) -> Source {
        if reader.positional == [SimulatedDataset.name] {
            for option in ["--train-months", "--test-months"] where reader.last(option) != nil {
                throw UsageFault("\(option) is for uji-library: the simulator has no months")
            }
            return .simulator
        }
        guard reader.positional.first != SimulatedDataset.name else {
            throw UsageFault(
                "\(SimulatedDataset.name) takes no path: it makes a building of the seed")
        }
        guard reader.positional.count == 2 else {
            throw UsageFault(
                "accuracy needs a data set and a path, or \(SimulatedDataset.name) alone")
        }
        guard let kind = DatasetKind(rawValue: reader.positional[0]) else {
            let known = DatasetKind.allCases.map(\.rawValue) + [SimulatedDataset.name]
            throw UsageFault(
                "\(reader.positional[0]) is not a data set; known are "
                    + known.joined(separator: ", "))
        }
        return .published(
            kind, path: reader.positional[1],
            DatasetOptions(
                trainMonths: try reader.numbers("--train-months"),
                testMonths: try reader.numbers("--test-months"), seed: seed,
                sparesTests: reader.last("--hold-out") != nil || reader.last("--map") != nil,
                needsTimes: reader.has("--tracks")))
    }

    private static func candidates(
        _ reader: ArgumentReader, note: @escaping @Sendable (String) -> Void
    ) throws(UsageFault) -> [Candidate] {
        let names = reader.all("--positioner")
        let answerSeconds = try reader.number("--answer-seconds", in: 0.1...3_600) ?? 5
        let programs = ProgramPositioner.Settings.measuring(
            answerLimit: .seconds(answerSeconds),
            mayUseNetwork: ServiceProgram.programsMayUseNetwork())
        do throws(PositionerOptionFault) {
            var candidates: [Candidate] = []
            for name in names.isEmpty ? [PositionerRegistry.defaultName] : names {
                let option = try PositionerOption(name)
                candidates.append(
                    Candidate(
                        positioner: option.positioner(settings: programs, note: note),
                        isProgram: option.isProgram))
            }
            return candidates
        } catch {
            throw UsageFault(error.description)
        }
    }

    /// The data set, or the parts of its training that were asked for.
    ///
    /// - Throws: `DatasetFault` or `ArchiveError`.
    func dataset() throws -> Dataset {
        let dataset =
            switch source {
            case .published(let kind, let path, let options):
                try kind.read(ArchiveReader(path: path), options: options)
            case .simulator: SimulatedDataset.make(seed: seed, isDense: map == Self.denseMap)
            }
        let derived = map.flatMap(DerivedMap.init)
        guard heldOut != nil || derived != nil else { return dataset }
        return try dataset.onTrainingPart(
            TrainingTrial(heldOut: heldOut, map: derived, share: share, seed: seed))
    }
}
