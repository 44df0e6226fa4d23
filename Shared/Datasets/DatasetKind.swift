public import Archive

/// The data sets that can be read, by their names in commands.
public enum DatasetKind: String, Hashable, Sendable, CaseIterable {
    case ujiindoorloc
    case ujiLibrary = "uji-library"
    case surimi
    case microsoftIndoor = "ms-indoor"
    case jsonLines = "jsonl"

    /// Reads the set from the archive as its authors published it.
    ///
    /// - Throws: `DatasetFault` or `ArchiveError`, which both name the file.
    public func read(
        _ archive: ArchiveReader, options: DatasetOptions = DatasetOptions()
    ) throws -> Dataset {
        switch self {
        case .ujiindoorloc: try UJIIndoorLoc.read(archive)
        case .ujiLibrary: try UJILibrary.read(archive, options: options)
        case .surimi: try Surimi.read(archive)
        case .microsoftIndoor: try MicrosoftIndoor.read(archive, options: options)
        case .jsonLines: try JSONLines.read(archive, needsTimes: options.needsTimes)
        }
    }
}

/// How a data set is split, where there is a choice.
public struct DatasetOptions: Hashable, Sendable {
    /// Months of the UJI library whose training files make one radio map; empty for a map a month.
    public var trainMonths: [Int]
    /// Months whose test files are located; empty for all.
    public var testMonths: [Int]
    /// The seed that draws the test paths of ms-indoor.
    public var seed: UInt64
    /// Whether the training of ms-indoor lacks all paths that a seed from 1 to 5 tests. Its trials
    /// then look at none of these tests.
    public var sparesTests: Bool
    /// Whether scans of `jsonl` without a time are refused, since the order of paths needs it.
    public var needsTimes: Bool

    public init(
        trainMonths: [Int] = [], testMonths: [Int] = [], seed: UInt64 = 1,
        sparesTests: Bool = false, needsTimes: Bool = false
    ) {
        self.trainMonths = trainMonths
        self.testMonths = testMonths
        self.seed = seed
        self.sparesTests = sparesTests
        self.needsTimes = needsTimes
    }
}
