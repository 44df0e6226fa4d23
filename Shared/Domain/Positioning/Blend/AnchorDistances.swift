import Glibc

/// A reading of a transmitter that the map knows.
struct NumberedReading: Hashable, Sendable {
    /// Into the map's transmitters.
    var transmitter: Int32
    /// dBm.
    var rssi: Float
}

/// How unlike a scan is to each anchor: the mean Sorensen distance to the few fingerprints of the anchor
/// that are most like it, for four ways at once of counting strong readings more than weak ones.
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

    private let anchors: Anchors
    private let blocks: AnchorBlocks

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
    func touch(_ readings: [NumberedReading], scratch: inout PositionerScratch) {
        scratch.fit(blocks: blocks.count, anchors: anchors.count)
        scratch.touchedAnchors.removeAll(keepingCapacity: true)
        var (first, last) = (anchors.count, -1)
        scratch.isTouched.withUnsafeMutableBufferPointer { isTouched in
            for reading in readings {
                let range = blocks.meetings(of: reading.transmitter)
                guard !range.isEmpty else { continue }
                first = min(first, Int(blocks.anchors[range.lowerBound]))
                last = max(last, Int(blocks.anchors[range.upperBound - 1]))
                blocks.anchors.withUnsafeBufferPointer { anchors in
                    for position in range { isTouched[Int(anchors[position])] = true }
                }
            }
            guard first <= last else { return }
            for anchor in first...last where isTouched[anchor] {
                isTouched[anchor] = false
                scratch.touchedAnchors.append(Int32(anchor))
            }
        }
    }

    /// Before the first `findChosen` of a scan. Puts into `scratch.anchorBounds` distances that no row of
    /// a touched anchor is nearer than, and into `scratch.blockBounds` the same of each of its blocks:
    /// those of a row that heard each transmitter as strong as any in the block did, and no other.
    ///
    /// - Parameter readings: of the same transmitters as those that touched the anchors.
    func begin(_ readings: [NumberedReading], scratch: inout PositionerScratch) {
        scratch.comparedAnchors.removeAll(keepingCapacity: true)
        if scratch.nearestRows.count != Lanes.scalarCount {
            scratch.nearestRows = [NearestRows](repeating: NearestRows(), count: Lanes.scalarCount)
        }
        for lane in 0..<Lanes.scalarCount { scratch.nearestRows[lane].removeAll() }
        forget(&scratch)
        scratch.readingStrengths.removeAll(keepingCapacity: true)
        scratch.linkCount = 0
        var total = Lanes()
        for reading in readings {
            let strength = blocks.strength(reading.rssi)
            total += strength
            scratch.readingStrengths.append(strength)
            meet(blocks.meetings(of: reading.transmitter), strength, &scratch)
        }
        scratch.readingTotal = total
        finishBounds(&scratch)
    }

    private func forget(_ scratch: inout PositionerScratch) {
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
    private func finishBounds(_ scratch: inout PositionerScratch) {
        let (total, one) = (scratch.readingTotal, 1 - Self.rounding)
        scratch.blockBounds.withUnsafeMutableBufferPointer { bounds in
            scratch.anchorBounds.withUnsafeMutableBufferPointer { anchorBounds in
                for anchor in scratch.touchedAnchors {
                    var least = Lanes(repeating: 1)
                    for block in blocks.blocks(of: Int(anchor)) {
                        let bound = one - 2 * bounds[block] / (total + blocks.leastTotals[block])
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
        _ range: Range<Int>, _ strength: Lanes, _ scratch: inout PositionerScratch
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
                                bounds[block] += smaller(strength, strengths[Int(meeting.most)])
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

    /// Puts the distances of the touched anchors into `scratch.anchorDistances`, and the rows nearest by
    /// each of `lanes` into `scratch.nearestRows`; all other anchors are at distance 1.
    ///
    /// - Parameters:
    ///   - readings: of the same transmitters as those that touched the anchors.
    ///   - keepsRows: whether `scratch.rowDistances` gets the distance of each row, by the exponent of
    ///     `KernelRidge`.
    func find(
        _ readings: [NumberedReading], lanes: Range<Int>, keepsRows: Bool = false,
        scratch: inout PositionerScratch
    ) {
        if keepsRows {
            let count = anchors.rows.count
            scratch.rowDistances.removeAll(keepingCapacity: true)
            scratch.rowDistances.append(contentsOf: repeatElement(1, count: count))
        }
        begin(readings, scratch: &scratch)
        scratch.chosenAnchors.removeAll(keepingCapacity: true)
        scratch.chosenAnchors += scratch.touchedAnchors
        findChosen(lanes: lanes, keepsRows: keepsRows, scratch: &scratch)
    }

    /// Does what `find` does, for `scratch.chosenAnchors` alone, of which none was compared yet.
    func findChosen(
        lanes: Range<Int>, keepsRows: Bool = false, scratch: inout PositionerScratch
    ) {
        scratch.comparedAnchors += scratch.chosenAnchors
        for anchor in scratch.chosenAnchors {
            var nearest = NearestFive()
            var limits = limits(lanes, scratch.nearestRows)
            for block in blocks.blocks(of: Int(anchor)) {
                let reach = larger(nearest.limit, limits)
                guard keepsRows || any(scratch.blockBounds[block] .<= reach) else { continue }
                score(block, gather(block, &scratch), &scratch)
                compare(block, lanes, keepsRows, &nearest, &limits, &scratch)
            }
            let rows = anchors.rows(of: Int(anchor)).count
            let mean = nearest.mean(of: min(rows, Self.nearest))
            // Rounding makes a little less than nothing of two equal scans.
            scratch.anchorDistances[Int(anchor)] = larger(mean, Lanes())
        }
    }

    /// Puts what the block shares with the scan into `scratch.shared`; how much that is.
    private func gather(_ block: Int, _ scratch: inout PositionerScratch) -> Int {
        let most = scratch.readingStrengths.count
        if scratch.shared.count < most {
            scratch.shared = [Shared](
                repeating: Shared(strength: Lanes(), firstLevel: 0), count: most)
        }
        var count = 0
        var position = scratch.lastLinks[block]
        scratch.links.withUnsafeBufferPointer { links in
            scratch.readingStrengths.withUnsafeBufferPointer { strengths in
                scratch.shared.withUnsafeMutableBufferPointer { shared in
                    while position >= 0 {
                        let link = links[Int(position)]
                        shared[count] = Shared(
                            strength: strengths[Int(link.reading)],
                            firstLevel: Int(link.firstLevel))
                        count &+= 1
                        position = link.previous
                    }
                }
            }
        }
        return count
    }

    /// Puts what each row of the block shares with the scan into `scratch.rowScores`.
    private func score(_ block: Int, _ count: Int, _ scratch: inout PositionerScratch) {
        let rows = blocks.rows(of: block).count
        let levels = blocks.levels.span
        let strengths = blocks.strengths.span
        scratch.shared.withUnsafeBufferPointer { shared in
            scratch.rowScores.withUnsafeMutableBufferPointer { scores in
                for row in stride(from: 0, to: rows, by: AnchorBlocks.rowsAtOnce) {
                    var (first, second, third, fourth) = (Lanes(), Lanes(), Lanes(), Lanes())
                    for index in 0..<count {
                        let own = shared[index]
                        let level = own.firstLevel &+ row
                        // Each level is within the table, and each block has so many of them.
                        func strength(_ row: Int) -> Lanes {
                            strengths[unchecked: Int(levels[unchecked: level &+ row])]
                        }
                        first += smaller(own.strength, strength(0))
                        second += smaller(own.strength, strength(1))
                        third += smaller(own.strength, strength(2))
                        fourth += smaller(own.strength, strength(3))
                    }
                    scores[row] = first
                    scores[row + 1] = second
                    scores[row + 2] = third
                    scores[row + 3] = fourth
                }
            }
        }
    }

    /// Turns the scores of a block's rows into distances, and puts them where they belong.
    private func compare(
        _ block: Int, _ lanes: Range<Int>, _ keepsRows: Bool, _ nearest: inout NearestFive,
        _ limits: inout Lanes, _ scratch: inout PositionerScratch
    ) {
        let one = Lanes(repeating: 1)
        var least = one
        let rows = blocks.rows(of: block)
        let scanTotal = scratch.readingTotal
        scratch.rowScores.withUnsafeMutableBufferPointer { scores in
            blocks.totals.withUnsafeBufferPointer { totals in
                for position in 0..<rows.count {
                    let total = scanTotal + totals[rows.lowerBound &+ position]
                    // Not a number where nobody heard anything.
                    let distance = smaller(one, one - 2 * scores[position] / total)
                    scores[position] = distance
                    least = smaller(least, distance)
                }
            }
            nearest.insert(UnsafeBufferPointer(rebasing: scores[..<rows.count]))
        }
        if any(least .<= limits) {
            insert(rows, lanes, scratch.rowScores, &scratch.nearestRows)
            limits = self.limits(lanes, scratch.nearestRows)
        }
        if keepsRows {
            for row in rows {
                let distances = scratch.rowScores[row - rows.lowerBound]
                scratch.rowDistances[row] = distances[KernelRidge.exponent]
            }
        }
    }

    /// Puts those of a block's rows where they belong that are among the nearest.
    private func insert(
        _ rows: Range<Int>, _ lanes: Range<Int>, _ distances: [Lanes],
        _ nearest: inout [NearestRows]
    ) {
        for row in rows {
            let own = distances[row - rows.lowerBound]
            for lane in lanes where own[lane] < 1 && own[lane] <= nearest[lane].limit {
                nearest[lane].insert(row, own[lane])
            }
        }
    }

    /// How near a row must be to be one of the nearest.
    private func limits(_ lanes: Range<Int>, _ nearest: [NearestRows]) -> Lanes {
        var limits = Lanes(repeating: -1)
        for lane in lanes { limits[lane] = nearest[lane].limit }
        return limits
    }
}
