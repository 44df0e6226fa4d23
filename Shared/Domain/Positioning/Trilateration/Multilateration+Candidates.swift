import Geometry
import Glibc
import Site

extension Multilateration.Answer {
    /// Adds five candidates with the answer's mean and covariance: the middle, and two on each
    /// axis.
    ///
    /// - Parameters:
    ///   - floor: an index into the map's floors.
    ///   - weight: the sum of the candidates' weights.
    func addCandidates(
        on floor: Int32, weight: Double, of map: RadioMap, site: SiteIndex,
        to candidates: inout [Candidate]
    ) {
        let angle = atan2(2 * covariance.xy, covariance.xx - covariance.yy) / 2
        let mean = (covariance.xx + covariance.yy) / 2
        let difference = (covariance.xx - covariance.yy) / 2
        let root = (difference * difference + covariance.xy * covariance.xy).squareRoot()
        let axes = [(mean + root, angle), (max(0, mean - root), angle + .pi / 2)]
        var points = [(point, 1.0 / 3)]
        for (variance, angle) in axes {
            // With weights of a sixth, points at the root of three variances give the covariance.
            let reach = (3 * variance).squareRoot()
            for side in [-1.0, 1] {
                points.append(
                    (
                        Point(
                            x: point.x + side * reach * cos(angle),
                            y: point.y + side * reach * sin(angle)), 1.0 / 6
                    ))
            }
        }
        let index = site.floorIndex(map.floors[Int(floor)])
        for (point, share) in points {
            let room = index.flatMap { site.room(at: point, on: $0) }
            let number = room.flatMap { map.rooms.firstIndex(of: site.room($0).id) } ?? -1
            candidates.append(
                Candidate(
                    point: point, floor: floor, room: Int32(number), weight: weight * share))
        }
    }
}
