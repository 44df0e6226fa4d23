extension RadioMap {
    /// The map with at most so many of its fingerprints, spread over all places. The newest of each
    /// place comes first, then the one before it, and so on. Where a turn has too many, an even
    /// selection of its places is kept.
    ///
    /// Fingerprints are taken to be in the order of time, which is that of ids of version 7.
    public func spread(most: Int) -> RadioMap {
        guard fingerprints.count > most else { return self }
        var known = [Int](repeating: 0, count: places.count)
        var turns: [[Int32]] = []
        for index in fingerprints.indices.reversed() {
            let place = Int(fingerprints[index].place)
            if known[place] == turns.count { turns.append([]) }
            turns[known[place]].append(Int32(index))
            known[place] += 1
        }
        var kept: [Int32] = []
        for turn in turns where kept.count < most {
            let room = min(most - kept.count, turn.count)
            let ordered = turn.sorted {
                fingerprints[Int($0)].place < fingerprints[Int($1)].place
            }
            kept += (0..<room).map { ordered[$0 * turn.count / room] }
        }
        return part(kept.sorted())
    }
}
