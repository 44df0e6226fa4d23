extension CustomisedMetric {
    /// Changes the costs of some arcs of the graph, for instance to `closed` for a lift that is out
    /// of service. Only costs that depend on them are computed again.
    public mutating func change(_ changes: [(arc: ArcIndex, cost: Cost)]) {
        var change = MetricChange()
        for (arc, cost) in changes {
            guard metric[arc] != cost else { continue }
            metric[arc] = cost
            let slot = hierarchy.slot[arc.value]
            guard slot != RouteHierarchy.noSlot else { continue }
            change.note(slot, before: self[slot])
            change.isStale.insert(slot)
        }
        while let slot = change.queue.popLeast() {
            if change.isStale.remove(slot) != nil { workOut(slot) }
            guard let before = change.before.removeValue(forKey: slot) else { continue }
            if before != self[slot] { passOn(slot, before: before, &change) }
        }
    }

    /// Computes a slot: the minimum over the graph's own arcs and the ways through a lower rank.
    private mutating func workOut(_ slot: UInt32) {
        let arc = Int(slot / 2)
        let isUp = slot % 2 == 0
        var (best, via) = (Cost.closed.value, Self.noVia)
        let originals =
            Int(
                hierarchy.firstOriginal[Int(slot)])..<Int(
                hierarchy.firstOriginal[Int(slot) + 1])
        for original in hierarchy.originals[originals] where metric[original].value < best {
            (best, via) = (metric[original].value, original.raw)
        }
        let (rank, head) = (Int(hierarchy.tail[arc]), hierarchy.head[arc])
        let lowers = Int(hierarchy.firstLower[rank])..<Int(hierarchy.firstLower[rank + 1])
        for first in hierarchy.lower[lowers] {
            let bottom = Int(hierarchy.tail[Int(first)])
            let cost = costs[Int(first)]
            let near = isUp ? cost.y : cost.x
            guard near < best,
                let second = hierarchy.arc(
                    to: head, within: Int(first) + 1..<Int(hierarchy.firstArc[bottom + 1]))
            else { continue }
            let through = near + (isUp ? costs[second].x : costs[second].y)
            if through < best { (best, via) = (through, UInt32(first) | Self.isLowerArc) }
        }
        self[slot] = best
        vias[Int(slot)] = via
    }

    /// Updates the slots above whose way leads through this slot, after a change of its cost.
    private mutating func passOn(_ slot: UInt32, before: UInt32, _ change: inout MetricChange) {
        let arc = slot / 2
        let isUp = slot % 2 == 0
        let now = self[slot]
        let bottom = Int(hierarchy.tail[Int(arc)])
        for other in hierarchy.firstArc[bottom]..<hierarchy.firstArc[bottom + 1] {
            let other = UInt32(other)
            guard other != arc else { continue }
            // The arcs of the triangle to its middle rank and to its top rank.
            let (near, far) = (min(arc, other), max(arc, other))
            guard
                let above = hierarchy.arc(
                    from: hierarchy.head[Int(near)], to: hierarchy.head[Int(far)])
            else { preconditionFailure("what a rank leads up to is joined") }
            // The slot's direction decides in which direction the triangle's upper arc is passed.
            let goesUp = (arc == far) == isUp
            let affected = UInt32(2 * above + (goesUp ? 0 : 1))
            let through = now + (isUp ? costs[Int(other)].y : costs[Int(other)].x)
            let via = near | Self.isLowerArc
            if through < self[affected] {
                change.note(affected, before: self[affected])
                self[affected] = through
                vias[Int(affected)] = via
            } else if now > before, vias[Int(affected)] == via {
                change.note(affected, before: self[affected])
                change.isStale.insert(affected)
            }
        }
    }
}

/// The slots to be updated, from the lowest arc on. A slot that depends on an arc has a higher tail
/// and so a higher number.
private struct MetricChange {
    var queue = MinimumHeap<UInt32>()
    /// The costs that slots had when they entered the queue.
    var before: [UInt32: UInt32] = [:]
    /// Slots whose way has become more expensive, so that another may now be cheaper.
    var isStale: Set<UInt32> = []

    mutating func note(_ slot: UInt32, before cost: UInt32) {
        guard before[slot] == nil else { return }
        before[slot] = cost
        queue.push(slot)
    }
}
