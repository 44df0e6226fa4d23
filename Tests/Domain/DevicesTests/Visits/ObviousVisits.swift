import Devices
import Events

/// Visits of one device and one zone, computed from the complete list of scans at once.
struct ObviousVisits {
    /// One scan with the zone's probability; nil if the device was lost.
    struct Scan {
        var at: Int64
        var seen: (probability: Double, distance: Double)?
    }

    struct Visit: Hashable {
        var entered: Int64
        /// Nil for a visit that is not over.
        var left: Int64?
        var reason: VisitEnded.Reason?
        var scans: Int
    }

    var rules: VisitRules

    func visits(_ scans: [Scan]) -> [Visit] {
        var visits: [Visit] = []
        let silence = microseconds(rules.silence)
        var episode: [Scan] = []
        // Any scan shows that time has passed.
        for scan in scans {
            if let last = episode.last, scan.at - last.at > silence {
                visits += self.visits(episode: episode, isOver: true)
                episode = []
            }
            if scan.seen != nil { episode.append(scan) }
        }
        return visits + self.visits(episode: episode, isOver: false)
    }

    /// - Parameter episode: scans that located the device, with no long silence between them.
    private func visits(episode: [Scan], isOver: Bool) -> [Visit] {
        var visits: [Visit] = []
        var next = 0
        while let first = episode[next...].firstIndex(where: { probability($0) >= enter }) {
            var inside = [first]
            var isDone = false
            next = first + 1
            while next < episode.count, !isDone {
                if probability(episode[next]) >= rules.leaveProbability {
                    inside.append(next)
                } else if !isLong(inside, episode) {
                    isDone = true
                    inside = []
                } else if hasLeft(at: next, since: inside.last ?? first, episode) {
                    isDone = true
                    visits.append(visit(inside, episode, .left))
                }
                next += 1
            }
            if !isDone, isLong(inside, episode) {
                visits.append(visit(inside, episode, isOver ? .silent : nil))
            }
        }
        return visits
    }

    private func hasLeft(at now: Int, since lastInside: Int, _ episode: [Scan]) -> Bool {
        let outside = episode[(lastInside + 1)...now].filter { scan in
            let isTolerated =
                scan.at - episode[lastInside].at <= microseconds(rules.toleranceTimeout)
                && (scan.seen?.distance ?? .infinity) <= rules.exitTolerance
            return !isTolerated
        }
        guard let first = outside.first, let last = outside.last, last.at == episode[now].at
        else { return false }
        return last.at - first.at >= microseconds(rules.exitDelay)
    }

    private func isLong(_ inside: [Int], _ episode: [Scan]) -> Bool {
        guard let first = inside.first, let last = inside.last else { return false }
        return episode[last].at - episode[first].at >= microseconds(rules.minimumDwell)
    }

    private func visit(
        _ inside: [Int], _ episode: [Scan], _ reason: VisitEnded.Reason?
    ) -> Visit {
        Visit(
            entered: episode[inside[0]].at,
            left: reason == nil ? nil : episode[inside[inside.count - 1]].at, reason: reason,
            scans: inside.count)
    }

    private var enter: Double { rules.enterProbability }
    private func probability(_ scan: Scan) -> Double { scan.seen?.probability ?? 0 }
    private func microseconds(_ duration: Duration) -> Int64 {
        Int64(duration / .microseconds(1))
    }
}
