extension RouteSearch {
    /// Writes down the arcs of the graph that the labels' way stands for.
    ///
    /// A slot waits on a list until those before it are written; a slot of the hierarchy is put back as
    /// the two that lead through its lower rank. Ranks fall each time, so it ends.
    mutating func unpack(
        from start: NodeIndex, to end: NodeIndex, meetingAt depth: Int,
        over metric: CustomisedMetric
    ) {
        let hierarchy = metric.hierarchy
        unpacking.removeAll(keepingCapacity: true)
        var place = depth
        // From the meeting back to the start: the last one put on the list is the first of the route.
        let startDepth = Int(hierarchy.depth[Int(hierarchy.rank[start.value])])
        while place != startDepth {
            let arc = UInt32(truncatingIfNeeded: labels[2 * place])
            unpacking.append(2 * arc)
            place = Int(hierarchy.depth[Int(hierarchy.tail[Int(arc)])])
        }
        writeWaiting(over: metric)
        place = depth
        let endDepth = Int(hierarchy.depth[Int(hierarchy.rank[end.value])])
        while place != endDepth {
            let arc = UInt32(truncatingIfNeeded: labels[2 * place + 1])
            unpacking.append(2 * arc + 1)
            writeWaiting(over: metric)
            place = Int(hierarchy.depth[Int(hierarchy.tail[Int(arc)])])
        }
    }

    private mutating func writeWaiting(over metric: CustomisedMetric) {
        let hierarchy = metric.hierarchy
        while let slot = unpacking.popLast() {
            let via = metric.vias[Int(slot)]
            guard via & CustomisedMetric.isLowerArc != 0 else {
                arcs.append(ArcIndex(raw: via))
                continue
            }
            let first = via & ~CustomisedMetric.isLowerArc
            let top = hierarchy.head[Int(slot / 2)]
            var second = first + 1
            while hierarchy.head[Int(second)] != top { second += 1 }
            if slot % 2 == 0 {
                unpacking.append(2 * second)
                unpacking.append(2 * first + 1)
            } else {
                unpacking.append(2 * first)
                unpacking.append(2 * second + 1)
            }
        }
    }
}
