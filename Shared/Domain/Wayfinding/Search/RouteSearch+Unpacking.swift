extension RouteSearch {
    /// Writes down the arcs of the graph that the labels' way stands for.
    ///
    /// A slot waits on a list until those before it are written; a slot of the hierarchy is put
    /// back as the two that lead through its lower rank. Ranks fall each time, so it ends.
    mutating func unpack(
        from start: NodeIndex, to end: NodeIndex, meetingAt depth: Int,
        over metric: CustomisedMetric
    ) {
        let hierarchy = metric.hierarchy
        unpacking.removeAll(keepingCapacity: true)
        var place = depth
        // From the meeting back to the start: the last one put on the list is the first of the
        // route.
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
    /// Writes down the arcs of the graph that a list of slots stands for, the last of the list
    /// first, and empties the list.
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
