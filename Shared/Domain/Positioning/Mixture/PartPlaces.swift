import Geometry

/// The places of one held-out scan by the parts of a mixture besides the blend.
struct PartPlaces {
    private var cells: (floor: Int32, point: Point)
    private var gaussian: (floor: Int32, point: Point)
    private let scan: RadioScan
    private let trilateration: FloorTrilateration?
    /// Nil where trilateration has no place, and before `trilaterated(from:)`.
    private var trilaterated: Point?

    /// Nil where `cells` or `gaussian` has no place.
    init?(_ parts: MixtureParts, _ scan: RadioScan, scratch: inout MixtureParts.Scratch) {
        let guesses = parts.guess(scan, scratch: &scratch)
        guard let cells = guesses.cells, let gaussian = guesses.gaussian else { return nil }
        self.cells = (cells.floor, cells.mean.point)
        self.gaussian = (gaussian.floor, gaussian.mean.point)
        self.scan = scan
        trilateration = parts.trilateration
    }

    /// A copy with the place of trilateration, which needs the floor and place of the blend.
    func trilaterated(from blend: (floor: Int32, point: Point)) -> PartPlaces {
        var located = self
        located.trilaterated =
            trilateration?.answer(scan, on: blend.floor, from: blend.point)?.point
        return located
    }

    /// - Parameters:
    ///   - blend: the floor and place of the blend.
    ///   - distance: the smallest distance to an anchor.
    func trial(
        _ blend: (floor: Int32, point: Point), distance: Double, truth: Point
    ) -> MixtureShares.Trial {
        MixtureShares.Trial(
            blend: blend.point, cells: cells.point, gaussian: gaussian.point,
            trilateration: trilaterated, distance: distance, truth: truth)
    }

    /// The floor and place of the mixture.
    func mixed(
        _ blend: (floor: Int32, point: Point), _ shares: MixtureShares, distance: Double
    ) -> (floor: Int32, point: Point) {
        var shares = shares.shares(at: distance)
        if trilaterated == nil { shares.trilateration = 0 }
        var parts = [
            (shares.blend, blend.floor, blend.point), (shares.cells, cells.floor, cells.point),
            (shares.gaussian, gaussian.floor, gaussian.point),
        ]
        if let point = trilaterated {
            let reached = shares.reached(point, from: blend.point)
            parts.append((shares.trilateration, blend.floor, reached))
        }
        return shares.mix(parts) ?? blend
    }
}
