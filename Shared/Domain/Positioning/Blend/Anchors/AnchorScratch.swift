/// Memory of `AnchorModel`. Between calls all but results is zero.
struct AnchorScratch: CandidateMemory {
    var gaussian = GaussianScratch()
    var candidates: [Candidate] = []
    /// One for each floor.
    var floorWeights: [Double] = []
    var floorShares: [Double] = []
    var numberedReadings: [NumberedReading] = []
    /// Readings of transmitters that the model knows.
    var knownReadings: [NumberedReading] = []
    /// With the telephone's offset taken out.
    var correctedReadings: [NumberedReading] = []
    /// Anchors that share a transmitter with the scan, ascending.
    var touchedAnchors: [Int32] = []
    /// Those of them that are to be compared with the scan next, and those that were.
    var chosenAnchors: [Int32] = []
    var comparedAnchors: [Int32] = []
    /// A bit for each anchor.
    var touchedWords: [UInt64] = []
    /// This and the next arrays have one element for each anchor: likelihoods and bounds of those
    /// that are touched, distances of those that are compared.
    var anchorDistances: [AnchorDistances.Lanes] = []
    /// The anchor is no nearer, or none of its fingerprints is.
    var anchorBounds: [AnchorDistances.Lanes] = []
    /// The same for each block of rows.
    var blockBounds: [AnchorDistances.Lanes] = []
    /// Which readings meet which blocks; how many of them hold for the scan; the last of each
    /// block.
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
    /// One list for each exponent.
    var nearestRows: [NearestRows] = []
    /// One for each row of the anchors.
    var rowDistances: [Float] = []
    /// One for each floor, of one network.
    var floorLogarithms: [Float] = []
    /// One for each floor, the mean of all networks; empty without any.
    var networkLogarithms: [Float] = []

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
}
