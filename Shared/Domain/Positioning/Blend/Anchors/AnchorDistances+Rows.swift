/// Comparing a scan with the anchors' rows, one by one.
extension AnchorDistances {
    /// Computes the distances of the touched anchors into `scratch.anchorDistances`. The nearest
    /// rows by each of `lanes` go into `scratch.nearestRows`. All other anchors are at distance 1.
    ///
    /// - Parameters:
    ///   - readings: readings of the same transmitters as those that touched the anchors.
    ///   - keepsRows: whether `scratch.rowDistances` gets the distance of each row, by the exponent
    ///     of `KernelRidge`.
    func find(
        _ readings: [NumberedReading], lanes: Range<Int>, keepsRows: Bool = false,
        scratch: inout AnchorScratch
    ) {
        if keepsRows {
            let count = anchors.rows.count
            scratch.rowDistances.removeAll(keepingCapacity: true)
            scratch.rowDistances.append(contentsOf: repeatElement(1, count: count))
        }
        begin(readings, lanes: lanes, scratch: &scratch)
        scratch.chosenAnchors.removeAll(keepingCapacity: true)
        scratch.chosenAnchors += scratch.touchedAnchors
        findChosen(lanes: lanes, keepsRows: keepsRows, scratch: &scratch)
    }

    /// The same as `find`, for `scratch.chosenAnchors` alone. None of them may have been compared
    /// yet.
    func findChosen(
        lanes: Range<Int>, keepsRows: Bool = false, scratch: inout AnchorScratch
    ) {
        scratch.comparedAnchors += scratch.chosenAnchors
        let (links, strengths) = (scratch.links, scratch.readingStrengths)
        if scratch.shared.count < strengths.count {
            scratch.shared = [Shared](
                repeating: Shared(strength: Lanes(), firstLevel: 0), count: strengths.count)
        }
        scratch.shared.withUnsafeMutableBufferPointer { shared in
            scratch.rowScores.withUnsafeMutableBufferPointer { distances in
                for anchor in scratch.chosenAnchors {
                    var nearest = NearestFive()
                    var limits = limits(lanes, scratch.nearestRows)
                    for block in blocks.blocks(of: Int(anchor)) {
                        let reach = larger(nearest.limit, limits)
                        guard keepsRows || any(scratch.blockBounds[block] .<= reach) else {
                            continue
                        }
                        let count = gather(
                            from: scratch.lastLinks[block], links.span, strengths.span, shared)
                        let rows = blocks.rows(of: block)
                        score(
                            rows.count, UnsafeBufferPointer(rebasing: shared[..<count]), distances)
                        let own = UnsafeMutableBufferPointer(rebasing: distances[..<rows.count])
                        let least = compare(rows, scratch.readingTotal, own)
                        nearest.insert(UnsafeBufferPointer(own))
                        if any(least .<= limits) {
                            insert(rows, lanes, own, &scratch.nearestRows)
                            limits = self.limits(lanes, scratch.nearestRows)
                        }
                        guard keepsRows else { continue }
                        for row in rows {
                            scratch.rowDistances[row] =
                                own[row - rows.lowerBound][KernelRidge.exponent]
                        }
                    }
                    let rows = anchors.rows(of: Int(anchor)).count
                    let mean = nearest.mean(of: min(rows, Self.nearest))
                    // Rounding can make the distance of two equal scans slightly negative.
                    scratch.anchorDistances[Int(anchor)] = larger(mean, Lanes())
                }
            }
        }
    }

    /// Collects the scan's readings that meet a block into `shared`, and returns their number.
    ///
    /// - Parameter last: the block's last link; -1 for none.
    @inline(__always)
    private func gather(
        from last: Int32, _ links: Span<Link>, _ strengths: Span<Lanes>,
        _ shared: UnsafeMutableBufferPointer<Shared>
    ) -> Int {
        var count = 0
        var position = last
        while position >= 0 {
            let link = links[Int(position)]
            shared[count] = Shared(
                strength: strengths[Int(link.reading)], firstLevel: Int(link.firstLevel))
            count &+= 1
            position = link.previous
        }
        return count
    }

    /// Computes for each row of a block the strength that it shares with the scan. `scores` has
    /// room for a multiple of `rowsAtOnce`.
    private func score(
        _ rows: Int, _ shared: UnsafeBufferPointer<Shared>,
        _ scores: UnsafeMutableBufferPointer<Lanes>
    ) {
        let levels = blocks.levels.span
        let strengths = blocks.strengths.span
        for row in stride(from: 0, to: rows, by: AnchorBlocks.rowsAtOnce) {
            var (first, second, third, fourth) = (Lanes(), Lanes(), Lanes(), Lanes())
            for own in shared {
                let level = own.firstLevel &+ row
                // Unchecked access is safe: each level is within the table, and each block has this
                // many levels.
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

    /// Turns the scores of a block's rows into distances, and returns the least of them.
    @inline(__always)
    private func compare(
        _ rows: Range<Int>, _ scanTotal: Lanes, _ distances: UnsafeMutableBufferPointer<Lanes>
    ) -> Lanes {
        let one = Lanes(repeating: 1)
        var least = one
        let totals = blocks.totals.span
        for position in 0..<rows.count {
            let total = scanTotal + totals[rows.lowerBound &+ position]
            // Not a number where neither the scan nor the row received anything; `smaller` makes
            // that 1.
            let distance = smaller(one, one - 2 * distances[position] / total)
            distances[position] = distance
            least = smaller(least, distance)
        }
        return least
    }

    /// Inserts the rows of a block that are among the nearest into their lists.
    private func insert(
        _ rows: Range<Int>, _ lanes: Range<Int>,
        _ distances: UnsafeMutableBufferPointer<Lanes>, _ nearest: inout [NearestRows]
    ) {
        for row in rows {
            let own = distances[row - rows.lowerBound]
            for lane in lanes where own[lane] < 1 && own[lane] <= nearest[lane].limit {
                nearest[lane].insert(row, own[lane])
            }
        }
    }

    /// The distance that a row must not exceed to be among the nearest, for each exponent.
    private func limits(_ lanes: Range<Int>, _ nearest: [NearestRows]) -> Lanes {
        var limits = Lanes(repeating: -1)
        for lane in lanes { limits[lane] = nearest[lane].limit }
        return limits
    }
}
