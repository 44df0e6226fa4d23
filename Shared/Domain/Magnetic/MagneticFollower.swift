public import Events
public import Positioning

/// Turns the magnetic samples of a device's scans into evidence of its place. It is one pure
/// function, `(scan, routes, state) -> (evidence, state)`.
public struct MagneticFollower: Sendable {
    /// Metres to either side of a route's line: half the width of a corridor.
    static let acrossMetres = 0.75
    /// The total length of a site's routes that is matched. The limit exists because each metre
    /// costs time with every sample.
    public static let mostMetres = 2_000.0

    private let matcher: MagneticMatcher
    /// The routes that are used.
    let routes: [MagneticRouteID: MatchableRoute]
    /// The range of the routes' fields that points down (`GravitySign.range`); nil where no route
    /// has any.
    private let downs: ClosedRange<Double>?

    /// Leaves out each route that would exceed `mostMetres`. Those that expire last come first, so
    /// expired ones do not shut out others. Among equals it is their order.
    public init(_ routes: [MatchableRoute]) {
        func end(_ index: Int) -> Int64 { routes[index].expiresAt?.microseconds ?? .max }
        var metres = 0.0
        var isUsed = [Bool](repeating: false, count: routes.count)
        for index in routes.indices.sorted(by: { (end($1), $0) < (end($0), $1) }) {
            let length = routes[index].profile.path.lengthMetres
            guard metres + length <= Self.mostMetres else { continue }
            metres += length
            isUsed[index] = true
        }
        let used = routes.indices.filter { isUsed[$0] }.map { routes[$0] }
        matcher = MagneticMatcher(used)
        downs = GravitySign.range(used.map(\.profile.features))
        self.routes = Dictionary(used.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    public var routeCount: Int { matcher.routes.count }

    /// Computes the evidence of the magnetic field on the way to the scan. A route that had expired
    /// when the scan was received gives none. Gravity of the wrong sign is negated.
    ///
    /// - Parameter state: the state that this returned for the device's previous scan; otherwise
    ///   `.empty`.
    public func follow(
        _ scan: ScanRecorded, state: PositionerState
    ) -> (evidence: [PlaceEvidence], state: PositionerState) {
        // After a scan without samples the device may be anywhere. The next samples are too late to
        // go on from the last ones.
        guard !scan.magneticSamples.isEmpty, routeCount > 0 else { return ([], .empty) }
        var tracker =
            MagneticTracker(state.bytes, matcher) ?? MagneticTracker(matcher)
        let steps = Self.steps(scan)
        if steps == nil { tracker.stopCountingSteps() } else { tracker.countSteps() }
        _ = tracker.follow(
            MagneticWalk(
                samples: GravitySign.suiting(downs, scan.magneticSamples),
                stepsAtMilliseconds: steps ?? [])
        ) { _, _ in }
        let after = PositionerState(bytes: tracker.bytes)
        // A device that stands still measures nothing new, and its evidence was given before.
        guard steps?.isEmpty != true else { return ([], after) }
        let evidence = tracker.candidates().compactMap { candidate -> PlaceEvidence? in
            guard let route = routes[candidate.route],
                route.expiresAt.map({ scan.receivedAt < $0 }) ?? true
            else { return nil }
            return placeEvidence(candidate, route)
        }
        return (evidence, after)
    }

    /// The times of steps. Where the scan has only their number, they are spread evenly over the
    /// samples' time. Nil where nobody counts steps.
    private static func steps(_ scan: ScanRecorded) -> [Int]? {
        guard scan.stepsAtMilliseconds.isEmpty else { return scan.stepsAtMilliseconds }
        guard let count = scan.steps, let first = scan.magneticSamples.first,
            let last = scan.magneticSamples.last
        else { return nil }
        let (span, overflow) = last.atMilliseconds.subtractingReportingOverflow(
            first.atMilliseconds)
        guard !overflow, span > 0, count * fastestStepMilliseconds <= span else { return nil }
        return (0..<count).map { first.atMilliseconds + (2 * $0 + 1) * span / (2 * count) }
    }

    /// The shortest time for a step. If the counted steps do not fit into the samples' time, some
    /// were made outside of it.
    private static let fastestStepMilliseconds = 250

    private func placeEvidence(
        _ candidate: MagneticCandidate, _ route: MatchableRoute
    ) -> PlaceEvidence {
        let (along, across) = (candidate.spreadMetres, Self.acrossMetres)
        return PlaceEvidence(
            floor: candidate.floor,
            point: route.profile.path.point(atArc: candidate.arcMetres),
            deviationMetres: ((along * along + across * across) / 2).squareRoot(),
            weight: candidate.weight * route.reliability)
    }
}
