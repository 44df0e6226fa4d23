public import Site

/// A way to tell a place from a scan: the plug-in point of positioning.
///
/// As a whole it is one pure function, `(scan, radio map, state, seed) -> (estimate, state)`; what
/// depends on the radio map and site alone is worked out once, by `prepare`.
public protocol Positioner: Sendable {
    /// Named in every position, also in those of chosen parameters: lower case, digits, dots and
    /// hyphens, so that it fits into a topic's name and a column of a table.
    var name: String { get }

    /// Makes the positioner ready for one radio map. The map's `fault` must be nil.
    func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner

    /// Whether it works, in whole or in part, as each radio map chooses for itself.
    var followsChoice: Bool { get }

    /// Whether it looks at `RadioScan.evidence`.
    var usesEvidence: Bool { get }

    /// Whether it locates on a site that was never surveyed. Such a site's radio map is empty.
    var worksWithoutMap: Bool { get }

    /// The same, by a choice that was made before instead of one of its own.
    ///
    /// - Parameter choice: nil while none was made.
    func following(_ choice: String?) -> any Positioner
}

extension Positioner {
    public var followsChoice: Bool { false }
    public var usesEvidence: Bool { false }
    public var worksWithoutMap: Bool { false }
    public func following(_ choice: String?) -> any Positioner { self }
}

/// A positioner with its radio map.
public protocol PreparedPositioner: Sendable {
    /// Where the scan was made. Equal arguments give equal results, whatever the scratch holds.
    ///
    /// - Parameters:
    ///   - state: what the same positioner returned for the device's previous scan; else `.empty`.
    ///   - seed: the only source of chance.
    ///   - scratch: memory to reuse between calls; each caller that runs at the same time has its own.
    func locate(
        _ scan: RadioScan, state: PositionerState, seed: UInt64, scratch: inout PositionerScratch
    ) -> (estimate: Estimate, state: PositionerState)

    /// What answers single questions in its place, so that a question that it can't bear makes none of the
    /// scans lost that keep coming; nil where it answers them itself. Blocks where that has to be started first.
    var ofQuestions: (any PreparedPositioner)? { get }
}

extension PreparedPositioner {
    public var ofQuestions: (any PreparedPositioner)? { nil }

    /// The same with new scratch memory, for single questions.
    public func locate(_ scan: RadioScan, state: PositionerState = .empty, seed: UInt64 = 0)
        -> Estimate
    {
        var scratch = PositionerScratch()
        return locate(scan, state: state, seed: seed, scratch: &scratch).estimate
    }
}

/// What a positioner remembers of a device, in a form of its own that can be stored.
public struct PositionerState: Hashable, Sendable {
    /// Nothing yet; what positioners of single scans always return.
    public static let empty = PositionerState(bytes: [])

    public var bytes: [UInt8]

    public init(bytes: [UInt8]) { self.bytes = bytes }
}

/// Memory that positioners reuse from scan to scan. Between calls all
/// but results is zero.
public struct PositionerScratch: Sendable {
    /// One for each fingerprint or place.
    var scores: [Float] = []
    /// The scan's strength of each transmitter of the map.
    var strengths: [Float] = []
    /// The transmitters that have one.
    var heard: [Int32] = []
    /// Fingerprints or places with a score, in the order in which they were met.
    var touched: [Int32] = []
    /// For each place the last of the scan's readings that spoke for it, counted from 1.
    var lastReading: [Int32] = []
    var neighbours: [Neighbour] = []
    var candidates: [Candidate] = []
    /// One for each floor.
    var floorWeights: [Double] = []
    var floorShares: [Double] = []
    var numberedReadings: [NumberedReading] = []
    /// Readings of transmitters that the model knows.
    var knownReadings: [NumberedReading] = []
    /// Anchors that share a transmitter with the scan, ascending.
    var touchedAnchors: [Int32] = []
    /// Those of them that are to be compared with the scan next, and those that were.
    var chosenAnchors: [Int32] = []
    var comparedAnchors: [Int32] = []
    /// A bit for each anchor.
    var touchedWords: [UInt64] = []
    /// What follows is one for each anchor: likelihoods and bounds of those that are touched, distances
    /// of those that are compared.
    var anchorDistances: [AnchorDistances.Lanes] = []
    /// The anchor is no nearer, or none of its fingerprints is.
    var anchorBounds: [AnchorDistances.Lanes] = []
    /// The same for each block of rows.
    var blockBounds: [AnchorDistances.Lanes] = []
    /// Which readings meet which blocks; how many of them hold for the scan; the last of each block.
    var links: [AnchorDistances.Link] = []
    var linkCount = 0
    var lastLinks: [Int32] = []
    /// One for each reading, and their sum.
    var readingStrengths: [AnchorDistances.Lanes] = []
    var readingTotal = AnchorDistances.Lanes()
    /// Those of one block.
    var shared: [AnchorDistances.Shared] = []
    /// One for each row of one block.
    var rowScores = [AnchorDistances.Lanes](
        repeating: AnchorDistances.Lanes(), count: AnchorBlocks.mostRows)
    var offsetSums: [OffsetLanes] = []
    var anchorLikelihoods: [Float] = []
    /// One for each compared anchor, or each of the most promising ones.
    var logits: [Double] = []
    var track = TrackScratch()
    /// One for each cell of `CellGrid`, and those with a sum.
    var cellSums: [Float] = []
    var touchedCells: [Int32] = []
    /// One list for each exponent.
    var nearestRows: [NearestRows] = []
    /// One for each row of the anchors.
    var rowDistances: [Float] = []
    /// With the telephone's offset taken out.
    var correctedReadings: [NumberedReading] = []
    /// One for each floor, of one network.
    var floorLogarithms: [Float] = []
    /// One for each floor, the mean of all networks; empty without any.
    var networkLogarithms: [Float] = []

    public init() {}

    mutating func fit(blocks: Int, anchors: Int) {
        if blockBounds.count != blocks {
            blockBounds = [AnchorDistances.Lanes](
                repeating: AnchorDistances.Lanes(), count: blocks)
            lastLinks = [Int32](repeating: -1, count: blocks)
        }
        guard anchorDistances.count != anchors else { return }
        anchorDistances = [AnchorDistances.Lanes](
            repeating: AnchorDistances.Lanes(), count: anchors)
        anchorBounds = anchorDistances
        offsetSums = [OffsetLanes](repeating: OffsetLanes(), count: anchors)
        anchorLikelihoods = [Float](repeating: 0, count: anchors)
    }

    mutating func fit(cells: Int) {
        guard cellSums.count != cells else { return }
        cellSums = [Float](repeating: 0, count: cells)
        touchedCells = []
    }

    /// All floors are 0 afterwards.
    mutating func fit(floors: Int) {
        if floorShares.count != floors {
            floorShares = [Double](repeating: 0, count: floors)
        }
        if floorWeights.count != floors {
            floorWeights = [Double](repeating: 0, count: floors)
        }
        for floor in 0..<floors {
            floorShares[floor] = 0
            floorWeights[floor] = 0
        }
    }

    /// - Parameter scored: how many fingerprints or places get a score.
    mutating func fit(scored: Int, transmitters: Int = 0) {
        if scores.count != scored {
            scores = [Float](repeating: 0, count: scored)
            touched = [Int32](repeating: 0, count: scored)
            lastReading = [Int32](repeating: 0, count: scored)
        }
        if strengths.count != transmitters {
            strengths = [Float](repeating: 0, count: transmitters)
        }
    }
}
