import Glibc

/// A reading of a transmitter that is in the radio map.
struct NumberedReading: Hashable, Sendable {
    /// An index into the map's transmitters.
    var transmitter: Int32
    /// dBm.
    var rssi: Float
}

/// The distance of a scan to each anchor: the mean Sorensen distance to the anchor's `nearest` most
/// similar fingerprints. It is computed for four exponents at once, which weigh strong readings
/// more or less.
///
/// A strength is ((rssi - minimum) / -minimum)^exponent, and silence is 0. The minimum is one below
/// the weakest reading of the map (`SignalRepresentation.powed`).
struct AnchorDistances: Sendable {
    /// One distance for each of `exponents`.
    typealias Lanes = SIMD4<Float>

    /// The last one is what the literature recommends for UJIIndoorLoc (Torres-Sospedra et al.
    /// 2015, table 4).
    static let exponents: [Double] = [1, 1.5, 2, M_E]
    /// The number of an anchor's most similar fingerprints that count. Found on the training part
    /// of UJIIndoorLoc.
    static let nearest = 5
    /// Bounds are lowered by this, so that rounding never lifts one above the distance that it
    /// bounds.
    private static let rounding: Float = 1e-5

    let anchors: Anchors
    let blocks: AnchorBlocks

    /// One reading of a scan that meets a block, as an element of the block's linked list.
    struct Link: Sendable {
        /// An index into the blocks' levels.
        var firstLevel: Int32 = 0
        /// An index into the scan's readings.
        var reading: Int32 = 0
        /// The block's previous link; -1 for none.
        var previous: Int32 = -1
    }

    /// One reading of a scan that meets the block that is being compared.
    struct Shared: Sendable {
        var strength: Lanes
        /// An index into the blocks' levels.
        var firstLevel: Int
    }

    init(_ surveys: SurveyReadings, _ anchors: Anchors) {
        self.anchors = anchors
        blocks = AnchorBlocks(surveys, anchors)
    }

    /// Whether any row received the transmitter.
    func knows(_ transmitter: Int32) -> Bool { !blocks.meetings(of: transmitter).isEmpty }

    /// Puts the anchors that share a transmitter with the readings into `scratch.touchedAnchors`.
    func touch(_ readings: [NumberedReading], scratch: inout AnchorScratch) {
        scratch.fit(blocks: blocks.count, anchors: anchors.count)
        blocks.touch.find(readings, &scratch.touchedWords, &scratch.touchedAnchors)
    }

    /// Starts a scan; call it before the first `findChosen`. It computes lower bounds of distances
    /// into `scratch.anchorBounds`. By each of `lanes` no row of a touched anchor is nearer than
    /// its bound. By the other exponents the anchor itself is no nearer.
    ///
    /// A bound is the distance of an imagined row that received only the scan's transmitters. It
    /// received each one as strongly as the anchor's strongest row, or as the mean of its strongest
    /// few rows.
    ///
    /// `scratch.blockBounds` gets the same for each block. In an anchor with several blocks, the
    /// bounds are always those of single rows.
    ///
    /// - Parameters:
    ///   - readings: readings of the same transmitters as those that touched the anchors.
    ///   - lanes: the exponents for which the nearest rows are wanted.
    func begin(
        _ readings: [NumberedReading], lanes: Range<Int>, scratch: inout AnchorScratch
    ) {
        scratch.comparedAnchors.removeAll(keepingCapacity: true)
        if scratch.nearestRows.count != Lanes.scalarCount {
            scratch.nearestRows = [NearestRows](repeating: NearestRows(), count: Lanes.scalarCount)
        }
        for lane in 0..<Lanes.scalarCount { scratch.nearestRows[lane].removeAll() }
        forget(&scratch)
        scratch.readingStrengths.removeAll(keepingCapacity: true)
        scratch.linkCount = 0
        var ofRows = SIMDMask<SIMD4<Int32>>()
        for lane in lanes { ofRows[lane] = true }
        var total = Lanes()
        for reading in readings {
            let strength = blocks.strength(reading.rssi)
            total += strength
            scratch.readingStrengths.append(strength)
            meet(blocks.meetings(of: reading.transmitter), strength, ofRows, &scratch)
        }
        scratch.readingTotal = total
        finishBounds(&scratch)
    }

    private func forget(_ scratch: inout AnchorScratch) {
        scratch.blockBounds.withUnsafeMutableBufferPointer { bounds in
            scratch.lastLinks.withUnsafeMutableBufferPointer { lastLinks in
                for anchor in scratch.touchedAnchors {
                    for block in blocks.blocks(of: Int(anchor)) {
                        bounds[block] = Lanes()
                        lastLinks[block] = -1
                    }
                }
            }
        }
    }

    /// Turns the strengths that blocks share with the scan into bounds of distance.
    private func finishBounds(_ scratch: inout AnchorScratch) {
        let (total, one) = (scratch.readingTotal, 1 - Self.rounding)
        scratch.blockBounds.withUnsafeMutableBufferPointer { bounds in
            scratch.anchorBounds.withUnsafeMutableBufferPointer { anchorBounds in
                for anchor in scratch.touchedAnchors {
                    var least = Lanes(repeating: 1)
                    for block in blocks.blocks(of: Int(anchor)) {
                        // The strength that a row shares with the scan is at most the row's total
                        // strength.
                        let shared = bounds[block]
                        let heard = larger(blocks.leastTotals[block], shared)
                        let bound = one - 2 * shared / (total + heard)
                        bounds[block] = bound
                        least = smaller(least, bound)
                    }
                    anchorBounds[Int(anchor)] = least
                }
            }
        }
    }

    /// Adds a reading to the bounds and links of all blocks that received the transmitter.
    private func meet(
        _ range: Range<Int>, _ strength: Lanes, _ ofRows: SIMDMask<SIMD4<Int32>>,
        _ scratch: inout AnchorScratch
    ) {
        let reading = Int32(scratch.readingStrengths.count - 1)
        let first = scratch.linkCount
        scratch.linkCount += range.count
        if scratch.links.count < scratch.linkCount {
            let missing = scratch.linkCount - scratch.links.count
            scratch.links.append(contentsOf: repeatElement(Link(), count: missing))
        }
        blocks.meetings.withUnsafeBufferPointer { meetings in
            blocks.strengths.withUnsafeBufferPointer { strengths in
                scratch.blockBounds.withUnsafeMutableBufferPointer { bounds in
                    scratch.lastLinks.withUnsafeMutableBufferPointer { lastLinks in
                        scratch.links.withUnsafeMutableBufferPointer { links in
                            for position in range {
                                let meeting = meetings[position]
                                let block = Int(meeting.block)
                                let link = first &+ (position &- range.lowerBound)
                                let heard = strengths[Int(meeting.usual)].replacing(
                                    with: strengths[Int(meeting.most)], where: ofRows)
                                bounds[block] += smaller(strength, heard)
                                links[link] = Link(
                                    firstLevel: meeting.firstLevel, reading: reading,
                                    previous: lastLinks[block])
                                lastLinks[block] = Int32(truncatingIfNeeded: link)
                            }
                        }
                    }
                }
            }
        }
    }
}
