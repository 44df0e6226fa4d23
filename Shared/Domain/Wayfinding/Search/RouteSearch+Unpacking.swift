extension RouteSearch {
    /// Writes the arcs of the graph for the route that the labels describe.
    ///
    /// Slots wait on a stack. A slot whose via is an arc of the hierarchy is replaced by the two
    /// slots through its lower rank. Ranks fall at each step, so it ends.
    mutating func unpack(
        from start: NodeIndex, to end: NodeIndex, meetingAt depth: Int,
        over metric: CustomisedMetric
    ) {
        let hierarchy = metric.hierarchy
        unpacking.removeAll(keepingCapacity: true)
        var place = depth
        // The stack is filled from the meeting point back to the start, so the route's first slot
        // is on top.
        let startDepth = Int(hierarchy.depth[Int(hierarchy.rank[start.value])])
        while place != startDepth {
            let arc = UInt32(truncatingIfNeeded: labels[2 * place])
            unpacking.append(2 * arc)
            place = Int(hierarchy.depth[Int(hierarchy.tail[Int(arc)])])
        }
        metric.write(&unpacking, to: &arcs)
        place = depth
        let endDepth = Int(hierarchy.depth[Int(hierarchy.rank[end.value])])
        while place != endDepth {
            let arc = UInt32(truncatingIfNeeded: labels[2 * place + 1])
            unpacking.append(2 * arc + 1)
            metric.write(&unpacking, to: &arcs)
            place = Int(hierarchy.depth[Int(hierarchy.tail[Int(arc)])])
        }
    }
}

extension CustomisedMetric {
    /// Writes the arcs of the graph for a stack of slots, the last slot first, and empties the
    /// stack.
    func write(_ waiting: inout [UInt32], to arcs: inout [ArcIndex]) {
        while let slot = waiting.popLast() {
            let via = vias[Int(slot)]
            guard via & CustomisedMetric.isLowerArc != 0 else {
                arcs.append(ArcIndex(raw: via))
                continue
            }
            let first = via & ~CustomisedMetric.isLowerArc
            let top = hierarchy.head[Int(slot / 2)]
            var second = first + 1
            while hierarchy.head[Int(second)] != top { second += 1 }
            if slot % 2 == 0 {
                waiting.append(2 * second)
                waiting.append(2 * first + 1)
            } else {
                waiting.append(2 * first)
                waiting.append(2 * second + 1)
            }
        }
    }
}
