extension TrackFilter {
    /// Moves the beliefs as people may have moved, and as the air pressure shows that they changed
    /// floors or did not. Their sum is 1 afterwards.
    ///
    /// Each floor's belief moves by itself, so that it is known from which floor everybody came.
    ///
    /// - Parameter now: the air pressure of the scan, if it has one. Without it, or with the first
    ///   one, all is as with the motion alone.
    /// - Returns: the air pressure with what it was compared to; nil without one.
    func predict(
        _ motion: TrackMotion, _ before: TrackState, pressure now: PressureHeight?,
        _ heights: FloorHeights, _ scratch: inout TrackScratch
    ) -> PressureClimb? {
        let beliefs = before.beliefs
        guard let now else {
            load(beliefs, &scratch)
            predict(motion, &scratch)
            return nil
        }
        var climb = PressureClimb(now, after: before.pressure, floors: graph.floors.count)
        guard climb.isInformed else {
            load(beliefs, &scratch)
            predict(motion, &scratch)
            return climb
        }
        var moved: [Moved] = []
        var rest = beliefs[...]
        while let first = rest.first {
            let floor = Int(graph.cells[first.cell].floor)
            let end = graph.cells(of: floor).upperBound
            let own = rest.prefix { $0.cell < end }
            rest = rest.dropFirst(own.count)
            load(Array(own), &scratch)
            let share = own.reduce(0) { $0 + $1.weight } * predict(motion, &scratch)
            weigh(&climb, from: floor, share: share, heights, scratch, &moved)
            scratch.clear()
        }
        for moved in moved {
            let cell = Int(moved.cell)
            scratch.activate(cell)
            scratch.staying[cell] += moved.staying
            scratch.walking[cell] += moved.walking
        }
        normalise(&scratch)
        return climb
    }

    /// The belief that one floor's people bring to a cell.
    private struct Moved {
        var cell: Int32
        var staying: Float
        var walking: TrackScratch.Walking
    }

    /// Adds the belief of people who came from one floor, weighed by the air pressure.
    ///
    /// - Parameter share: the share of that floor's belief.
    private func weigh(
        _ climb: inout PressureClimb, from floor: Int, share: Float, _ heights: FloorHeights,
        _ scratch: TrackScratch, _ moved: inout [Moved]
    ) {
        var shares = [Float](repeating: 0, count: graph.floors.count)
        for cell in scratch.active.lazy.map(Int.init) where scratch.belief(in: cell) > 0 {
            let target = Int(graph.cells[cell].floor)
            let factor =
                share
                * climb.likelihood(
                    of: heights.range(of: cell, in: graph), from: floor,
                    isSameBuilding: heights.areInOneBuilding(floor, target))
            moved.append(
                Moved(
                    cell: Int32(cell), staying: factor * scratch.staying[cell],
                    walking: factor * scratch.walking[cell]))
            shares[target] += factor * scratch.belief(in: cell)
        }
        for target in shares.indices { climb.note(shares[target], from: floor, to: target) }
    }
}
