import Glibc

/// A reading of a transmitter that the map knows.
struct NumberedReading: Hashable, Sendable {
    /// Into the map's transmitters.
    var transmitter: Int32
    /// dBm.
    var rssi: Float
}

/// How unlike a scan is to each anchor: the mean Sorensen distance to the few fingerprints of the
/// anchor that are most like it, for four ways at once of counting strong readings more than weak
/// ones.
///
/// A strength is ((rssi - minimum) / -minimum)^exponent, silence 0, with the minimum one below the
/// weakest reading of the map (`SignalRepresentation.powed`).
struct AnchorDistances: Sendable {
    /// One distance for each of `exponents`.
    typealias Lanes = SIMD4<Float>

    /// What the literature recommends for UJIIndoorLoc last (Torres-Sospedra et al. 2015, table 4).
    static let exponents: [Double] = [1, 1.5, 2, M_E]
    /// Fingerprints of an anchor that count. Found on the training part of UJIIndoorLoc.
    static let nearest = 5
    /// Bounds are lower by this, so that rounding never lifts one over what it bounds.
    private static let rounding: Float = 1e-5

    let anchors: Anchors
    let blocks: AnchorBlocks

    /// A meeting of a scan with a block.
    struct Link: Sendable {
        /// Into the blocks' levels.
        var firstLevel: Int32 = 0
        /// Into the readings.
        var reading: Int32 = 0
        /// The block's link before; -1 for none.
        var previous: Int32 = -1
    }

    /// What a scan's reading is to a block.
    struct Shared: Sendable {
        var strength: Lanes
        /// Into the blocks' levels.
        var firstLevel: Int
    }

    init(_ surveys: SurveyReadings, _ anchors: Anchors) {
        self.anchors = anchors
        blocks = AnchorBlocks(surveys, anchors)
    }

    /// Whether any row heard the transmitter.
    func knows(_ transmitter: Int32) -> Bool { !blocks.meetings(of: transmitter).isEmpty }

    /// Puts the anchors that share a transmitter with the readings into `scratch.touchedAnchors`.
    func touch(_ readings: [NumberedReading], scratch: inout AnchorScratch) {
        scratch.fit(blocks: blocks.count, anchors: anchors.count)
        blocks.touch.find(readings, &scratch.touchedWords, &scratch.touchedAnchors)
    }

    /// Before the first `findChosen` of a scan. Puts bounds into `scratch.anchorBounds`: by each of
    /// `lanes` no row of a touched anchor is nearer, and by the other exponents the anchor itself
    /// is not. They are the distances of a row that heard each transmitter as strong as any of the
    /// anchor did, or as those few did on average that heard it best, and no other.
    ///
    /// `scratch.blockBounds` gets the same of each block, where an anchor has several always of
    /// rows.
    ///
    /// - Parameters:
    ///   - readings: of the same transmitters as those that touched the anchors.
    ///   - lanes: the exponents by which the nearest rows are sought.
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

    /// Turns what blocks share with the scan into bounds.
    private func finishBounds(_ scratch: inout AnchorScratch) {
        let (total, one) = (scratch.readingTotal, 1 - Self.rounding)
        scratch.blockBounds.withUnsafeMutableBufferPointer { bounds in
            scratch.anchorBounds.withUnsafeMutableBufferPointer { anchorBounds in
                for anchor in scratch.touchedAnchors {
                    var least = Lanes(repeating: 1)
                    for block in blocks.blocks(of: Int(anchor)) {
                        // What a row shares is no more than what it heard.
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

    /// Adds a reading to the bounds and links of all blocks that heard the transmitter.
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
