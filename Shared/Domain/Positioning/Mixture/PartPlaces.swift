import Geometry

/// The places of one held-out scan by the parts of a mixture besides the blend.
struct PartPlaces {
    private var cells: (floor: Int32, point: Point)
    private var gaussian: (floor: Int32, point: Point)
    /// By the floor that the blend may elect; nothing where trilateration has no place there.
    private var trilaterated: [Int32: Point] = [:]

    /// Nil where `cells` or `gaussian` has no place.
    ///
    /// - Parameter floors: those that the blend may elect.
    init?(
        _ parts: MixtureParts, _ scan: RadioScan, floors: Set<Int32>,
        scratch: inout MixtureParts.Scratch
    ) {
        let guesses = parts.guess(scan, scratch: &scratch)
        guard let cells = guesses.cells, let gaussian = guesses.gaussian else { return nil }
        self.cells = (cells.floor, cells.mean.point)
        self.gaussian = (gaussian.floor, gaussian.mean.point)
        for floor in floors {
            trilaterated[floor] = parts.trilaterate(scan, on: floor)?.point
        }
    }

    /// - Parameters:
    ///   - blend: the floor and place of the blend.
    ///   - distance: the smallest distance to an anchor.
    func trial(
        _ blend: (floor: Int32, point: Point), distance: Double, truth: Point
    ) -> MixtureShares.Trial {
        MixtureShares.Trial(
            blend: blend.point, cells: cells.point, gaussian: gaussian.point,
            trilateration: trilaterated[blend.floor], distance: distance, truth: truth)
    }

    /// The floor and place of the mixture.
    func mixed(
        _ blend: (floor: Int32, point: Point), _ shares: MixtureShares, distance: Double
    ) -> (floor: Int32, point: Point) {
        let shares = shares.shares(at: distance)
        var parts = [
            (shares.blend, blend.floor, blend.point), (shares.cells, cells.floor, cells.point),
            (shares.gaussian, gaussian.floor, gaussian.point),
        ]
        if let point = trilaterated[blend.floor] {
            parts.append((shares.trilateration, blend.floor, point))
        }
        return shares.mix(parts) ?? blend
    }
}
