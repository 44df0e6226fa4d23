/// A use of a node: the path, and the node's position in it.
struct PathUse: Hashable {
    let path: Int
    let position: Int
}

/// The level of each path at each of its nodes where it can be entered or left.
///
/// Paths that share a node meet there, unless they are on different levels. A path without a level
/// has the level of the others. Stairs have a list of levels; at each end they have the level of
/// what they meet. A path that meets nothing on its own level gets the nearest level of the others.
struct PathLevels {
    private let paths: [MapPath]
    private let nodes: MapNodes
    /// The uses of each node, in the order of paths.
    let uses: [Int64: [PathUse]]
    /// The certain levels at each node, and how many tags state them.
    private var known: [Int64: [MapLevel: Int]]
    private var resolved: [PathUse: MapLevel] = [:]
    private(set) var report: ImportReport

    /// - Parameter rings: for each node, the levels of the open areas with an edge through it.
    init(_ contents: MapContents, rings: [Int64: Set<MapLevel>]) {
        paths = contents.paths
        nodes = contents.nodes
        report = contents.report
        var uses: [Int64: [PathUse]] = [:]
        var known: [Int64: [MapLevel: Int]] = [:]
        for (index, path) in paths.enumerated() {
            for (position, node) in path.nodes.enumerated() {
                uses[node, default: []].append(PathUse(path: index, position: position))
                if path.levels.count == 1 {
                    known[node, default: [:]][path.levels[0], default: 0] += 1
                }
            }
        }
        for (node, levels) in rings {
            for level in levels { known[node, default: [:]][level, default: 0] += 1 }
        }
        for node in nodes.taggedIDs
        where uses[node] != nil || MapWords.isLift(nodes.tags(node)) {
            guard let text = nodes.tags(node)["level"] else { continue }
            let levels = MapLevels.read(text)
            if levels == nil {
                report.note("n\(node)", .unknownLevel, "the value of level is not a level")
            }
            guard let levels, levels.count == 1 || MapWords.isLift(nodes.tags(node)) else {
                continue
            }
            for level in levels { known[node, default: [:]][level, default: 0] += 1 }
        }
        self.uses = uses
        self.known = known
        resolveLists()
        resolveDeadEnds()
        resolveUntagged()
    }

    /// Nil outdoors.
    func level(_ use: PathUse) -> MapLevel? {
        resolved[use] ?? (paths[use.path].levels.count == 1 ? paths[use.path].levels[0] : nil)
    }

    /// The certain levels at a node.
    func levels(at node: Int64) -> [MapLevel] { (known[node] ?? [:]).keys.sorted() }

    /// Whether another path, or the edge of a room, is on the level at the node.
    func others(than path: Int, have level: MapLevel, at node: Int64) -> Bool {
        let own = usesOfNode(node, by: path).count { resolved[$0] == level }
        return (known[node]?[level] ?? 0) > own
    }

    /// A binary search: the uses are in the order of paths, and a node may have very many.
    private func usesOfNode(_ node: Int64, by path: Int) -> ArraySlice<PathUse> {
        let all = uses[node] ?? []
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].path < path { low = middle + 1 } else { high = middle }
        }
        return all[low...].prefix { $0.path == path }
    }

    // MARK: - Paths on several levels

    private mutating func resolveLists() {
        var open = paths.indices.filter { paths[$0].levels.count > 1 }
        // Certain levels come first, since each round may make others certain. The rest is guessed
        // after the last round.
        for _ in 0..<8 where !open.isEmpty {
            var isChanged = false
            for path in open {
                for position in ends(path) where resolveByNode(path, position) { isChanged = true }
                if resolveByOtherEnd(path) { isChanged = true }
            }
            open.removeAll { isResolved($0) }
            if !isChanged, let first = open.first { guess(first) }
        }
        for path in open { guess(path) }
        for path in paths.indices where paths[path].levels.count > 1 { resolveBetween(path) }
    }

    private func ends(_ path: Int) -> [Int] { [0, paths[path].nodes.count - 1] }

    private func isResolved(_ path: Int) -> Bool {
        ends(path).allSatisfy { resolved[PathUse(path: path, position: $0)] != nil }
    }

    private mutating func resolve(_ use: PathUse, _ level: MapLevel) {
        resolved[use] = level
        known[paths[use.path].nodes[use.position], default: [:]][level, default: 0] += 1
    }

    /// Resolves an end by its node: to the only level of the list that the node has. If it has none
    /// of them, to the nearest level that it has.
    private mutating func resolveByNode(_ path: Int, _ position: Int) -> Bool {
        let use = PathUse(path: path, position: position)
        let (node, list) = (paths[path].nodes[position], paths[path].levels)
        guard resolved[use] == nil, let there = known[node], !there.isEmpty else { return false }
        let common = list.filter { there[$0] != nil }
        if common.count > 1 { return false }
        if let level = common.first {
            resolve(use, level)
            return true
        }
        let nearest = there.keys.min { left, right in
            (list.map { $0.distance(to: left) }.min() ?? 0, left)
                < (list.map { $0.distance(to: right) }.min() ?? 0, right)
        }
        guard let nearest else { return false }
        resolve(use, nearest)
        report.note(paths[path].id, .guessedLevel, "it only meets things on level \(nearest.text)")
        return true
    }

    /// Resolves an end by the other end: if that is at the lowest level, this one is at the
    /// highest, and the reverse.
    private mutating func resolveByOtherEnd(_ path: Int) -> Bool {
        let list = paths[path].levels
        let uses = ends(path).map { PathUse(path: path, position: $0) }
        let levels = uses.map { resolved[$0] }
        guard let low = list.min(), let high = list.max() else { return false }
        if let first = levels[0], levels[1] == nil, first == low || first == high {
            resolve(uses[1], first == low ? high : low)
            return true
        }
        if let last = levels[1], levels[0] == nil, last == low || last == high {
            resolve(uses[0], last == low ? high : low)
            return true
        }
        return false
    }

    /// Guesses both ends from the incline, or else from the order of the list.
    private mutating func guess(_ path: Int) {
        let list = paths[path].levels
        guard let low = list.min(), let high = list.max() else { return }
        let rises = paths[path].facts.rises
        let first = rises.map { $0 ? low : high } ?? list[0]
        let uses = ends(path).map { PathUse(path: path, position: $0) }
        if resolved[uses[0]] == nil { resolve(uses[0], first) }
        if resolved[uses[1]] == nil { resolve(uses[1], first == low ? high : low) }
        if rises == nil {
            report.note(
                paths[path].id, .guessedLevel, "the levels of its ends are not tagged")
        }
    }

    /// Resolves nodes between the ends: a level that others at the node have, or else the level of
    /// the nearer end.
    private mutating func resolveBetween(_ path: Int) {
        let count = paths[path].nodes.count
        for position in 1..<max(1, count - 1) {
            let node = paths[path].nodes[position]
            let end = position * 2 < count ? 0 : count - 1
            let use = PathUse(path: path, position: position)
            let there = known[node] ?? [:]
            let common = paths[path].levels.first { there[$0] != nil }
            resolved[use] = common ?? resolved[PathUse(path: path, position: end)]
        }
    }

    // MARK: - Paths on one level

    /// Resolves an end that meets nothing on its own level, but something on another.
    private mutating func resolveDeadEnds() {
        for (index, path) in paths.enumerated() where path.levels.count == 1 {
            let own = path.levels[0]
            for position in Set(ends(index)).sorted() {
                let node = path.nodes[position]
                guard let there = known[node], there.count > 1, there[own] == 1,
                    !MapWords.isLift(nodes.tags(node)),
                    let other = there.keys.filter({ $0 != own }).min(by: { left, right in
                        (own.distance(to: left), left) < (own.distance(to: right), right)
                    }), isStronger(other, than: own, there)
                else { continue }
                resolved[PathUse(path: index, position: position)] = other
                report.note(
                    path.id, .guessedLevel,
                    "its end at n\(node) only meets things on level \(other.text)")
            }
        }
    }

    /// Whether the end moves to the other level. If two paths would both meet nothing, the one that
    /// is nearer to the ground stays.
    private func isStronger(
        _ other: MapLevel, than own: MapLevel, _ there: [MapLevel: Int]
    ) -> Bool {
        if there[other] ?? 0 > 1 { return true }
        return (other.distance(to: .ground), other) < (own.distance(to: .ground), own)
    }

    // MARK: - Paths without a level

    private mutating func resolveUntagged() {
        for (node, uses) in uses {
            let untagged = uses.filter { paths[$0.path].levels.isEmpty }
            let tags = nodes.tags(node)
            let there = known[node] ?? [:]
            guard !untagged.isEmpty, !there.isEmpty || MapWords.isLift(tags) else { continue }
            // The path is outside the door, which joins it to the room inside.
            if MapWords.isDoor(tags), there.count == 1,
                tags["level"] == nil || untagged.count < uses.count
            {
                continue
            }
            for use in untagged {
                resolved[use] = nearest(paths[use.path].facts, there, isLift: MapWords.isLift(tags))
            }
        }
    }

    /// The level in the tag `layer`, which is often the same. At a lift, else the level with the
    /// fewest other uses; else the one nearest to the ground. Nil for outdoors.
    private func nearest(
        _ facts: TagFacts, _ there: [MapLevel: Int], isLift: Bool
    ) -> MapLevel? {
        let layer = facts.tags["layer"].flatMap { Int($0) }.flatMap {
            MapLevels.read(String($0))?.first
        }
        if let layer, there[layer] != nil { return layer }
        if isLift, there.count < 2 { return layer == .ground ? nil : layer }
        let fewest = isLift ? there.values.min() : nil
        return there.filter { fewest == nil || $0.value == fewest }.keys.min { left, right in
            (left.distance(to: .ground), left) < (right.distance(to: .ground), right)
        }
    }
}
