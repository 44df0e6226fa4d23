/// Reused memory of `AnchorModel`. Between calls everything except the results is zero.
struct AnchorScratch: CandidateMemory {
    var gaussian = GaussianScratch()
    var candidates: [Candidate] = []
    /// One weight for each floor.
    var floorWeights: [Double] = []
    var floorShares: [Double] = []
    /// The smallest distance of the last scan to an anchor.
    var leastDistance = 0.0
    var numberedReadings: [NumberedReading] = []
    /// Readings of transmitters that are in the model.
    var knownReadings: [NumberedReading] = []
    /// The same readings with the telephone's offset removed.
    var correctedReadings: [NumberedReading] = []
    /// Anchors that share a transmitter with the scan, ascending.
    var touchedAnchors: [Int32] = []
    /// The touched anchors that are compared with the scan next, and those already compared.
    var chosenAnchors: [Int32] = []
    var comparedAnchors: [Int32] = []
    /// One bit for each anchor: whether it is touched.
    var touchedWords: [UInt64] = []
    /// This array and the next ones have one element for each anchor. Touched anchors have
    /// likelihoods and bounds; compared anchors have distances.
    var anchorDistances: [AnchorDistances.Lanes] = []
    /// Lower bounds of the distance to the anchor, or to each of its fingerprints.
    var anchorBounds: [AnchorDistances.Lanes] = []
    /// The same lower bounds for each block of rows.
    var blockBounds: [AnchorDistances.Lanes] = []
    /// The readings that meet each block as linked lists; the number of links in use; the last link
    /// of each block.
    var links: [AnchorDistances.Link] = []
    var linkCount = 0
    var lastLinks: [Int32] = []
    /// The strength of each reading, and the sum of them.
    var readingStrengths: [AnchorDistances.Lanes] = []
    var readingTotal = AnchorDistances.Lanes()
    /// The readings that meet the block that is being compared.
    var shared: [AnchorDistances.Shared] = []
    /// A score for each row of one block.
    var rowScores = [AnchorDistances.Lanes](
        repeating: AnchorDistances.Lanes(), count: AnchorBlocks.mostRows)
    var offsetSums: [OffsetLanes] = []
    var anchorLikelihoods: [Float] = []
    /// A logarithm for each compared anchor, or for each of the most promising ones.
    var logits: [Double] = []
    /// The nearest rows for each exponent.
    var nearestRows: [NearestRows] = []
    /// The distance of each of the anchors' rows.
    var rowDistances: [Float] = []
    /// One network's logarithm for each floor.
    var floorLogarithms: [Float] = []
    /// The mean logarithm of all networks for each floor; empty without networks.
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

    /// Makes room for a weight and a share for each floor; all are 0 afterwards.
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
